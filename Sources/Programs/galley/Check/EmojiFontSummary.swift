/// The rows with an emoji for which the platforms `texture` and `web` choose different fonts (text-rules 17).
struct EmojiFontSummary {
  private var rows = 0
  private var firstRow: UInt64 = 0

  mutating func note(row: UInt64) {
    if rows == 0 { firstRow = row }
    rows += 1
  }

  /// The warning about these rows, or nil if there are none.
  var message: String? {
    guard rows > 0 else { return nil }
    let counted = rows == 1 ? "1 row (row \(firstRow)) has" : "\(rows) rows (the first is row \(firstRow)) have"
    return "\(counted) an emoji that the platform web shows in another font than texture; "
      + "list the font with emoji before other fallback fonts that have the character"
  }
}
