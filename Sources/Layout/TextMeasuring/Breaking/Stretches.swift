import CICU

/// The stretches of a range of units, in their order: plain ones, and others around the units that are not plain.
///
/// A unit is plain if it is a plain character or a newline. A stretch ends where a line can break whatever is before and after.
struct Stretches {
  struct Stretch {
    let range: Range<Int>
    let isPlain: Bool
  }

  private let units: UnsafePointer<UInt16>
  private var start: Int
  private let end: Int
  private let maxPlain: UInt16

  /// - Parameter maxPlain: the greatest unit that is plain.
  init(_ units: UnsafePointer<UInt16>, _ range: Range<Int>, maxPlain: UInt16) {
    self.units = units
    self.maxPlain = maxPlain
    (start, end) = (range.lowerBound, range.upperBound)
  }

  /// Returns the next stretch, which is not empty, or nil at the end of the range.
  mutating func next() -> Stretch? {
    guard start < end else { return nil }
    let first = start
    let other = endOfPlain(from: first)
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
      if !isPlain(index, from: first) { last = index }
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

  /// Returns whether a unit is plain. The unit after a hyphen is not plain unless it is ASCII, because the opportunity between them
  /// depends on what is before the hyphen; nor is an inverted mark after a sign of numbers, because that depends on what follows.
  private func isPlain(_ index: Int, from first: Int) -> Bool {
    let unit = units[index]
    if unit < 0x7f { return unit >= 0x20 || unit == 0x0a }
    return unit <= maxPlain && PlainCharacters.number(of: unit) != PlainCharacters.none
      && !(index > first && Self.isContextual(units[index - 1], unit))
  }

  private static func isContextual(_ before: UInt16, _ unit: UInt16) -> Bool {
    switch before {
    case 0x2d: true
    case 0x24, 0x25, 0x2b, 0x5c: unit == 0xa1 || unit == 0xbf
    default: false
    }
  }

  /// Returns the index of the first unit from `first` on that is not plain, or the end of the range.
  private func endOfPlain(from first: Int) -> Int {
    let raw = UnsafeRawPointer(units)
    var index = first
    while index < end {
      // Four units at a time: no sum carries into the next unit, as all are below 128.
      while index + 4 <= end {
        let four = raw.loadUnaligned(fromByteOffset: 2 * index, as: UInt64.self)
        let controls = ~(four &+ Self.each &* 0x60)
        let deletes = four &+ Self.each
        guard four & Self.notASCII == 0, (controls | deletes) & (Self.each &* 0x80) == 0 else { break }
        index += 4
      }
      guard index < end, isPlain(index, from: first) else { return index }
      index += 1
    }
    return index
  }

  private static let each: UInt64 = 0x0001_0001_0001_0001
  private static let notASCII: UInt64 = 0xff80_ff80_ff80_ff80
}

extension PreparedText {
  /// The greatest unit of its plain stretches. Where the rules of lines are not those of `PlainBreaks`, only ASCII is plain. In WebKit,
  /// characters beyond Latin-1 change the opportunities after the next one.
  var maxPlain: UInt16 {
    guard options.css.lines == galley_breaks_lines else { return 0x7e }
    return rules.engine == .webKit ? 0xff : .max
  }
}
