/// A growable array of trivially copyable values without reference counting.
///
/// The arenas of the hot path (elements, measurements, columns) are flat buffers. They are filled and emptied
/// repeatedly without deallocating their memory. Growth doubles the capacity, and `reserve` before a pass keeps
/// pointers valid during the pass. Indices are checked only in debug builds.
@frozen
public struct FlatBuffer<Element: BitwiseCopyable>: ~Copyable {
  public var base: UnsafeMutablePointer<Element>
  public var count: Int
  public var capacity: Int

  public init(capacity: Int = 16) {
    let capacity = max(capacity, 1)
    self.base = .allocate(capacity: capacity)
    self.count = 0
    self.capacity = capacity
  }

  deinit { base.deallocate() }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      base[index] = newValue
    }
  }

  /// Ensures that `additional` more values fit without reallocation.
  @inlinable @inline(__always)
  public mutating func reserve(_ additional: Int) {
    if count &+ additional > capacity { grow(to: count &+ additional) }
  }

  @inlinable @inline(__always)
  public mutating func append(_ value: Element) {
    reserve(1)
    base[count] = value
    count &+= 1
  }

  @inlinable
  public mutating func append(contentsOf values: UnsafeBufferPointer<Element>) {
    guard let start = values.baseAddress else { return }
    reserve(values.count)
    (base + count).update(from: start, count: values.count)
    count &+= values.count
  }

  /// Adds `additional` uninitialized values and returns a pointer to the first. The caller has to write them.
  @inlinable @inline(__always)
  public mutating func extend(by additional: Int) -> UnsafeMutablePointer<Element> {
    reserve(additional)
    let start = base + count
    count &+= additional
    return start
  }

  @inlinable @inline(__always)
  public mutating func removeAll() { count = 0 }

  /// Removes the values from the index `newCount` on.
  @inlinable @inline(__always)
  public mutating func truncate(to newCount: Int) {
    assert(newCount >= 0 && newCount <= count)
    count = newCount
  }

  @inlinable @inline(__always)
  public var values: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

  @inlinable @inline(__always)
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(values) }

  @usableFromInline @inline(never)
  mutating func grow(to needed: Int) {
    let newCapacity = max(needed, capacity * 2)
    let moved = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    moved.update(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = newCapacity
  }
}
