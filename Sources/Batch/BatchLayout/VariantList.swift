import LayoutEngine

/// An error in what states the variants of a batch.
public struct VariantError: Error, Equatable {
  /// What is wrong, and the form that is right.
  public let message: String

  init(_ message: String) { self.message = message }
}

extension Variant {
  /// Returns the combinations of widths, text scales and scales, each of them once.
  ///
  /// - Throws: `VariantError` if one is out of range, or if there are too many.
  public static func combinations(
    widths: [Double], textScales: [Double], scales: [Double]
  ) throws(VariantError) -> [Variant] {
    let (widths, textScales, scales) = (distinct(widths), distinct(textScales), distinct(scales))
    let count = widths.count * textScales.count * scales.count
    // Before they are combined, because a request can state very many.
    guard count <= Variant.limit else {
      throw VariantError("these are \(count) variants; a batch has at most \(Variant.limit)")
    }
    var variants: [Variant] = []
    for width in widths {
      for textScale in textScales {
        for scale in scales {
          let variant = Variant(width: width, textScale: textScale, scale: scale)
          guard variant.isValid else {
            throw VariantError(
              "\(variant.name) cannot be laid out: a width is above 0 and below \(Int(Variant.widthLimit)) points, "
                + "a text scale and a scale are above 0 and at most \(Int(Variant.scaleLimit))")
          }
          variants.append(variant)
        }
      }
    }
    return variants
  }

  private static func distinct(_ numbers: [Double]) -> [Double] {
    numbers.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
