import Buffers

/// A sequence of the scalar values of UTF-8 bytes.
///
/// Each maximal part of a sequence that is not well-formed becomes one U+FFFD, as in the standard library and in browsers
/// (Unicode, section 3.9).
struct Scalars: Sequence, IteratorProtocol {
  private var next8: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  init(_ bytes: ByteString) {
    next8 = bytes.start
    end = bytes.start + bytes.count
  }

  /// Returns the next scalar value, or nil at the end.
  @inline(__always)
  mutating func next() -> UInt32? {
    if next8 == end { return nil }
    let first = UInt32(next8.pointee)
    next8 += 1
    return first < 0x80 ? first : decode(first)
  }

  /// Returns the printable ASCII characters from `first` on that come next; empty if there are none.
  @inline(__always)
  mutating func nextPlain(from first: UInt8) -> UnsafeBufferPointer<UInt8> {
    let start = next8
    while next8 < end && next8.pointee >= first && next8.pointee < 0x7f { next8 += 1 }
    return UnsafeBufferPointer(start: start, count: next8 - start)
  }

  /// Returns the characters from U+00C0 to U+07FF that come next, each in two bytes. Nearly all are letters of Latin, Greek, Cyrillic,
  /// Armenian, Hebrew and Arabic.
  @inline(__always)
  mutating func nextOfTwoBytes() -> UnsafeBufferPointer<UInt8> {
    let start = next8
    while end - next8 >= 2, next8[0] >= 0xc3 && next8[0] <= 0xdf, next8[1] & 0xc0 == 0x80 { next8 += 2 }
    return UnsafeBufferPointer(start: start, count: next8 - start)
  }

  /// Returns the next character if it is from U+0900 to U+1FFF, from U+3000 to U+9FFF or from U+AC00 to U+D7FF. Most are letters of
  /// Indic scripts and characters of Chinese, Japanese and Korean.
  @inline(__always)
  mutating func nextOfThreeBytes() -> UInt16? {
    guard end - next8 >= 3, next8[0] >= 0xe0 && next8[0] <= 0xed, next8[1] & 0xc0 == 0x80, next8[2] & 0xc0 == 0x80
    else {
      return nil
    }
    let unit = UInt16(next8[0] & 0xf) << 12 | UInt16(next8[1] & 0x3f) << 6 | UInt16(next8[2] & 0x3f)
    switch unit {
    case 0x3000..<0xa000, 0x0900..<0x2000, 0xac00..<0xd800: next8 += 3
    default: return nil
    }
    return unit
  }

  private mutating func decode(_ first: UInt32) -> UInt32 {
    // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
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

  /// Returns the six lower bits of the next byte and consumes it; nil if it is not in `range`.
  @inline(__always)
  private mutating func continuation(_ range: ClosedRange<UInt8>) -> UInt32? {
    guard next8 < end, range.contains(next8.pointee) else { return nil }
    defer { next8 += 1 }
    return UInt32(next8.pointee & 0x3f)
  }
}
