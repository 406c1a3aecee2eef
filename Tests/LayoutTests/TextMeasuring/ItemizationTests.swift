import CHarfBuzz
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// The items into which texts are cut.
@Suite struct ItemizationTests {
  private struct Item: Equatable {
    var range: Range<Int32>
    var face: Int32
    var script: hb_script_t
    var startsInline: Bool
  }

  /// Returns the items of the units before `end`.
  private func items(
    of text: String, before end: Int32, _ style: TextStyle, _ platform: Platform, _ measurer: inout TextMeasurer
  ) -> [Item] {
    var options = TextOptions()
    options.platform = platform
    _ = measurer.prepareOnly(text, style, options)
    return measurer.store.prepared.items.values.filter { $0.start < end }.map {
      Item(
        range: $0.start..<min($0.end, end), face: $0.context.face, script: $0.context.script,
        startsInline: $0.startsInline)
    }
  }

  /// Letters that do not change an item are skipped, unless something in the text runs from right to left: then each character is looked
  /// at. Both have the same items.
  @Test func skippedLettersAreInTheItemsOfAllCharacters() throws {
    let fonts = try ChromiumFonts()
    var measurer = TextMeasurer(book: fonts.book)
    // Noto Sans CJK lacks ř, which it composes in Chromium, and Ł.
    let faces = [0, 1, 2, 3, 4, 5, fonts.face("Noto Sans CJK", 400)]
    var random = SplitMix(seed: 15)
    let pieces = [
      "word", "x", "1-2", "(a)", "…", "“q”", "été", "Ÿŵ", "×", "e\u{301}", "ü\u{308}", "щука", "й", "и\u{306}", "Ἀ",
      "αβγ",
      "ω\u{301}", "日本", "語。", "か\u{3099}", "テスト", "ー", "한국", "สวัสดี", "नमस्ते", "😀", "👩🏽", "❤️", "\u{ad}", "\u{200d}", "\t",
      " ", " ", " ", "\n", "Ա", "ª", "ř", "Łř",
    ]
    var count = 0
    for number in 0..<4000 {
      // Characters without a script have that of the first one, not that of the text's end.
      let text =
        ["a", "ж", "日"][random.below(3)]
        + (0..<1 + random.below(10)).map { _ in pieces[random.below(pieces.count)] }.joined()
      let end = Int32(text.utf16.count)
      let style = TextStyle(face: faces[random.below(faces.count)], size: 15, lineHeight: 20)
      let platform = [Platform.texture, .web, .webkit, .firefox][random.below(4)]
      let skipped = items(of: text + "\nx", before: end, style, platform, &measurer)
      let examined = items(of: text + "\nא", before: end, style, platform, &measurer)
      #expect(skipped == examined, "text \(number) \(platform): \(text.debugDescription)")
      count += skipped.count
    }
    #expect(count > 10_000)
  }
}
