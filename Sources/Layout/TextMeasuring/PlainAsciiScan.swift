import Buffers

/// Finds out, eight bytes at a time, whether a run is printable ASCII in which each byte stands for itself: with newlines
/// where white space is kept, and where it collapses without any, and without two spaces in a row.
struct PlainAsciiScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let high: UInt64 = 0x8080_8080_8080_8080

  private let collapses: Bool
  /// Whether the byte before those at hand is a space: in the lowest byte's high bit.
  private var spaceBefore: UInt64 = 0

  init(_ whiteSpace: WhiteSpace) { collapses = whiteSpace == .collapse }

  @inline(__always)
  mutating func passes(_ text: ByteString) -> Bool {
    let raw = UnsafeRawPointer(text.start)
    var place = 0
    while place + 8 <= text.count {
      if !isPlain(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return false }
      place += 8
    }
    guard place < text.count else { return true }
    // What is missing of the last eight is filled up with a letter.
    var rest = Self.ones &* UInt64(UInt8(ascii: "a"))
    for byte in text.bytes[place...].reversed() { rest = rest << 8 | UInt64(byte) }
    return isPlain(rest)
  }

  @inline(__always)
  private mutating func isPlain(_ word: UInt64) -> Bool {
    guard word & Self.high == 0 else { return false }
    // With all bytes below 128 no sum carries into the next one.
    let controls = ~(word &+ Self.ones &* 0x60) & Self.high
    let deletes = Self.places(of: 0x7f, in: word)
    let newlines = collapses ? 0 : Self.places(of: 0x0a, in: word)
    guard (controls & ~newlines) | deletes == 0 else { return false }
    guard collapses else { return true }
    let spaces = Self.places(of: 0x20, in: word)
    defer { spaceBefore = spaces >> 56 }
    return spaces & (spaces << 8 | spaceBefore) == 0
  }

  /// The high bits of the bytes that are this one.
  @inline(__always)
  private static func places(of byte: UInt64, in word: UInt64) -> UInt64 {
    ~((word ^ ones &* byte) &+ ones &* 0x7f) & high
  }
}
