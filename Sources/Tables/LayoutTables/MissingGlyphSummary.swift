/// The rows of a run whose texts have characters without a glyph.
public struct MissingGlyphSummary: Sendable {
  /// The rows with one character.
  public struct Character: Sendable {
    public var rows: UInt64
    /// The first of them.
    public let firstRow: UInt64
  }

  /// Different characters that are told apart.
  public static let maxCharacters = 4096

  public init() {}

  public private(set) var rows: UInt64 = 0
  public private(set) var characters: [UInt32: Character] = [:]

  mutating func note(_ table: JobTable, firstRow: UInt64) {
    var start = 0
    for index in 0..<table.columns.missingRow.count {
      let end = start + Int(table.columns.missingLength[index])
      note(table.columns.missingBytes.slice(start, end).string, row: firstRow + UInt64(table.columns.missingRow[index]))
      start = end
    }
  }

  /// Notes the characters of a row, none if nothing is missing.
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
