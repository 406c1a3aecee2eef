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
    if let scaling = font.member("scaling") {
      do throws(CellError) {
        scales.scaling = try ValueReader(source: WrittenValues()).choice(scaling, FontScaling.self)
      } catch {
        throw error.within("scaling")
      }
    }
    if let sizes = font.member("sizes") {
      do throws(CellError) { scales.sizes = FontSizes(try readSizes(sizes), plain: size) } catch {
        throw error.within("sizes")
      }
    }
    return scales
  }

  private static func readSizes(_ sizes: JSONValue) throws(CellError) -> [TextSize: Double] {
    guard sizes.isObject else { throw wrongType(sizes, "sizes in points by text size: {L: 17, AX1: 28}") }
    var stated: [TextSize: Double] = [:]
    try sizes.forEachMember { (key, value) throws(CellError) in
      let name = key.string
      do throws(CellError) {
        guard let textSize = TextSize(name: name) else { throw unknownTextSize(name) }
        stated[textSize] = try fontSize(value)
      } catch {
        throw error.within(name)
      }
    }
    return stated
  }

  private static func unknownTextSize(_ name: String) -> CellError {
    let names = TextSize.allCases.map(\.name)
    return CellError(
      "is not a text size of iOS\(didYouMean(name, among: names)); these are \(names.joined(separator: ", "))")
  }

  /// Reads the size of a font.
  static func fontSize(_ value: JSONValue?) throws(CellError) -> Double {
    guard let size = value?.number, size > 0, size <= 10_000 else {
      throw CellError("needs a size in points, more than 0 and at most 10000")
    }
    return size
  }
}
