import Buffers
import SeededRandom
import Testing

@testable import TextMeasuring

/// The lines and characters of texts that were measured, without measuring them again.
@Suite struct RecordedLinesTests {
  private let book: FontBook

  init() throws { book = try ChromiumFonts().book }

  /// Prepares random texts, and calls `body` with the number of each and its characters.
  private func withRandomTexts(
    seed: UInt64, _ body: (_ measurer: inout TextMeasurer, _ random: inout SplitMix, _ texts: [ByteString]) -> Void
  ) {
    var random = SplitMix(seed: seed)
    var measurer = TextMeasurer(book: book)
    measurer.recordsLines = true
    let kept = (0..<20).map { index in
      ByteString(keeping: index % 4 == 0 ? "The bread came out dark" : random.text(length: Int(random.next() % 40)))
    }
    defer { for text in kept { UnsafeMutablePointer(mutating: text.start).deallocate() } }
    for text in kept {
      let run = TextRun(text: text, style: TextStyle(face: 0, size: 16))
      let options = random.options()
      _ = [run].withUnsafeBufferPointer { measurer.prepare($0, options) }
    }
    body(&measurer, &random, kept)
  }

  private func lines(_ measurer: inout TextMeasurer, _ text: Int) -> [TextLine] {
    var lines = FlatBuffer<TextLine>()
    measurer.appendLines(of: text, textScale: 1, truncatedTo: nil, to: &lines)
    return Array(lines.values)
  }

  @Test(arguments: 0..<UInt64(20)) func linesOfTheLastBoxAreFound(seed: UInt64) {
    withRandomTexts(seed: seed) { measurer, random, texts in
      var expected: [(width: Double, lines: [TextLine])] = []
      for text in texts.indices {
        let first = Double(random.next() % 200)
        let width = first + 0.5
        _ = measurer.measure(text, textScale: 1, maxWidth: first, maxHeight: .infinity)
        _ = measurer.measure(text, textScale: 1, maxWidth: width, maxHeight: .infinity)
        expected.append((width, lines(&measurer, text)))
      }
      for (text, expected) in zip(texts.indices, expected).reversed() {
        let found = [(1, expected.width - 0.5), (1.5, expected.width), (1, expected.width)].map { scale, width in
          measurer.findLines(of: text, textScale: scale, maxWidth: width, maxHeight: .infinity)
        }
        #expect(found == [false, false, true])
        let foundLines = lines(&measurer, text)
        #expect(foundLines == expected.lines)
      }
      measurer.removeAll()
    }
  }

  @Test func aMeasurementThatIsNotRecordedHasNoLines() {
    withRandomTexts(seed: 1) { measurer, _, _ in
      _ = measurer.measure(0, textScale: 1, maxWidth: 60, maxHeight: .infinity)
      let recorded = lines(&measurer, 0)
      measurer.recordsLines = false
      _ = measurer.measure(0, textScale: 1, maxWidth: 60, maxHeight: .infinity)
      let unrecorded = lines(&measurer, 0)
      #expect(!recorded.isEmpty && unrecorded.isEmpty)
    }
  }

  @Test(arguments: 0..<UInt64(20)) func charactersDrawnAsWrittenAreThoseOfTheRuns(seed: UInt64) {
    withRandomTexts(seed: seed) { measurer, _, texts in
      let asWritten = texts.indices.filter { measurer.isDrawnAsWritten($0) }
      #expect(!asWritten.isEmpty)
      for number in asWritten {
        var drawn = FlatBuffer<UInt8>()
        measurer.appendDrawnText(of: number, to: &drawn)
        #expect(Array(drawn.values) == Array(texts[number].bytes))
      }
    }
  }

  @Test(arguments: [[UInt8]]([[0x61, 0xff], [0xed, 0xa0, 0x80], [0x61, 0x0d, 0x0a], [0xc3]]))
  func charactersThatAreReplacedOrLeftOutAreNotDrawnAsWritten(bytes: [UInt8]) {
    var measurer = TextMeasurer(book: book)
    bytes.withUnsafeBytes { bytes in
      let run = TextRun(text: ByteString(bytes), style: TextStyle(face: 0, size: 16))
      let number = [run].withUnsafeBufferPointer { measurer.prepare($0, TextOptions()) }
      let isAsWritten = measurer.isDrawnAsWritten(number)
      #expect(!isAsWritten)
    }
  }
}
