import Buffers
import TextMeasuring

/// A table of the fonts of a cells file by name.
public struct FontTable: Sendable {
  public private(set) var names: [String] = []
  public private(set) var styles: [TextStyle] = []
  /// What the fonts state about their sizes in variants.
  public private(set) var scales = FontScales()

  mutating func add(_ name: String, _ style: TextStyle, _ font: FontScales.Font = FontScales.Font()) {
    names.append(name)
    styles.append(style)
    styles[styles.count - 1].scaling = scales.add(font)
  }

  func index(of name: ByteString) throws(CellError) -> Int32 {
    let written = name.string
    if let index = names.firstIndex(of: written) { return Int32(index) }
    throw CellError("\"\(name.excerpt)\" is not among the fonts of the cells file\(didYouMean(written, among: names))")
  }
}
