/// A search for installed font families with characters that the fonts of a cells file lack.
public enum GlyphFamilies {
  /// Returns the family to add to `fallback` for characters of a script, or nil if none is installed.
  public static func family(for characters: [UInt32], script: String) -> String? {
    let finder = FontFinder()
    var families = finder.families(covering: characters)
    if families.isEmpty, let first = characters.first { families = finder.families(covering: [first]) }
    return families.min { rank($0, script) < rank($1, script) }
  }

  /// The families whose names do not end with the script for which they are made.
  private static let named = [
    "emoji": "Noto Color Emoji", "Han": "Noto Sans CJK JP", "Hiragana": "Noto Sans CJK JP",
    "Katakana": "Noto Sans CJK JP", "Hangul": "Noto Sans CJK KR", "Bopomofo": "Noto Sans CJK TC",
  ]

  /// Returns a rank by which fonts for the script precede other fonts, and sans-serif fonts precede others.
  private static func rank(_ family: String, _ script: String) -> (Int, Int, String) {
    let wanted = named[script] ?? "Noto Sans \(script)"
    let kind =
      family == wanted
      ? 0 : family.hasPrefix(wanted) ? 1 : family.hasPrefix("Noto Sans") ? 2 : family.hasPrefix("Noto") ? 3 : 4
    return (kind, family.count, family)
  }
}
