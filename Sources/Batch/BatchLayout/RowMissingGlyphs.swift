import Buffers
import LayoutTables
import TextMeasuring

/// The characters of a row's texts for which no font has a glyph.
struct RowMissingGlyphs: BitwiseCopyable {
  /// The number of missing characters, limited to what the tables can hold.
  private(set) var count: UInt16 = 0
  private var characterCount: UInt8 = 0
  /// The first eight different characters.
  private var characters = InlineArray<8, UInt32>(repeating: 0)

  init() {}

  init(_ measurer: inout TextMeasurer) {
    guard measurer.missingGlyphCount > 0 else { return }
    count = UInt16(clamping: measurer.missingGlyphCount)
    let found = measurer.missingCharacters.prefix(characters.count)
    characterCount = UInt8(found.count)
    for (index, scalar) in found.enumerated() { characters[index] = scalar }
  }

  /// The characters as a text.
  var text: String {
    var text = String.UnicodeScalarView()
    forEachCharacter { text.append($0) }
    return String(text)
  }

  private func forEachCharacter(_ body: (Unicode.Scalar) -> Void) {
    for index in 0..<Int(characterCount) {
      if let scalar = Unicode.Scalar(characters[index]) { body(scalar) }
    }
  }

  /// Adds the characters of a row to the columns of its job.
  func append(row: Int, to columns: JobSchema<UnsafeMutablePointer<ColumnBuffer>>) {
    let start = columns.missingBytes.count
    forEachCharacter { scalar in
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { columns.missingBytes.append(byte) }
    }
    columns.missingRow.append(UInt32(truncatingIfNeeded: row))
    columns.missingLength.append(UInt32(truncatingIfNeeded: columns.missingBytes.count - start))
  }
}
