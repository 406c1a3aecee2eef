import SeededRandom
import Testing

@testable import Buffers

@Suite struct ByteStringTests {
  @Test func byteStringsAreEqualIfTheirBytesAre() {
    var random = SplitMix(seed: 1)
    for _ in 0..<20_000 {
      // There are few different letters, so that many strings are equal, and changes at any offset.
      let length = Int(random.next() % 40)
      let a = (0..<length).map { _ in UInt8(random.next() % 2) }
      var b = a
      if length > 0 && random.next() % 2 == 0 { b[Int(random.next() % UInt64(length))] = UInt8(random.next() % 2) }
      if random.next() % 8 == 0 { b.append(0) }
      withByteStrings(a, b) { x, y in
        #expect((x == y) == (a == b))
        if a == b { #expect(x.mixed(with: 7) == y.mixed(with: 7)) }
      }
    }
  }

  /// The strings have the same length and differ in one byte, or consist of zeros and differ in length.
  @Test func hashesOfDifferentBytesDiffer() {
    var hashes: Set<UInt64> = []
    var strings: [[UInt8]] = (0..<32).map { [UInt8](repeating: 0, count: $0) }
    for length in 1..<32 {
      for offset in 0..<length {
        for byte in UInt8(1)...20 {
          var bytes = [UInt8](repeating: 0, count: length)
          bytes[offset] = byte
          strings.append(bytes)
        }
      }
    }
    for bytes in strings { withByteStrings(bytes, []) { string, _ in hashes.insert(string.mixed(with: 1)) } }
    #expect(hashes.count == strings.count)
  }

  private func withByteStrings(_ a: [UInt8], _ b: [UInt8], _ body: (ByteString, ByteString) -> Void) {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in body(ByteString(a), ByteString(b)) } }
  }
}
