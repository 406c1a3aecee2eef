import Buffers
import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// Properties that hold for random texts, boxes and fonts.
@Suite struct MeasurerFuzzTests {
  private static let widths: [Double] = [0, -1, .nan, .infinity, 1e-300, 1e300, 7, 40, 133.3, 240, 390]

  /// The first cluster of the second font does not fit behind the first one, also when it is shaped at the end of a line.
  @Test func aLineThatEndsBetweenFontsIsNotWiderThanItsBox() throws {
    let fonts = try ChromiumFonts()
    var measurer = TextMeasurer(book: fonts.book)
    let runs = [("break", 700), ("AVAVAVAVAV", 400)].map { text, weight in
      (text, TextStyle(face: fonts.face("Inter", weight), size: 16))
    }
    let prepared = withRuns(runs) { measurer.prepare($0, TextOptions(.web)) }
    let widths = [50, 54.25].map {
      measurer.measure(prepared, textScale: 1, maxWidth: $0, maxHeight: .infinity).width
    }
    // The longest line is in the second font.
    #expect(widths.allSatisfy { abs($0 - 49.91) < 0.01 }, "\(widths)")
  }

  @Test func linesContainTheWholeTextInAnyBox() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var random = SplitMix(seed: 20_261_121)
    for number in 0..<200 {
      let text = random.text(length: Int(random.next() % 60))
      let options = random.options()
      withRun(text, letterSpacing: Double(random.next() % 3)) { run in
        measurer.removeAll()
        let prepared = measurer.prepare(run, options)
        let count = measurer.store.prepared.texts[prepared].unitCount
        for width in Self.widths {
          let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
          #expect(measured.width.isFinite && measured.height.isFinite, "text \(number)")
          let ends = measurer.lineEnds.map { Int($0.unit) }
          #expect(ends == ends.sorted(), "text \(number) in \(width)")
          #expect(Int(measured.lines) == ends.count)
          #expect(measured.isTruncated || ends.isEmpty || ends.last == count, "text \(number) in \(width)")
          // Measuring a text again has the same result, also after other widths.
          #expect(
            measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity) == measured,
            "text \(number) in \(width)")
        }
      }
    }
  }

  /// Filling a line again for its hyphen ends, and no two lines contain the same units.
  @Test func linesContainTheWholeTextWithAnySoftHyphens() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var random = SplitMix(seed: 29)
    let pieces = [
      "\u{ad}", "\u{ad}", "\u{ad}", "a", "W", "i", " ", "-", "\n", "\u{301}", "漢", "」", "ש", "ก", "\u{7f}", "😀",
    ]
    for number in 0..<1500 {
      let text = (0..<1 + random.below(24)).map { _ in pieces[random.below(pieces.count)] }.joined()
      let options = random.options()
      withRun(text, letterSpacing: Double(random.below(2))) { run in
        measurer.removeAll()
        let prepared = measurer.prepare(run, options)
        let count = measurer.store.prepared.texts[prepared].unitCount
        for width in [0, 3, 7, 12, 21.5, 40, 90, .infinity] {
          let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
          let ends = measurer.lineEnds.map { Int($0.unit) }
          #expect(ends == Set(ends).sorted(), "text \(number) in \(width)")
          #expect(Int(measured.lines) == ends.count)
          #expect(measured.isTruncated || ends.isEmpty || ends.last == count, "text \(number) in \(width)")
        }
      }
    }
  }

  /// Firefox rounds advances at the size at which they are shown.
  @Test func aTruncationStringHasTheScaleOfItsText() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var options = TextOptions(.firefox)
    options.maximumNumberOfLines = 1
    withRun("words that are cut") { run in
      let text = measurer.prepare(run, options, textScale: 1.35)
      let expected = measurer.measure(text, textScale: 1.35, maxWidth: 90, maxHeight: .infinity)
      let truncation = measurer.truncationWidth(of: text)
      #expect(expected.isTruncated)
      measurer.removeAll()
      let again = measurer.prepare(run, options, textScale: 1.35)
      _ = measurer.prepare(run, options, textScale: 1)
      let found = measurer.truncationWidth(of: again)
      #expect(found == truncation)
      let measured = measurer.measure(again, textScale: 1.35, maxWidth: 90, maxHeight: .infinity)
      #expect(measured == expected)
    }
  }

  /// The advances of words become sums of those of their pairs when enough words are known. Rests that are cut again begin anywhere.
  @Test func textsHaveTheSameLinesWhateverTextsWereMeasuredBefore() throws {
    let book = try ChromiumFonts().book
    func measure(_ words: [String]) -> TextMeasurer {
      var measurer = TextMeasurer(book: book)
      measurer.recordsLines = true
      for word in words { withRun(word) { _ = measurer.prepare($0, TextOptions()) } }
      return measurer
    }
    var random = SplitMix(seed: 256)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCTVWY")
    func word(_ random: inout SplitMix) -> String {
      String((0..<1 + random.below(7)).map { _ in letters[random.below(letters.count)] })
    }
    var warm = measure((0..<400).map { _ in word(&random) })
    let pieces = ["\t", "é\t", "าย", "ភាសាខ្មែរ", "\n", "e-mal.", "漢"]
    for number in 0..<300 {
      let text =
        "าย "
        + (0..<8 + random.below(24)).map { _ in
          random.below(4) == 0 ? pieces[random.below(pieces.count)] : word(&random) + (random.below(3) > 0 ? " " : "")
        }.joined()
      var options = random.options()
      options.css.wordBreak = random.below(3) == 0 ? .normal : .breakAll
      var cold = measure([])
      withRun(text) { run in
        warm.removeAll()
        let prepared = (cold.prepare(run, options), warm.prepare(run, options))
        for _ in 0..<40 {
          let width = 20 + Double(random.below(64 * 150)) / 64
          let expected = cold.measure(prepared.0, textScale: 1, maxWidth: width, maxHeight: .infinity)
          let found = warm.measure(prepared.1, textScale: 1, maxWidth: width, maxHeight: .infinity)
          #expect(found == expected, "text \(number) in \(width): \(text.debugDescription)")
        }
      }
    }
  }

  /// Plain ASCII is prepared by a phase of its own, which must have the same results as the phases for any text.
  @Test func plainTextsHaveTheSameLinesOnBothPaths() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var random = SplitMix(seed: 11)
    var plainTexts = 0
    for number in 0..<800 {
      let texts = (0..<1 + random.below(4)).map { _ in
        let words = (0..<1 + random.below(6)).map { _ in
          String((0..<1 + random.below(9)).map { _ in "abcdefgTVWAyo'(),.-/?!5".randomElement(using: &random) ?? "a" })
        }
        let spaces = random.below(8) == 0 ? "  " : random.below(8) == 0 ? "\n" : " "
        return random.below(12) == 0 ? "" : "x" + words.joined(separator: spaces) + (random.below(10) == 0 ? "" : " ")
      }
      let styled = texts.map { text in
        (
          text,
          TextStyle(
            face: Int32(random.below(4)), size: 12 + Double(random.below(3)) * 1.5,
            lineHeight: random.below(2) == 0 ? 20 : .nan, letterSpacing: random.below(4) == 0 ? 0.5 : 0)
        )
      }
      withRuns(styled) { runs in
        let options = random.options()
        guard measurer.store.isPlainAscii(runs, options.whiteSpace) else { return }
        plainTexts += 1
        measurer.removeAll()
        let plain = measurer.prepare(runs, options, textScale: 1, isPlainAscii: true)
        let general = measurer.prepare(runs, options, textScale: 1, isPlainAscii: false)
        for width in Self.widths {
          let lines = [plain, general].map { text in
            let measured = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
            return (measured, measurer.glyphLines(of: text, textScale: 1).map(\.text))
          }
          #expect(lines[0].0 == lines[1].0, "text \(number) in \(width): \(texts)")
          #expect(lines[0].1 == lines[1].1, "text \(number) in \(width): \(texts)")
        }
      }
    }
    #expect(plainTexts > 200)
  }

  /// Words, pairs, ideographs and their kerning are measured once. What is known then does not change a text.
  @Test func textsHaveTheSameSegmentsWhateverWasMeasuredBefore() throws {
    let book = try ChromiumFonts().book
    var warm = TextMeasurer(book: book)
    var random = SplitMix(seed: 17)
    let pieces = [
      "言葉", "ですから、", "「引用」", "カタカナー", "ァィ", "한국어", "漢。", "ヴェ", "々", "〜", "か゛", "が", "word", "naïve", "Tavern", "слово",
      "AVA", "العربية", "😍", "ไทย", "5%", "x-1", "…", "’s",
    ]
    for number in 0..<1500 {
      var text = ""
      for _ in 0..<1 + random.below(10) {
        text += pieces[random.below(pieces.count)] + ["", "", " ", "\n", "\u{3000}"][random.below(5)]
      }
      var options = random.options()
      options.platform = [.texture, .web, .webkit, .firefox][random.below(4)]
      options.calibration.roundsAdvances = random.below(4) == 0
      let isSpaced = random.below(4) == 0
      let face = Int32(random.below(6))
      let style = TextStyle(face: face, size: 15, lineHeight: 20, letterSpacing: isSpaced ? 0.5 : 0)
      func segments(_ measurer: inout TextMeasurer) -> [Segment] {
        _ = measurer.prepareOnly(text, style, options)
        return Array(measurer.store.prepared.segments.values)
      }
      let second = segments(&warm)
      guard number % 5 == 0 else { continue }
      var cold = TextMeasurer(book: book)
      let first = segments(&cold)
      #expect(
        first.elementsEqual(second, by: Segment.haveSameValues),
        "text \(number): \(text.debugDescription)")
    }
  }

  /// A collapsing space at the start of a text is not shown, and does not kern with the text before it.
  @Test func preparingATextDoesNotChangeEarlierTexts() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var options = TextOptions()
    options.whiteSpace = .collapse
    var kerning = 0
    for face in measurer.store.book.faces.indices where measurer.store.book.faces[face].coversAscii {
      for letter in 0x41...0x5a as ClosedRange<UInt8> {
        measurer.removeAll()
        for (number, text) in ["before", " " + String(UnicodeScalar(letter)) + "ord"].enumerated() {
          withRuns([(text, TextStyle(face: Int32(face), size: 16))]) { _ = measurer.prepare($0, options) }
          #expect(measurer.store.prepared.segments[0].space == 0, "\(letter) in face \(face), text \(number)")
        }
        let spaceKerning = SpaceKerning(measurer.store.prepared.items.base, measurer.store.shaper)
        kerning += spaceKerning.width(before: UInt16(letter), measurer.store.shaper) ?? 0 == 0 ? 0 : 1
      }
    }
    #expect(kerning > 0)
  }

  /// Lines are filled greedily, so that a wider box never has more of them if no word is broken.
  @Test func widerBoxesNeverHaveMoreLines() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 7)
    for number in 0..<500 {
      let letters: [Character] = Array("abcdefgTVWAéд")
      let words = (0..<3 + random.below(30)).map { _ -> String in
        String((0..<1 + random.below(8)).map { _ -> Character in letters[random.below(letters.count)] })
      }
      withRun(words.joined(separator: " ")) { run in
        measurer.removeAll()
        let prepared = measurer.prepare(run, TextOptions())
        var last = Int32.max
        for width in stride(from: 170.0, to: 600, by: 3.7) {
          let lines = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity).lines
          #expect(lines <= last, "text \(number) in \(width)")
          last = lines
        }
      }
    }
  }

  /// Limits of lines and of height cut a text in the same way.
  @Test(arguments: [WhiteSpace.preserve, .collapse])
  func aTextCutByHeightMeasuresAsOneCutByLines(whiteSpace: WhiteSpace) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    var random = SplitMix(seed: 13)
    var cuts = 0
    for number in 0..<400 {
      withRun(random.text(length: 10 + random.below(80))) { run in
        for limit in 1...3 as ClosedRange<Int32> {
          var options = TextOptions()
          options.whiteSpace = whiteSpace
          measurer.removeAll()
          let byHeight = measurer.prepare(run, options)
          options.maximumNumberOfLines = limit
          let byLines = measurer.prepare(run, options)
          for width in [40, 133.3, 240] {
            let height = Double(limit) * run[0].style.lineHeight + 1
            let first = measurer.measure(byHeight, textScale: 1.5, maxWidth: width, maxHeight: 1.5 * height)
            #expect(measurer.lineEnds.count == Int(first.lines))
            var second = measurer.measure(byLines, textScale: 1.5, maxWidth: width, maxHeight: .infinity)
            // A text of one line at most has it in any box.
            if limit == 1 { second.margins = first.margins }
            #expect(first == second, "text \(number) in \(width)")
            cuts += first.isTruncated ? 1 : 0
          }
        }
      }
    }
    #expect(cuts > 1000)
  }

  /// The width of a text that is cut includes its truncation string.
  @Test func theWidthOfATextCutByHeightIncludesItsTruncationString() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    withRun("two\nlines") { run in
      let prepared = measurer.prepare(run, TextOptions())
      let whole = measurer.measure(prepared, textScale: 1, maxWidth: 200, maxHeight: 100)
      let cut = measurer.measure(prepared, textScale: 1, maxWidth: 200, maxHeight: 30)
      #expect(!whole.isTruncated && cut.isTruncated && cut.lines == 1)
      let word = measurer.lineWidth("two", run[0].style)
      let ellipsis = measurer.lineWidth("\u{2026}", run[0].style)
      #expect(abs(cut.width - word - ellipsis) < 0.001)
    }
  }

  /// In a box of its measured width, a text has the same number of lines.
  @Test func aTextFitsTheWidthThatItMeasures() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 3)
    for number in 0..<1000 {
      let text = random.text(length: Int(random.next() % 60))
      withRun(text) { run in
        measurer.removeAll()
        let prepared = measurer.prepare(run, TextOptions())
        let free = measurer.measure(prepared, textScale: 1, maxWidth: 200, maxHeight: .infinity)
        let tight = measurer.measure(prepared, textScale: 1, maxWidth: free.width, maxHeight: .infinity)
        #expect(tight.lines <= free.lines || free.width == 0, "text \(number): \(free.lines), then \(tight.lines)")
      }
    }
  }

  /// Long texts are measured in a time proportional to their length, also in boxes in which every cluster is a line.
  @Test(arguments: ["a", "word ", "漢字、", "กรุงเทพ", "a\u{ad}", "שלום a ", "-1 "])
  func longTextsAreMeasuredInProportionalTime(piece: String) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    measurer.recordsLines = true
    let text = String(repeating: piece, count: 20_000 / piece.utf16.count)
    withRun(text) { run in
      let prepared = measurer.prepare(run, TextOptions())
      for width in [1.0, 200] {
        let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
        #expect(Int(measured.lines) == measurer.lineEnds.count)
        #expect(
          Int(measurer.lineEnds[measurer.lineEnds.count - 1].unit) == measurer.store.prepared.texts[prepared].unitCount)
      }
    }
  }

  /// Advances of millions of glyphs do not fit in 32 bits.
  @Test func aWordOfMillionsOfLettersHasAWidth() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    withRun(String(repeating: "a", count: 2_000_000)) { run in
      let prepared = measurer.prepare(run, TextOptions())
      let measured = measurer.measure(prepared, textScale: 1, maxWidth: .infinity, maxHeight: .infinity)
      #expect(measured.width > 10_000_000)
    }
  }

  @Test func brokenFontFilesAreErrorsOrMeasureTexts() throws {
    let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path("Roboto-Regular.ttf"))))
    var random = SplitMix(seed: 5)
    for number in 0..<200 {
      var bytes = good
      if number % 2 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      for _ in 0..<(1 + random.next() % 200) where !bytes.isEmpty {
        // The table directory and the headers of tables are changed more often than the outlines.
        let end = random.next() % 4 == 0 ? bytes.count : min(bytes.count, 1024)
        bytes[Int(random.next() % UInt64(end))] = UInt8(truncatingIfNeeded: random.next())
      }
      bytes.withUnsafeBufferPointer { buffer in
        let file = ByteString(start: buffer.baseAddress ?? UnsafePointer(bitPattern: 1)!, count: buffer.count)
        guard let book = try? FontBook([.init(file: file, index: 0, weight: 0)], fallback: []) else { return }
        var measurer = TextMeasurer(book: book)
        withRun("The bread came out – a little dark 焼けた") { run in
          let prepared = measurer.prepare(run, TextOptions())
          let measured = measurer.measure(prepared, textScale: 1, maxWidth: 120, maxHeight: .infinity)
          #expect(measured.lines >= 1)
        }
      }
    }
  }
}

extension TextMeasurer {
  fileprivate mutating func lineWidth(_ string: String, _ style: TextStyle) -> Double {
    let text = withRuns([(string, style)]) { prepare($0, TextOptions()) }
    return measure(text, textScale: 1, maxWidth: .infinity, maxHeight: .infinity).width
  }
}
