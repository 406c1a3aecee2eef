import Buffers
import CHarfBuzz
import SeededRandom
import Testing

@testable import TextMeasuring

/// The stretches into which texts are cut.
@Suite struct StretchesTests {
  @Test func plainStretchesHaveOnlyPlainUnits() {
    var random = SplitMix(seed: 10)
    let others: [UInt16] = [0x09, 0, 0x1f, 0x7f, 0x80, 0xa0, 0xad, 0xd7, 0x180, 0x2013, 0x2028, 0x4e00, 0x7f41, 0xd83d]
    for _ in 0..<50_000 {
      var units = (0..<1 + random.below(40)).map { _ in
        random.below(5) == 0
          ? UInt16(0x20) : UInt16(random.below(3) == 0 ? 0xc0 + random.below(23) : 0x61 + random.below(26))
      }
      for _ in 0..<random.below(3) { units[random.below(units.count)] = others[random.below(others.count)] }
      var stretches = Stretches(units, 0..<units.count, maxPlain: .max)
      var end = 0
      var last: Bool?
      while let stretch = stretches.next() {
        #expect(stretch.range.lowerBound == end && !stretch.range.isEmpty)
        #expect(last == nil || end > 1 && units[end - 1] == 0x20)
        let isPlain = units[stretch.range].allSatisfy { !others.contains($0) }
        #expect(
          stretch.isPlain == isPlain || !stretch.isPlain && stretch.range.count <= 1, "\(units) in \(stretch.range)")
        (end, last) = (stretch.range.upperBound, stretch.isPlain)
      }
      #expect(end == units.count)
    }
  }

  /// Plain stretches are cut by tables. The segments are those that are found for stretches of any characters.
  @Test func plainStretchesHaveTheSegmentsOfAnyStretch() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 12)
    let pieces = [
      "the", "Tavern", "AVATAR", "x-1", "-5", "a-", "5%", "$4", "(note)", "[1]", "\"so\"", "it's", "...", "/home/user",
      "a?b", "!",
      "été", "Äpfel", "Øst", "ÿ", "łódź", "ŵ", "don’t", "“quoted”", "‘a’", "«mot»", "»so«", "‹x›", "¡Hola!", "¿Qué?",
      "wait…what", "…",
      "so—then", "—", "é(", ")é", "é!", "é/é", "é,é", "1é", "é1", "é%", "+é", "é|é", "}é", "é{", "é\\", "é&", "$¿5",
      "%¡5", "+¿a", "’5",
      "”,", "…)", "é-é",
    ]
    var others = 0
    for number in 0..<6000 {
      var text = ""
      for _ in 0..<1 + random.below(12) {
        text += random.below(6) == 0 ? random.plainText(1 + random.below(5)) : pieces[random.below(pieces.count)]
        text += ["", " ", " ", " ", "  ", "\n"][random.below(6)]
      }
      var options = random.options()
      options.platform = [.texture, .web, .webkit, .firefox][random.below(4)]
      options.calibration.roundsAdvances = random.below(4) == 0
      let style = TextStyle(
        face: Int32(random.below(6)), size: 15, lineHeight: 20, letterSpacing: random.below(4) == 0 ? 0.5 : 0)
      let prepared = measurer.store.prepared.texts[measurer.prepareOnly(text, style, options)]
      let cut = Array(measurer.store.prepared.segments.values)
      guard let first = cut.first else { continue }
      measurer.store.prepared.segments.removeAll()
      var cursor = SegmentCutter.Cursor(item: measurer.store.itemIndex(at: first.start, prepared))
      measurer.lineFiller.cutter.cutOther(
        Int(first.start)..<prepared.unitCount, prepared, &cursor, startsText: true, &measurer.store)
      let general = Array(measurer.store.prepared.segments.values)
      #expect(
        cut.elementsEqual(general, by: Segment.haveSameValues),
        "text \(number) \(options.platform): \(text.debugDescription)")
      others += text.unicodeScalars.allSatisfy(\.isASCII) ? 0 : 1
    }
    #expect(others > 3000)
  }
}

extension SplitMix {
  private static let plainCharacters = (0x21...0x203a as ClosedRange<UInt16>).filter {
    PlainCharacters.number(of: $0) != PlainCharacters.none
  }

  /// Returns a text of random plain characters.
  fileprivate mutating func plainText(_ count: Int) -> String {
    let characters = Self.plainCharacters
    return String(decoding: (0..<count).map { _ in characters[below(characters.count)] }, as: UTF16.self)
  }
}

extension Segment {
  static func haveSameValues(_ a: Segment, _ b: Segment) -> Bool {
    (a.advance, a.space, a.advanceSpacing, a.spaceSpacing, a.joining, a.endTrim)
      == (b.advance, b.space, b.advanceSpacing, b.spaceSpacing, b.joining, b.endTrim)
      && (a.start, a.spaceStart, a.end, a.metrics, a.traits) == (b.start, b.spaceStart, b.end, b.metrics, b.traits)
  }
}
