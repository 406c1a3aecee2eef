import Buffers
import SeededRandom
import Testing

@Suite struct ByteArenaTests {
  @Test func numbersAreWrittenAsDecimalDigits() {
    var random = SplitMix(seed: 7)
    var numbers: [Int64] = [0, 9, 10, 99, 100, -1, -10, .max, .min]
    for bits in 0..<64 { numbers.append(Int64(bitPattern: random.next() >> UInt64(bits))) }
    var arena = ByteArena(capacity: 8)
    for number in numbers {
      arena.append("n")
      arena.append(number)
      let text = arena.finish().string
      #expect(text == "n\(number)")
    }
    for number in [0, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max] {
      arena.append(number)
      let text = arena.finish().string
      #expect(text == "\(number)")
    }
  }
}
