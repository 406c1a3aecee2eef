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
}
