import Buffers
import SeededRandom
import Testing

@testable import TextMeasuring

/// The scan for texts of plain ASCII.
@Suite struct PlainAsciiScanTests {
  @Test(arguments: [WhiteSpace.collapse, .preserve])
  func theScanAcceptsExactlyPlainText(whiteSpace: WhiteSpace) {
    var random = SplitMix(seed: 9)
    var passes = 0
    for _ in 0..<20_000 {
      var bytes = (0..<random.below(30)).map { _ in UInt8(0x20 + random.below(random.below(4) == 0 ? 3 : 95)) }
      for _ in 0..<random.below(3) where !bytes.isEmpty {
        bytes[random.below(bytes.count)] = [0x0a, 0x0b, 0x09, 0x1f, 0x7e, 0x7f, 0x80, 0xff, 0x20, 0x21].randomElement(
          using: &random)!
      }
      let isPlain = bytes.enumerated().allSatisfy { index, byte in
        if byte == 0x0a { return whiteSpace == .preserve }
        if byte == 0x20 && index > 0 && bytes[index - 1] == 0x20 { return whiteSpace == .preserve }
        return (0x20...0x7e).contains(byte)
      }
      var scan = PlainAsciiScan(whiteSpace)
      #expect(bytes.withUnsafeBytes { scan.passes(ByteString($0)) } == isPlain, "\(bytes)")
      passes += isPlain ? 1 : 0
    }
    #expect(passes > 2000)
  }
}
