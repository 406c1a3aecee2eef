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
          if !variants.contains(variant) { variants.append(variant) }
        }
      }
    }
    guard variants.count <= Variant.limit else {
      throw VariantError("these are \(variants.count) variants; a batch has at most \(Variant.limit)")
    }
    return variants
  }
}
