/// Bytes that something else owns: a string of a parsed row, a name of a program. Valid as long as its owner says.
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

  /// A copy that is never given back: for names that live as long as the process.
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

// The memory a ByteString points to is only read, and its owner outlives it by contract, as with UnsafeRawPointer's
// users everywhere; `empty` points to static text.
extension ByteString: @unchecked Sendable {}

extension ByteString: Hashable {
  @inlinable @inline(__always)
  public static func == (a: ByteString, b: ByteString) -> Bool {
    guard a.count == b.count else { return false }
    var index = 0
    while index < a.count {
      if a.start[index] != b.start[index] { return false }
      index += 1
    }
    return true
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }

  /// FNV-1a, for the hash tables of the hot path.
  @inlinable @inline(__always)
  public var fnv1a: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    var index = 0
    while index < count {
      hash = (hash ^ UInt64(start[index])) &* 0x100_0000_01b3
      index += 1
    }
    return hash
  }
}
