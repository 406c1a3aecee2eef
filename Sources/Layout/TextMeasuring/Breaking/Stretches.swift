/// The stretches of a range of units, in their order: plain ones, and others around the units that are not plain.
///
/// A unit is plain if it is printable ASCII or a newline. A stretch ends where a line can break whatever is before and after.
struct Stretches {
  struct Stretch {
    let range: Range<Int>
    let isPlain: Bool
  }

  private let units: UnsafePointer<UInt16>
  private var start: Int
  private let end: Int

  init(_ units: UnsafePointer<UInt16>, _ range: Range<Int>) {
    self.units = units
    (start, end) = (range.lowerBound, range.upperBound)
  }

  /// Returns the next stretch, which is not empty, or nil at the end of the range.
  mutating func next() -> Stretch? {
    guard start < end else { return nil }
    let first = start
    let other = PlainUnits.end(from: first, to: end, units)
    let plainEnd = other == end ? end : lastBreak(from: first, to: other)
    start = plainEnd > first ? plainEnd : endOfOther(from: first, other)
    return Stretch(range: first..<start, isPlain: plainEnd > first)
  }

  /// The number of plain units in a row up to which cutting them with those around them costs less than a stretch of their own.
  private static let minPlain = 24

  /// Returns the last index after `first` at which a stretch can end, or `first` if there is none.
  private func lastBreak(from first: Int, to last: Int) -> Int {
    var index = last
    while index > first && !breaksAlways(index) { index -= 1 }
    return index
  }

  /// Returns the end of the stretch from `first` on whose first unit that is not plain is at `other`.
  private func endOfOther(from first: Int, _ other: Int) -> Int {
    var index = other + 1
    var last = other
    while index < end && !(index - last > Self.minPlain && breaksAlways(index)) {
      if !PlainUnits.contains(units[index]) { last = index }
      index += 1
    }
    return index
  }

  /// Returns whether a line can break before a unit without regard to what is before and after: between a letter with a space and a
  /// letter.
  private func breaksAlways(_ index: Int) -> Bool {
    index > 1 && AsciiBreaks.isLetter(units[index]) && units[index - 1] == 0x20
      && AsciiBreaks.isLetter(units[index - 2])
  }
}

/// Units that are printable ASCII or newlines.
enum PlainUnits {
  @inline(__always)
  static func contains(_ unit: UInt16) -> Bool { (unit >= 0x20 && unit < 0x7f) || unit == 0x0a }

  /// Returns the index of the first unit from `start` on that is not plain, or `end`.
  @inline(__always)
  static func end(from start: Int, to end: Int, _ units: UnsafePointer<UInt16>) -> Int {
    let raw = UnsafeRawPointer(units)
    var index = start
    while index < end {
      // Four units at a time: no sum carries into the next unit, as all are below 128.
      while index + 4 <= end {
        let four = raw.loadUnaligned(fromByteOffset: 2 * index, as: UInt64.self)
        let controls = ~(four &+ Self.each &* 0x60)
        let deletes = four &+ Self.each
        guard four & Self.notASCII == 0, (controls | deletes) & (Self.each &* 0x80) == 0 else { break }
        index += 4
      }
      guard index < end, contains(units[index]) else { return index }
      index += 1
    }
    return index
  }

  private static let each: UInt64 = 0x0001_0001_0001_0001
  private static let notASCII: UInt64 = 0xff80_ff80_ff80_ff80
}
