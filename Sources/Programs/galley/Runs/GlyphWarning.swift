import CellsFiles
import LayoutTables
import TextMeasuring

/// A warning about rows with characters that have no glyph in any font. The tables have the heights of empty boxes for
/// them.
struct GlyphWarning: Codable {
  struct Script: Codable {
    /// The name of the script, such as `Arabic`, `emoji` or `symbols`.
    let script: String
    /// The index of the first row with one of the characters, from 0.
    let exampleRow: UInt64
    /// Some of the characters, from the example row.
    let characters: String
  }

  private static let maxShownCharacters = 12
  private static let maxShownScripts = 5

  /// The number of rows with characters without a glyph.
  let rows: UInt64
  let scripts: [Script]

  /// Creates the warning, or returns nil if every character has a glyph.
  init?(_ summary: MissingGlyphSummary) {
    guard summary.rows > 0 else { return nil }
    rows = summary.rows
    var characters: [String: [UInt32]] = [:]
    for scalar in summary.characters.keys.sorted() {
      characters[TextMeasuring.Script.title(of: scalar), default: []].append(scalar)
    }
    scripts = characters.map { name, scalars in
      let row = scalars.compactMap { summary.characters[$0]?.firstRow }.min() ?? 0
      let inRow = scalars.filter { summary.characters[$0]?.firstRow == row }
      let shown = inRow.prefix(Self.maxShownCharacters).compactMap { Unicode.Scalar($0) }
      return Script(script: name, exampleRow: row, characters: String(String.UnicodeScalarView(shown)))
    }
    .sorted { ($0.exampleRow, $0.script) < ($1.exampleRow, $1.script) }
  }

  /// The text of the warning, such as `18 rows have characters without a glyph: Arabic (row 3: "…"); add Noto Sans
  /// Arabic to fallback`
  var message: String {
    let subject = rows == 1 ? "1 row has" : "\(rows) rows have"
    var examples = scripts.prefix(Self.maxShownScripts).map {
      "\($0.script) (row \($0.exampleRow): \"\($0.characters)\")"
    }
    if scripts.count > Self.maxShownScripts { examples.append("\(scripts.count - Self.maxShownScripts) more scripts") }
    return "\(subject) characters without a glyph: \(examples.joined(separator: ", ")); \(remedy)"
  }

  private var remedy: String {
    var families: [String] = []
    var unsupported: [String] = []
    for script in scripts.prefix(Self.maxShownScripts) {
      let family = GlyphFamilies.family(for: script.characters.unicodeScalars.map(\.value), script: script.script)
      if let family, !families.contains(family) { families.append(family) }
      if family == nil { unsupported.append(script.script) }
    }
    var parts: [String] = []
    if !families.isEmpty { parts.append("add \(families.joined(separator: ", ")) to fallback") }
    if !unsupported.isEmpty { parts.append("no installed font has \(unsupported.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }
}
