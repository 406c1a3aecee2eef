/// A summary of the rows of a run whose texts have characters without a glyph.
public struct MissingGlyphSummary: Sendable {
  /// The rows in which one character is missing.
  public struct Character: Sendable {
    public var rows: UInt64
    /// The number of the first of these rows.
    public let firstRow: UInt64
  }

  /// The largest number of different characters that are counted.
  public static let maxCharacters = 4096

  public init() {}

  public private(set) var rows: UInt64 = 0
  public private(set) var characters: [UInt32: Character] = [:]

  mutating func note(_ table: JobTable, firstRow: UInt64, from first: Int = 0) {
    var next = 0
    for index in 0..<table.columns.missingRow.count {
      let characters = table.columns.missingBytes.next(table.columns.missingLength[index], at: &next)
      let row = Int(table.columns.missingRow[index])
      if row >= first { note(characters.string, row: firstRow + UInt64(row)) }
    }
  }

  /// Adds the missing characters of a row, which are empty if none is missing.
  public mutating func note(_ characters: String, row: UInt64) {
    guard !characters.isEmpty else { return }
    rows += 1
    for scalar in characters.unicodeScalars { note(scalar.value, in: row) }
  }

  private mutating func note(_ scalar: UInt32, in row: UInt64) {
    if characters[scalar] != nil {
      characters[scalar]?.rows += 1
    } else if characters.count < Self.maxCharacters {
      characters[scalar] = Character(rows: 1, firstRow: row)
    }
  }
}
