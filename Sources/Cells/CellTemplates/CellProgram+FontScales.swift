import Buffers
import LayoutEngine
import TextMeasuring

/// The part of a font that states its sizes in variants.
extension CellProgram {
  /// Reads the properties `scaling` and `sizes` of a font, such as `scaling: none` and `sizes: {L: 17, AX1: 28}`.
  ///
  /// - Parameter size: the plain size of the font.
  static func readScales(of font: JSONValue, size: Double) throws(CellError) -> FontScales.Font {
    var scales = FontScales.Font()
    scales.scaling = try reader.member("scaling", of: font) { (scaling) throws(CellError) in
      try reader.choice(scaling, FontScaling.self)
    }
    scales.sizes = try reader.member("sizes", of: font) { (sizes) throws(CellError) in
      FontSizes(try readSizes(sizes), plain: size)
    }
    return scales
  }

  private static func readSizes(_ sizes: JSONValue) throws(CellError) -> [TextSize: Double] {
    let expected = "sizes in points by text size: {L: 17, AX1: 28}"
    var stated: [TextSize: Double] = [:]
    try reader.forEachMember(of: sizes, expected: expected) { (key, value) throws(CellError) in
      guard let textSize = TextSize(name: key.string) else {
        throw unknownKey(key.string, "a text size of iOS", among: TextSize.allCases.map(\.name))
      }
      stated[textSize] = try fontSize(value)
    }
    return stated
  }

  /// Reads the size of a font.
  static func fontSize(_ value: JSONValue?) throws(CellError) -> Double {
    guard let size = value?.number, size > 0, size <= 10_000 else {
      throw CellError("needs a size in points, more than 0 and at most 10000")
    }
    return size
  }
}
