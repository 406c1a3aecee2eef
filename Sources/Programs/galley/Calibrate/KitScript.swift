/// The script of most of the letters of a text.
enum KitScript: String, CaseIterable {
  case latin, greek, cyrillic, hebrew, arabic, devanagari, thai, hangul, kana, han, emoji, other

  /// The first and the last character of blocks of a script, without those of rare letters.
  private static let blocks: [(ClosedRange<UInt32>, KitScript)] = [
    (0x41...0x5a, .latin), (0x61...0x7a, .latin), (0xc0...0x24f, .latin), (0x370...0x3ff, .greek),
    (0x400...0x52f, .cyrillic), (0x590...0x5ff, .hebrew), (0x600...0x6ff, .arabic), (0x750...0x77f, .arabic),
    (0x900...0x97f, .devanagari), (0xe00...0xe7f, .thai), (0x1100...0x11ff, .hangul), (0x1e00...0x1eff, .latin),
    (0x1f00...0x1fff, .greek), (0x3040...0x30ff, .kana), (0x3400...0x4dbf, .han), (0x4e00...0x9fff, .han),
    (0xac00...0xd7a3, .hangul), (0xfb50...0xfdff, .arabic), (0x1f300...0x1faff, .emoji), (0x20000...0x323af, .han),
  ]

  /// Finds the script of a text. A text without letters is `other`. Of scripts with as many letters, the first one of
  /// `allCases` counts.
  init(_ text: String) {
    var counts: [KitScript: Int] = [:]
    for scalar in text.unicodeScalars {
      counts[Self.blocks.first { $0.0.contains(scalar.value) }?.1 ?? .other, default: 0] += 1
    }
    counts[.other] = nil
    let most = counts.values.max()
    self = Self.allCases.first { counts[$0] == most && most != nil } ?? .other
  }

  /// The name in reports: `Latin`.
  var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
