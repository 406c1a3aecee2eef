import Testing

@testable import Buffers

/// Tests of texts in bytes.
@Suite struct ByteTextTests {
  @Test(arguments: [0, 9, 10, -10, 99, 100, 1_000_000, Int.max, Int.min, 999_999_999_999_999_999])
  func integersHaveTheirDigits(number: Int) {
    var bytes = FlatBuffer<UInt8>()
    bytes.append("a")
    bytes.append(decimal: number)
    #expect(String(decoding: bytes.bytes, as: UTF8.self) == "a\(number)")
  }
}
