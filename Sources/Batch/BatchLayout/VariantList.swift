import LayoutEngine

/// An error in what states the variants of a batch.
public struct VariantError: Error, Equatable {
  /// What is wrong, and the form that is right.
  public let message: String

  init(_ message: String) { self.message = message }
}

extension Variant {
  /// Returns the combinations of platforms, text sizes, widths, text scales, scales and directions, each of them once.
  ///
  /// - Parameters:
  ///   - scales: the scales that are stated; nil for 2, which is not the scale of Android's devices.
  ///   - textSizes: the text sizes that are stated; nil for the plain sizes of fonts.
  ///   - hasLines: whether the results have the lines of texts.
  /// - Throws: `VariantError` if one is out of range, if there are too many, or if a platform needs a scale.
  public static func combinations(
    widths: [Double], textScales: [Double] = [1], scales: [Double]? = nil, platforms: [Platform] = [.texture],
    textSizes: [TextSize]? = nil, layoutDirections: [LayoutDirection] = [.ltr], hasLines: Bool = false
  ) throws(VariantError) -> [Variant] {
    if scales == nil, let platform = platforms.first(where: \.isAndroid) {
      throw VariantError(
        "the platform \(platform.name) rounds to device pixels and needs their number a point, such as scale 2.625")
    }
    let (widths, textScales, scales) = (distinct(widths), distinct(textScales), distinct(scales ?? [2]))
    let platforms = distinct(platforms)
    let textSizes: [TextSize?] = textSizes.map { distinct($0) } ?? [nil]
    let directions = distinct(layoutDirections)
    let count =
      platforms.count * textSizes.count * widths.count * textScales.count * scales.count * directions.count
    // Before they are combined, because a request can state very many.
    guard count <= Variant.limit else {
      throw VariantError("these are \(count) variants; a batch has at most \(Variant.limit)")
    }
    var variants: [Variant] = []
    // Variants of one text size follow each other, because the texts of a row are prepared again for another one. Variants that
    // differ in the direction alone follow each other, because their sizes are the same.
    for (platform, textSize) in product(platforms, textSizes) {
      for (width, (textScale, scale)) in product(widths, product(textScales, scales)) {
        let variant = Variant(
          width: width, textScale: textScale, scale: scale, platform: platform, textSize: textSize, hasLines: hasLines)
        guard variant.isValid else {
          throw VariantError(
            "\(variant.name) cannot be laid out: a width is above 0 and below \(Int(Variant.widthLimit)) points, "
              + "a text scale and a scale are above 0 and at most \(Int(Variant.scaleLimit))")
        }
        variants += directions.map { direction in
          var variant = variant
          variant.layoutDirection = direction
          return variant
        }
      }
    }
    return variants
  }

  /// Returns the pairs of two lists, those with the same first value one after the other.
  private static func product<First, Second>(_ firsts: [First], _ seconds: [Second]) -> [(First, Second)] {
    firsts.flatMap { first in seconds.map { (first, $0) } }
  }

  private static func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
    values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
