import CellsFiles
import LayoutTables
import TextMeasuring

/// What is said of rows whose texts have characters without a glyph: their heights are those of empty boxes.
struct GlyphWarning: Codable {
  struct Script: Codable {
    /// `Arabic`, `emoji`, `symbols`
    let script: String
    /// The first row with one of the characters, from 0.
    let exampleRow: UInt64
    /// Some of the characters.
    let characters: String
  }

  private static let maxShownCharacters = 12
  private static let maxShownScripts = 5

  let rows: UInt64
  let scripts: [Script]

  /// Nil where nothing is missing.
  init?(_ summary: MissingGlyphSummary) {
    guard summary.rows > 0 else { return nil }
    rows = summary.rows
    var characters: [String: [UInt32]] = [:]
    for scalar in summary.characters.keys.sorted() {
      characters[ScriptNames.name(of: scalar), default: []].append(scalar)
    }
    scripts = characters.map { name, scalars in
      let row = scalars.compactMap { summary.characters[$0]?.firstRow }.min() ?? 0
      let inRow = scalars.filter { summary.characters[$0]?.firstRow == row }
      let shown = inRow.prefix(Self.maxShownCharacters).compactMap { Unicode.Scalar($0) }
      return Script(script: name, exampleRow: row, characters: String(String.UnicodeScalarView(shown)))
    }
    .sorted { ($0.exampleRow, $0.script) < ($1.exampleRow, $1.script) }
  }

  /// `18 rows have characters without a glyph: Arabic (row 3: "…"); add Noto Sans Arabic to fallback`
  var message: String {
    let subject = rows == 1 ? "1 row has" : "\(rows) rows have"
    var places = scripts.prefix(Self.maxShownScripts).map {
      "\($0.script) (row \($0.exampleRow): \"\($0.characters)\")"
    }
    if scripts.count > Self.maxShownScripts { places.append("\(scripts.count - Self.maxShownScripts) more scripts") }
    return "\(subject) characters without a glyph: \(places.joined(separator: ", ")); \(remedy)"
  }

  private var remedy: String {
    var families: [String] = []
    var without: [String] = []
    for script in scripts.prefix(Self.maxShownScripts) {
      let family = GlyphFamilies.family(for: script.characters.unicodeScalars.map(\.value), script: script.script)
      if let family, !families.contains(family) { families.append(family) }
      if family == nil { without.append(script.script) }
    }
    var parts: [String] = []
    if !families.isEmpty { parts.append("add \(families.joined(separator: ", ")) to fallback") }
    if !without.isEmpty { parts.append("no installed font has \(without.joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }
}
