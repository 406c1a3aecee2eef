import Buffers
import Hashing
import SeededRandom
import Synchronization
import Testing

/// Tests of hashes that another thread computes.
@Suite struct BackgroundSHA256Tests {
  /// The largest block has huge pages.
  @Test(arguments: [0, 1, 4095, 5 << 20])
  func theHashIsThatOfTheParts(count: Int) throws {
    var random = SplitMix(seed: UInt64(count))
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    let parts = [bytes[..<(count / 3)], bytes[(count / 3)...]].map { OwnedBytes(copying: Array($0)) }
    let finished = Mutex<[UInt8]>([])
    let hash = BackgroundSHA256(parts) { hash in finished.withLock { $0 = hash } }
    #expect(OwnedBytes(joining: parts).withBytes { Array($0) == bytes })
    let expected = bytes.withUnsafeBytes { SHA256.hash($0) }
    #expect(hash.value == expected)
    #expect(hash.value == expected)
    #expect(finished.withLock { $0 } == expected)
  }
}
