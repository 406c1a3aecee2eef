import Buffers

/// Texts of any script, as UTF-16.
extension TextMeasurer {
  /// What the decoded text needs.
  struct Traits: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// Something runs from right to left.
    static let bidirectional = Traits(rawValue: 1)
    /// Scripts broken with a dictionary, which begins anew after a break inside a word (text-rules 7).
    static let dictionary = Traits(rawValue: 2)
    /// Full-width punctuation, or quotes that may be among it.
    static let eastAsian = Traits(rawValue: 4)
    /// Separators, or control characters other than tabs and newlines: some are shaped as others are.
    static let substitutes = Traits(rawValue: 8)
    static let softHyphens = Traits(rawValue: 16)
  }

  /// Appends UTF-8 as UTF-16, U+FFFD for what is no character; leaves out carriage returns and form feeds where white
  /// space is kept, which have no width there (text-rules 18).
  mutating func decode(
    _ bytes: ByteString, collapses: Bool, previousIsSpace: inout Bool, _ traits: inout Traits, origin: inout Int32
  ) {
    // A line that starts with what is left out starts there.
    var dropped: Int32?
    var scalars = Scalars(bytes)
    while true {
      let plain = scalars.nextPlain()
      if plain.count > 0 {
        appendPlain(plain, at: origin, from: dropped ?? origin)
        origin += Int32(truncatingIfNeeded: plain.count)
        dropped = nil
        previousIsSpace = false
      }
      guard let scalar = scalars.next() else { break }
      let here = dropped ?? origin
      origin += scalar > 0xffff ? 2 : 1
      var value = scalar
      switch value {
      case 0x09, 0x0a: if collapses { value = 0x20 }
      case 0x0d where collapses: value = 0x20
      case 0x0c, 0x0d:
        guard collapses else {
          dropped = here
          continue
        }
        traits.insert(.substitutes)
      case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029: traits.insert(.substitutes)
      default: break
      }
      if collapses {
        if value == 0x20 && previousIsSpace { continue }
        previousIsSpace = value == 0x20
      }
      dropped = nil
      if value == 0xad { traits.insert(.softHyphens) }
      if value >= 0x0590 { note(value, &traits) }
      if value > 0xffff {
        append(UInt16(truncatingIfNeeded: 0xd7c0 + value >> 10), here)
        append(UInt16(truncatingIfNeeded: 0xdc00 | value & 0x3ff), here)
      } else {
        append(UInt16(truncatingIfNeeded: value), here)
      }
    }
  }

  /// Appends what stands for itself. What was left out before it belongs to its first unit.
  @inline(__always)
  mutating func appendPlain(_ plain: UnsafeBufferPointer<UInt8>, at origin: Int32, from first: Int32) {
    let units = prepared.units.extend(by: plain.count)
    for index in 0..<plain.count { units[index] = UInt16(plain[index]) }
    guard recordsLines else { return }
    prepared.origins.append(first)
    for index in 1..<plain.count { prepared.origins.append(origin + Int32(truncatingIfNeeded: index)) }
  }

  @inline(__always)
  private mutating func append(_ unit: UInt16, _ origin: Int32) {
    prepared.units.append(unit)
    if recordsLines { prepared.origins.append(origin) }
  }

  private func note(_ scalar: UInt32, _ traits: inout Traits) {
    switch scalar {
    case 0x0590...0x08ff, 0x200f, 0x202b, 0x202e, 0x2067, 0xfb1d...0xfdff, 0xfe70...0xfefc, 0x10800...0x10fff,
      0x1e800...0x1efff:
      traits.insert(.bidirectional)
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x19e0...0x1aaf, 0xa9e0...0xa9ff, 0xaa60...0xaadf:
      traits.insert(.dictionary)
    case 0x2018...0x201d, 0x2e80...0x9fff, 0xac00...0xd7ff, 0xf900...0xfaff, 0xff00...0xffef, 0x20000...0x3ffff:
      traits.insert(.eastAsian)
    default: break
    }
  }

  func scalar(at place: Int) -> (UInt32, Int) {
    let unit = UInt32(prepared.units[place])
    if unit & 0xfc00 == 0xd800 && place + 1 < prepared.units.count {
      return ((unit - 0xd7c0) << 10 + UInt32(prepared.units[place + 1]) & 0x3ff, 2)
    }
    return (unit, 1)
  }
}

/// The scalars of UTF-8 bytes, U+FFFD in place of what is none: one for each maximal part of a sequence, as the
/// standard library and browsers have it.
struct Scalars: Sequence, IteratorProtocol {
  private var next8: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  init(_ bytes: ByteString) {
    next8 = bytes.start
    end = bytes.start + bytes.count
  }

  @inline(__always)
  mutating func next() -> UInt32? {
    if next8 == end { return nil }
    let first = UInt32(next8.pointee)
    next8 += 1
    return first < 0x80 ? first : decode(first)
  }

  /// The letters, digits and signs of ASCII that come next, if any.
  @inline(__always)
  mutating func nextPlain() -> UnsafeBufferPointer<UInt8> {
    let start = next8
    while next8 < end && next8.pointee > 0x20 && next8.pointee < 0x7f { next8 += 1 }
    return UnsafeBufferPointer(start: start, count: next8 - start)
  }

  private mutating func decode(_ first: UInt32) -> UInt32 {
    // The second byte's range tells overlong forms, surrogates and what is beyond U+10FFFF.
    switch first {
    case 0xc2...0xdf:
      guard let second = continuation(0x80...0xbf) else { return 0xfffd }
      return (first & 0x1f) << 6 | second
    case 0xe0...0xef:
      guard let second = continuation(first == 0xe0 ? 0xa0...0xbf : first == 0xed ? 0x80...0x9f : 0x80...0xbf),
        let third = continuation(0x80...0xbf)
      else { return 0xfffd }
      return (first & 0xf) << 12 | second << 6 | third
    case 0xf0...0xf4:
      guard let second = continuation(first == 0xf0 ? 0x90...0xbf : first == 0xf4 ? 0x80...0x8f : 0x80...0xbf),
        let third = continuation(0x80...0xbf), let fourth = continuation(0x80...0xbf)
      else { return 0xfffd }
      return (first & 0x7) << 18 | second << 12 | third << 6 | fourth
    default: return 0xfffd
    }
  }

  /// The next byte's six bits, if it is in `range`.
  @inline(__always)
  private mutating func continuation(_ range: ClosedRange<UInt8>) -> UInt32? {
    guard next8 < end, range.contains(next8.pointee) else { return nil }
    defer { next8 += 1 }
    return UInt32(next8.pointee & 0x3f)
  }
}
