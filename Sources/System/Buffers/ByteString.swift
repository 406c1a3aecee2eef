/// A reference to bytes with another owner, such as a string of a parsed row or a name of a program. It is valid as
/// long as its owner keeps the bytes.
@frozen
public struct ByteString: BitwiseCopyable {
  public var start: UnsafePointer<UInt8>
  public var count: Int

  @inlinable @inline(__always)
  public init(start: UnsafePointer<UInt8>, count: Int) {
    self.start = start
    self.count = count
  }

  public init(_ bytes: UnsafeRawBufferPointer) {
    self =
      bytes.baseAddress.map {
        ByteString(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      } ?? .empty
  }

  @inlinable
  public init(_ string: StaticString) { self.init(start: string.utf8Start, count: string.utf8CodeUnitCount) }

  /// Creates a copy that is never deallocated, for names that are used until the process ends.
  public init(keeping string: String) {
    let utf8 = Array(string.utf8)
    let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: max(utf8.count, 1))
    kept.initialize(from: utf8, count: utf8.count)
    self.init(start: kept, count: utf8.count)
  }

  public static let empty = ByteString("")

  @inlinable @inline(__always)
  public var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  @inlinable @inline(__always)
  public subscript(index: Int) -> UInt8 { start[index] }

  @inlinable @inline(__always)
  public var isEmpty: Bool { count == 0 }

  public var string: String { String(decoding: bytes, as: UTF8.self) }

  @inlinable
  public func hasSuffix(_ byte: UInt8) -> Bool { count > 0 && start[count - 1] == byte }

  @inlinable
  public func slice(_ from: Int, _ to: Int) -> ByteString { ByteString(start: start + from, count: to - from) }

  @inlinable
  public func contains(_ byte: UInt8) -> Bool { bytes.contains(byte) }
}

// A ByteString only reads its memory, and callers ensure that the owner outlives it, as with any unsafe pointer.
// `empty` refers to a static string.
extension ByteString: @unchecked Sendable {}

extension ByteString: Hashable {
  @inlinable @inline(__always)
  public static func == (a: ByteString, b: ByteString) -> Bool {
    a.count == b.count && a.isEqual(toBytesAt: UnsafeRawPointer(b.start))
  }

  /// Returns whether the same number of bytes at another address are equal. Compares eight bytes at a time; the last
  /// eight may overlap those before.
  @inlinable @inline(__always)
  public func isEqual(toBytesAt other: UnsafeRawPointer) -> Bool {
    let own = UnsafeRawPointer(start)
    if count >= 8 {
      var place = 0
      while place < count - 8 {
        if own.word(at: place) != other.word(at: place) { return false }
        place += 8
      }
      return own.word(at: count - 8) == other.word(at: count - 8)
    }
    return own.partialWord(count) == other.partialWord(count)
  }

  /// Returns a hash of which every bit depends on all bytes. Processes eight bytes at a time.
  @inlinable @inline(__always)
  public func mixed(with seed: UInt64) -> UInt64 {
    let raw = UnsafeRawPointer(start)
    var hash = seed ^ 0x9e37_79b9_7f4a_7c15 &* UInt64(truncatingIfNeeded: count)
    guard count >= 8 else { return Self.fold(hash ^ raw.partialWord(count)) }
    var place = 0
    while place < count - 8 {
      hash = Self.fold(hash ^ raw.word(at: place))
      place += 8
    }
    return Self.fold(hash ^ raw.word(at: count - 8))
  }

  /// Returns the exclusive or of the two halves of a 128-bit product.
  @inlinable @inline(__always)
  static func fold(_ value: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
    return high ^ low
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
}

extension UnsafeRawPointer {
  @inlinable @inline(__always)
  func word(at place: Int) -> UInt64 { loadUnaligned(fromByteOffset: place, as: UInt64.self) }

  /// Returns fewer than eight bytes as a number that is different for different bytes of the same length.
  @inlinable @inline(__always)
  func partialWord(_ count: Int) -> UInt64 {
    if count >= 4 {
      return UInt64(loadUnaligned(as: UInt32.self)) << 32
        | UInt64(loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    }
    if count == 0 { return 0 }
    return UInt64(load(as: UInt8.self)) << 16 | UInt64(load(fromByteOffset: count / 2, as: UInt8.self)) << 8
      | UInt64(load(fromByteOffset: count - 1, as: UInt8.self))
  }
}
