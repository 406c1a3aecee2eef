import SeededRandom
import Testing

@testable import LayoutTables

/// Tests of the packing of bits.
@Suite struct BitColumnTests {
  /// The bytes are appended in ranges of random lengths. Most of them are 0 or 1.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func bytesAppendedTogetherHaveTheBitsOfBytesAppendedOneByOne(
    seed: UInt64
  ) {
    var random = SplitMix(seed: seed)
    var together = BitColumn()
    var oneByOne = BitColumn()
    for _ in 0..<50 {
      let bytes = (0..<random.below(40)).map { _ in
        random.below(3) == 0 ? UInt8(truncatingIfNeeded: random.next()) : UInt8(random.below(2))
      }
      let mask = [0xff, 1, 4, 0x81][random.below(4)] as UInt8
      bytes.withUnsafeBytes { together.append(contentsOf: $0, mask) }
      for byte in bytes { oneByOne.append(byte & mask != 0) }
    }
    let same = together.bytes.bytes.elementsEqual(oneByOne.bytes.bytes)
    let count = (together.count, oneByOne.count)
    #expect(same && count.0 == count.1)
  }
}
