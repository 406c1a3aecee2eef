import Buffers
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// The decoding of UTF-8.
@Suite struct DecodingTests {
  /// Bytes that are not UTF-8 become as many U+FFFD as in the standard library and in browsers.
  @Test func malformedBytesAreDecodedAsInTheStandardLibrary() {
    var random = SplitMix(seed: 11)
    // Bytes at the limits of the ranges for the first and later bytes of sequences.
    let bytes: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xee, 0xef, 0xf0,
      0xf1, 0xf4, 0xf5, 0xff,
    ]
    for _ in 0..<50_000 {
      let text = (0..<(1 + random.next() % 8)).map { _ in bytes.randomElement(using: &random) ?? 0 }
      text.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        let scalars = Array(Scalars(ByteString(start: start, count: buffer.count)))
        #expect(scalars == String(decoding: text, as: UTF8.self).unicodeScalars.map(\.value), "\(text)")
      }
    }
  }

  /// White space with a newline vanishes beside U+200B, also between runs.
  @Test(arguments: [
    ["ab \n \u{200b}cd"]: "ab\u{200b}cd", ["ab\u{200b}\t\n cd"]: "ab\u{200b}cd",
    ["ab\n", "\u{200b}cd"]: "ab\u{200b}cd", ["ab\u{200b}", "\ncd"]: "ab\u{200b}cd",
    ["a\n\u{200b} b"]: "a\u{200b} b", ["a \u{200b}b"]: "a \u{200b}b",
    ["\n\u{200b}b"]: "\u{200b}b", ["a\nb"]: "a b",
  ])
  func newlinesBesideZeroWidthSpacesAreLeftOut(parts: [String], units: String) {
    var prepared = PreparedTexts()
    prepared.units.append(0x20)
    var decoder = TextDecoder()
    withRuns(parts.map { ($0, TextStyle(face: 0, size: 15)) }) { decoder.decode($0, .collapse, into: &prepared) }
    #expect(String(decoding: prepared.units.values.dropFirst(), as: UTF16.self) == units)
    #expect(decoder.runEnds.values.last == prepared.units.count)
    #expect(decoder.runEnds.values.allSatisfy { $0 <= prepared.units.count })
  }
}
