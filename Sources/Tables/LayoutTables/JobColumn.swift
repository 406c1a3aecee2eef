import Buffers

/// The bytes of a column: a buffer that grows, or a part of a received message.
public protocol JobColumnStorage: ~Copyable {
  init()
}

extension FlatBuffer: JobColumnStorage where Element == UInt8 {
  public init() { self.init(capacity: 64) }
}

extension ByteString: JobColumnStorage {
  public init() { self = .empty }
}

/// A column of a job whose type of values is known only as the number of their bytes.
@frozen
@usableFromInline
struct UntypedJobColumn<Storage: JobColumnStorage & ~Copyable>: ~Copyable {
  @usableFromInline var storage: Storage
  /// The number in the job's header that is the number of the column's values.
  let count: JobCount
  /// The size of a value in bytes.
  let stride: UInt8
  /// Whether the column may have no values.
  let isOptional: Bool
}

extension UntypedJobColumn: Copyable where Storage: Copyable {}

/// A column of a job: a run of numbers that need not be aligned.
@frozen
public struct JobColumn<Number: BitwiseCopyable, Storage: JobColumnStorage & ~Copyable>: ~Copyable {
  @usableFromInline var untyped: UntypedJobColumn<Storage>

  init(_ count: JobCount, isOptional: Bool = false) {
    untyped = UntypedJobColumn(
      storage: Storage(), count: count, stride: UInt8(MemoryLayout<Number>.stride), isOptional: isOptional)
  }
}

extension JobColumn: Copyable where Storage: Copyable {}

// MARK: Columns that are filled

extension JobColumn where Storage == FlatBuffer<UInt8> {
  @inlinable @inline(__always)
  public var count: Int { untyped.storage.count / MemoryLayout<Number>.stride }

  /// The values, copied.
  public var values: [Number] { (0..<count).map { self[$0] } }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Number {
    get {
      assert(index >= 0 && index < count)
      return UnsafeRawPointer(untyped.storage.base)
        .loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.stride, as: Number.self)
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      UnsafeMutableRawPointer(untyped.storage.base)
        .storeBytes(of: newValue, toByteOffset: index * MemoryLayout<Number>.stride, as: Number.self)
    }
  }

  @inlinable @inline(__always)
  public mutating func append(_ value: Number) {
    untyped.storage.reserve(MemoryLayout<Number>.stride)
    UnsafeMutableRawPointer(untyped.storage.base + untyped.storage.count).storeBytes(of: value, as: Number.self)
    untyped.storage.count &+= MemoryLayout<Number>.stride
  }
}

extension JobColumn where Storage == FlatBuffer<UInt8>, Number == UInt8 {
  /// The buffer that the column fills.
  @inlinable
  public var buffer: FlatBuffer<UInt8> {
    @inline(__always) _read { yield untyped.storage }
    @inline(__always) _modify { yield &untyped.storage }
  }

  @inlinable
  public mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    untyped.storage.append(contentsOf: bytes)
  }
}

extension JobColumn where Storage == FlatBuffer<UInt8> {
  /// Appends values whose bytes follow each other, as in another column of the same type.
  package mutating func append(bytes: UnsafeRawBufferPointer) {
    assert(bytes.count % MemoryLayout<Number>.stride == 0)
    untyped.storage.append(contentsOf: bytes)
  }
}

// MARK: Columns that were received

extension JobColumn where Storage == ByteString {
  @inlinable
  package var count: Int { untyped.storage.count / MemoryLayout<Number>.stride }

  @inlinable @inline(__always)
  package subscript(index: Int) -> Number {
    UnsafeRawPointer(untyped.storage.start)
      .loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.stride, as: Number.self)
  }

  /// Returns the bytes of `count` values, of which the first has the index `first`.
  package func bytes(from first: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: UnsafeRawPointer(untyped.storage.start) + first * MemoryLayout<Number>.stride,
      count: count * MemoryLayout<Number>.stride)
  }

  @inline(__always)
  func allSatisfy(_ predicate: (Number) -> Bool) -> Bool {
    var all = true
    for index in 0..<count { all = predicate(self[index]) && all }
    return all
  }
}

extension JobColumn where Storage == ByteString, Number == UInt32 {
  var sum: Int {
    var sum = 0
    for index in 0..<count { sum += Int(self[index]) }
    return sum
  }
}

extension JobColumn where Storage == ByteString, Number == UInt8 {
  /// Returns the bytes from one offset to another.
  package func slice(_ from: Int, _ to: Int) -> ByteString { untyped.storage.slice(from, to) }
}
