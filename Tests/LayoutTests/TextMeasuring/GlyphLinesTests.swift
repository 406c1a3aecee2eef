import Buffers
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// The glyphs of measured lines.
@Suite struct GlyphLinesTests {
  private let book: FontBook

  init() throws { book = try ChromiumFonts().book }

  /// Returns the glyphs of a text in Inter of 16 points, its measurement, and the widths and characters of its lines.
  private func lines(
    _ text: String, width: Double = .infinity, letterSpacing: Double = 0, maximumNumberOfLines: Int32 = 0,
    textScale: Double = 1, whiteSpace: WhiteSpace = .preserve
  ) -> (lines: [GlyphLine], measured: TextMeasurement, widths: [Double], shown: [String]) {
    var measurer = TextMeasurer(book: book)
    measurer.recordsLines = true
    var options = TextOptions()
    options.maximumNumberOfLines = maximumNumberOfLines
    options.whiteSpace = whiteSpace
    let number = measurer.prepareOnly(text, TextStyle(face: 0, size: 16, letterSpacing: letterSpacing), options)
    let measured = measurer.measure(number, textScale: textScale, maxWidth: width, maxHeight: .infinity)
    let lines = measurer.glyphLines(
      of: number, textScale: textScale, truncatedTo: measured.isTruncated ? width : nil)
    var shown = FlatBuffer<TextLine>()
    measurer.appendLines(of: number, textScale: textScale, truncatedTo: nil, to: &shown)
    return (lines, measured, shown.values.map(\.width), lines.map(\.text))
  }

  private func glyph(_ character: Unicode.Scalar) -> UInt32 {
    lines("a\(character)b").lines[0].glyphs[1].key.glyph
  }

  @Test(arguments: [
    "The bread came out a little dark today, AVA To. We", "co\u{ad}operate with what is be\u{ad}hind it",
    "今日は「朝」から雨。駅前の（喫茶店）で", "שלום עולם, זה טקסט בעברית (עם סוגריים) 3.14", "مرحبا بالعالم هذا نص English 123",
    "สวัสดีชาวโลก नमस्ते दुनिया", "flags 🇩🇪 and families 👩‍👩‍👧‍👦 and e\u{301}", "two\n\nparagraphs\tand a tab",
  ])
  func linesAreDrawnAsWideAsTheyWereMeasured(text: String) {
    for (width, spacing) in [(Double.infinity, 0.0), (120, 0), (75, 0), (120, 1.5), (20, 0)] {
      let (lines, measured, widths, shown) = lines(text, width: width, letterSpacing: spacing, textScale: 1.25)
      #expect(lines.count == Int(measured.lines) && lines.count == shown.count)
      for (line, expected) in zip(lines, widths) {
        // Each stretch between items can be rounded up by 1/64 point.
        #expect((line.width - expected).magnitude < 1, "\(text) in \(width): \(line.width), measured \(expected)")
      }
    }
  }

  @Test func glyphsOfLeftToRightTextHaveAscendingPositions() {
    let line = lines("Hello").lines[0]
    #expect(line.glyphs.map(\.x) == line.glyphs.map(\.x).sorted())
    #expect(line.glyphs.first?.x == 0 && !line.isRightToLeft)
    #expect(line.glyphs.count == 5)
  }

  @Test func aRightToLeftParagraphIsAtTheRightWithItsGlyphsInVisualOrder() {
    let line = lines("אב c").lines[0]
    #expect(line.isRightToLeft)
    // From left to right: c, the space, ב, א.
    #expect(line.glyphs.map(\.key.glyph) == [glyph("c"), glyph(" "), glyph("ב"), glyph("א")])
    #expect(line.glyphs.map(\.x) == line.glyphs.map(\.x).sorted())
  }

  /// They are counted from the start of the line, also where the truncation string is at the left end.
  @Test func tabStopsOfARightToLeftParagraphAreCountedFromTheRight() {
    let text = "אב\there"
    let (line, word) = (lines(text).lines[0], lines("here").lines[0])
    #expect(zip(line.glyphs, word.glyphs).allSatisfy { $0.key == $1.key && $0.x == $1.x }, "at the left end")
    let cut = lines(text + " sugarsugarsugar", width: 110, maximumNumberOfLines: 1).lines[0]
    #expect(cut.text == text && cut.glyphs[0].key.glyph == glyph("…"))
    let expected = line.width + lines("…").lines[0].width
    #expect((cut.width - expected).magnitude < 0.1, "\(cut.width), not \(expected)")
  }

  @Test func numbersInRightToLeftTextKeepTheirOrder() {
    let line = lines("אב 12").lines[0]
    #expect(line.glyphs.map(\.key.glyph) == [glyph("1"), glyph("2"), glyph(" "), glyph("ב"), glyph("א")])
  }

  @Test func aRightToLeftWordInALeftToRightParagraphStaysInPlace() {
    let line = lines("a אב!").lines[0]
    #expect(!line.isRightToLeft)
    #expect(line.glyphs.map(\.key.glyph) == [glyph("a"), glyph(" "), glyph("ב"), glyph("א"), glyph("!")])
  }

  /// Between two Hebrew words, the hyphen of "-3" is from right to left, also where it begins a line.
  @Test(arguments: [Double.infinity, 20])
  func runsHaveTheLevelsOfTheWholeText(width: Double) {
    let runs = lines("Hi אב -3 אב", width: width).lines.flatMap(\.runs)
    let levels = runs.flatMap { run in run.text.filter { $0 != " " }.map { _ in run.level } }
    #expect(levels == [0, 0, 1, 1, 1, 2, 1, 1])
  }

  @Test func eachParagraphHasItsOwnDirection() {
    #expect(lines("אב\nab\nאב").lines.map(\.isRightToLeft) == [true, false, true])
  }

  @Test func bracketsAreMirroredFromRightToLeft() {
    let line = lines("(א)").lines[0]
    let mirrored = lines("a(א").lines[0].glyphs[1].key.glyph
    #expect(line.glyphs.first?.key.glyph == mirrored, "an opening bracket on the left")
  }

  @Test func aTruncatedLineEndsWithItsEllipsisAndFits() {
    let (lines, measured, _, _) = lines("The bread came out a little dark today", width: 120, maximumNumberOfLines: 2)
    #expect(measured.isTruncated && lines.count == 2)
    #expect(lines[1].glyphs.last?.key.glyph == glyph("…"))
    #expect(lines[1].width <= 120)
    let hebrew = self.lines("שלום עולם זה טקסט בעברית", width: 90, maximumNumberOfLines: 1).lines[0]
    #expect(hebrew.glyphs.first?.key.glyph == glyph("…"), "at the left end")
    #expect(hebrew.width <= 90)
  }

  /// Inter has kerning between a comma and a space.
  @Test func theRestOfABrokenWordIsShapedWithTheSpaceAfterIt() {
    let (_, _, whole, _) = lines("XX, a", width: 32)
    let (_, _, widths, shown) = lines("MAXX, a", width: whole[0] + 0.01)
    #expect(shown == ["MA", "XX,", "a"] && widths[1] == whole[0])
  }

  @Test func aLineThatEndsAtASoftHyphenShowsAHyphen() {
    let (lines, _, _, _) = lines("co\u{ad}operate", width: 40)
    #expect(lines[0].glyphs.last?.key.glyph == glyph("\u{2010}"))
  }

  @Test func collapsedSpacesAreNotDrawn() {
    for text in ["  a  b ", "\n a\tb", " à  b"] {
      let (lines, _, widths, shown) = lines(text, whiteSpace: .collapse)
      #expect(shown.map(\.count) == [3])
      #expect(lines.count == 1 && lines[0].glyphs.count == 3, "\(text.debugDescription)")
      #expect(lines[0].glyphs[0].x == 0 && (lines[0].width - widths[0]).magnitude < 0.1)
    }
  }

  @Test func baselinesAreALineHeightApart() {
    let (lines, measured, _, _) = lines("one two three", width: 50)
    #expect(lines.count == 3)
    #expect(lines[0].baseline == measured.ascender)
    #expect(lines[1].baseline - lines[0].baseline == measured.height / 3)
    #expect(lines[2].baseline == measured.height + measured.descender)
  }

  @Test func glyphsHaveOutlinesOrBitmapsButSpacesHaveNeither() throws {
    let measurer = TextMeasurer(book: book)
    let glyphs = lines("o 😀").lines[0].glyphs
    guard case .outline(let path)? = measurer.picture(of: glyphs[0].key) else {
      Issue.record("a letter has an outline")
      return
    }
    #expect(path.hasPrefix("M") && path.hasSuffix("Z"))
    #expect(measurer.picture(of: glyphs[1].key) == nil)
    guard case .bitmap(let png, _, let y, let width, let height)? = measurer.picture(of: glyphs[2].key) else {
      Issue.record("an emoji has a bitmap")
      return
    }
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    #expect(y < 0 && width > 0 && height > 0)
  }

  @Test func randomTextsHaveADrawingForEachLine() {
    var random = SplitMix(seed: 3)
    let alphabet = Array("ab (1)\u{ad}-\t\nאבمر今。ไท😀\u{200d}\u{301}\u{2067}\u{202e}")
    for _ in 0..<300 {
      let text = String((0..<random.below(40)).map { _ in alphabet[random.below(alphabet.count)] })
      for width in [0, 30, 200, Double.infinity] {
        let (lines, measured, _, _) = lines(text, width: width, maximumNumberOfLines: Int32(random.below(3)))
        #expect(lines.count == Int(measured.lines), "\(text.debugDescription) in \(width)")
        #expect(lines.allSatisfy { $0.width.isFinite && $0.baseline.isFinite })
      }
    }
  }
}
