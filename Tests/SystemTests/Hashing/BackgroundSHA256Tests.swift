import Buffers
import Hashing
import SeededRandom
import Testing

/// Tests of hashes that another thread computes.
@Suite struct BackgroundSHA256Tests {
  /// The largest block has huge pages.
  @Test(arguments: [0, 1, 4095, 5 << 20])
  func theHashIsThatOfTheBytes(count: Int) throws {
    var random = SplitMix(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let block = ByteBlock(count: count) { $0.copyBytes(from: bytes) }
    let hash = BackgroundSHA256(block)
    #expect(block.withBytes { Array($0.bytes) == bytes })
    let expected = bytes.withUnsafeBytes { SHA256.hash($0) }
    #expect(hash.value == expected)
    #expect(hash.value == expected)
  }
}
