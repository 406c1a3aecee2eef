import Buffers
import TableFormats

/// The values of a column that is filled.
@usableFromInline
package struct ColumnBuffer: ~Copyable {
  /// The numbers, or the offsets of strings or lists.
  @usableFromInline package var values = FlatBuffer<UInt8>(capacity: 256)
  /// The bytes of strings.
  var bytes = FlatBuffer<UInt8>()
  /// The values of a column of bits.
  var bits = BitColumn()
  /// A bit for each value of a nullable column, which is set if the value is not null.
  var validity = BitColumn()
  var nullCount = 0
  /// Whether the values are offsets, of which the first is 0.
  private let hasOffsets: Bool

  init(hasOffsets: Bool) {
    self.hasOffsets = hasOffsets
    removeAll()
  }

  mutating func removeAll() {
    values.removeAll()
    bytes.removeAll()
    bits.removeAll()
    validity.removeAll()
    nullCount = 0
    if hasOffsets { append(Int32(0)) }
  }

  @inlinable @inline(__always)
  package mutating func append<Number: BitwiseCopyable>(_ value: Number) {
    values.reserve(MemoryLayout<Number>.stride)
    UnsafeMutableRawPointer(values.base + values.count).storeBytes(of: value, as: Number.self)
    values.count &+= MemoryLayout<Number>.stride
  }

  mutating func append(string: ByteString) {
    bytes.append(contentsOf: string.bytes)
    append(Int32(truncatingIfNeeded: bytes.count))
  }
}

/// The buffers of columns that are filled together. They keep their addresses, by which the columns refer to them.
struct ColumnBuffers: ~Copyable {
  private(set) var pointers: [UnsafeMutablePointer<ColumnBuffer>] = []

  mutating func add(hasOffsets: Bool = false) -> UnsafeMutablePointer<ColumnBuffer> {
    let pointer = UnsafeMutablePointer<ColumnBuffer>.allocate(capacity: 1)
    pointer.initialize(to: ColumnBuffer(hasOffsets: hasOffsets))
    pointers.append(pointer)
    return pointer
  }

  func removeAll() {
    for pointer in pointers { pointer.pointee.removeAll() }
  }

  deinit {
    for pointer in pointers {
      pointer.deinitialize(count: 1)
      pointer.deallocate()
    }
  }
}

extension Column where Storage == UnsafeMutablePointer<ColumnBuffer>, Value: BitwiseCopyable & Numeric {
  @inlinable @inline(__always)
  package func append(_ value: Value) { storage.pointee.append(value) }

  /// Appends the values that a function returns for the indices from 0 to `count`.
  @inline(__always)
  func append(count: Int, _ value: (Int) -> Value) {
    let stride = MemoryLayout<Value>.stride
    let start = UnsafeMutableRawPointer(storage.pointee.values.extend(by: count * stride))
    for index in 0..<count { start.storeBytes(of: value(index), toByteOffset: index * stride, as: Value.self) }
  }

  /// Appends values whose bytes follow each other, as in another column of the same type.
  package func append(bytes: UnsafeRawBufferPointer) {
    assert(bytes.count % MemoryLayout<Value>.stride == 0)
    storage.pointee.values.append(contentsOf: bytes)
  }

  @inlinable @inline(__always)
  package var count: Int { storage.pointee.values.count / MemoryLayout<Value>.stride }

  /// The values, copied.
  package var values: [Value] { (0..<count).map { self[$0] } }

  @inlinable @inline(__always)
  package subscript(index: Int) -> Value {
    get {
      assert(index >= 0 && index < count)
      return UnsafeRawPointer(storage.pointee.values.base)
        .loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.stride, as: Value.self)
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      UnsafeMutableRawPointer(storage.pointee.values.base)
        .storeBytes(of: newValue, toByteOffset: index * MemoryLayout<Value>.stride, as: Value.self)
    }
  }
}

extension Column where Storage == UnsafeMutablePointer<ColumnBuffer>, Value == UInt8 {
  /// The buffer that the column fills.
  @inlinable
  package var buffer: FlatBuffer<UInt8> {
    @inline(__always) _read { yield storage.pointee.values }
    @inline(__always) nonmutating _modify { yield &storage.pointee.values }
  }

  @inlinable
  package func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) { storage.pointee.values.append(contentsOf: bytes) }
}

extension Column where Storage == UnsafeMutablePointer<ColumnBuffer>, Value == Bool {
  func append(_ value: Bool) { storage.pointee.bits.append(value) }

  /// Appends a bit for each byte, which is set if the byte has a bit of the mask.
  func append(flags: UnsafeRawBufferPointer, _ mask: UInt8 = 0xff) {
    storage.pointee.bits.append(contentsOf: flags, mask)
  }
}

extension Column where Storage == UnsafeMutablePointer<ColumnBuffer>, Value == ByteString {
  func append(_ string: ByteString) { storage.pointee.append(string: string) }
}

extension Column where Storage == UnsafeMutablePointer<ColumnBuffer> {
  func append<Number: BitwiseCopyable & Numeric>(_ value: Number?) where Value == Number? {
    appendValidity(value != nil)
    storage.pointee.append(value ?? .zero)
  }

  func append(_ string: ByteString?) where Value == ByteString? {
    appendValidity(string != nil)
    storage.pointee.append(string: string ?? .empty)
  }

  private func appendValidity(_ isValid: Bool) {
    storage.pointee.validity.append(isValid)
    if !isValid { storage.pointee.nullCount += 1 }
  }
}

extension RectColumns where Storage == UnsafeMutablePointer<ColumnBuffer>, Length == Float {
  @inlinable @inline(__always)
  package func append(x: Float, y: Float, width: Float, height: Float) {
    self.x.append(x)
    self.y.append(y)
    self.width.append(width)
    self.height.append(height)
  }

  /// Appends rectangles that are in other columns.
  ///
  /// - Parameter bytes: A function that returns the bytes of their lengths in one of these columns.
  package func append<Other>(
    _ others: RectColumns<Float, Other>, _ bytes: (Column<Float, Other>) -> UnsafeRawBufferPointer
  ) {
    x.append(bytes: bytes(others.x))
    y.append(bytes: bytes(others.y))
    width.append(bytes: bytes(others.width))
    height.append(bytes: bytes(others.height))
  }
}

extension FlatBuffer where Element == UInt8 {
  mutating func append(contentsOf raw: UnsafeRawBufferPointer) {
    append(contentsOf: raw.assumingMemoryBound(to: UInt8.self))
  }
}
