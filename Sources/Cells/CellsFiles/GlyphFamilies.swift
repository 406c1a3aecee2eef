import TextMeasuring

/// Installed font families that have characters which the fonts of a cells file lack.
public enum GlyphFamilies {
  /// The family to add to `fallback` for characters of a script, or nil if none is installed.
  public static func family(for characters: [UInt32], script: String) -> String? {
    let finder = FontFinder()
    var families = finder.families(covering: characters)
    if families.isEmpty, let first = characters.first { families = finder.families(covering: [first]) }
    return families.min { rank($0, script) < rank($1, script) }
  }

  /// Families whose names do not end with the script that they are made for.
  private static let named = [
    "emoji": "Noto Color Emoji", "Han": "Noto Sans CJK JP", "Hiragana": "Noto Sans CJK JP",
    "Katakana": "Noto Sans CJK JP", "Hangul": "Noto Sans CJK KR", "Bopomofo": "Noto Sans CJK TC",
  ]

  /// Fonts made for the script come before those that happen to have it, and sans-serif ones before others.
  private static func rank(_ family: String, _ script: String) -> (Int, Int, String) {
    let wanted = named[script] ?? "Noto Sans \(script)"
    let kind =
      family == wanted
      ? 0 : family.hasPrefix(wanted) ? 1 : family.hasPrefix("Noto Sans") ? 2 : family.hasPrefix("Noto") ? 3 : 4
    return (kind, family.count, family)
  }
}
