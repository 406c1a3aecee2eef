import SeededRandom

@testable import TextMeasuring

extension SplitMix {
  /// Returns a text of random scalars, in which those that affect breaking and shaping are more frequent.
  mutating func text(length: Int) -> String {
    var text = String.UnicodeScalarView()
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7e, 0x61...0x7a, 0x20...0x20, 0x0...0x1f, 0x80...0x17f, 0x2000...0x206f, 0x300...0x36f, 0x590...0x6ff,
      0x900...0xdff, 0xe00...0xeff, 0x1780...0x17ff, 0x3000...0x30ff, 0x4e00...0x4fff, 0xac00...0xad00, 0xfe00...0xffff,
      0x1f1e6...0x1f1ff, 0x1f300...0x1f6ff, 0xe0000...0xe007f, 0x0...0x10ffff,
    ]
    while text.count < length {
      let range = ranges[Int(next() % UInt64(ranges.count))]
      let value = range.lowerBound + UInt32(next() % UInt64(range.count))
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }

  /// Returns random options.
  mutating func options() -> TextOptions {
    var options = TextOptions()
    options.whiteSpace = next() % 2 == 0 ? .preserve : .collapse
    options.maximumNumberOfLines = next() % 4 == 0 ? Int32(next() % 4) : 0
    options.lineSpacing = Double(next() % 3)
    return options
  }
}
