import Buffers
import CSimdJSON
import TableFormats

/// A column of a job that was received: a run of numbers in the message, which need not be aligned.
package typealias ReceivedColumn<Value> = Column<Value, ByteString>

extension Column where Storage == ByteString, Value: BitwiseCopyable & Numeric {
  @inlinable
  package var count: Int { storage.count / MemoryLayout<Value>.stride }

  @inlinable @inline(__always)
  package subscript(index: Int) -> Value {
    UnsafeRawPointer(storage.start)
      .loadUnaligned(fromByteOffset: index * MemoryLayout<Value>.stride, as: Value.self)
  }

  /// Returns the bytes of `count` values, of which the first has the index `first`.
  package func bytes(from first: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: UnsafeRawPointer(storage.start) + first * MemoryLayout<Value>.stride,
      count: count * MemoryLayout<Value>.stride)
  }

  /// Returns the bytes of a range of values.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { bytes(from: range.lowerBound, count: range.count) }

  @inline(__always)
  func allSatisfy(_ predicate: (Value) -> Bool) -> Bool {
    var all = true
    for index in 0..<count { all = predicate(self[index]) && all }
    return all
  }
}

extension Column where Storage == ByteString, Value == UInt32 {
  var sum: Int {
    var sum = 0
    for index in 0..<count { sum += Int(self[index]) }
    return sum
  }

  /// Returns whether indices ascend and are below a count.
  func ascend(below count: Int, strictly: Bool) -> Bool {
    var next: UInt32 = 0
    for index in 0..<self.count {
      let value = self[index]
      guard value >= next, Int(value) < count else { return false }
      next = strictly ? value + 1 : value
    }
    return true
  }

  /// Returns the index of a value in an ascending column.
  func firstIndex(of value: UInt32) -> Int? {
    let index = partitionPoint(count) { self[$0] < value }
    return index < count && self[index] == value ? index : nil
  }
}

extension Column where Storage == ByteString, Value == UInt8 {
  /// Returns the string at an offset, and moves the offset to the next one.
  @inline(__always)
  func next(_ count: UInt32, at offset: inout Int) -> ByteString {
    defer { offset += Int(count) }
    return storage.slice(offset, offset + Int(count))
  }

  /// Returns whether each of the strings in the column is UTF-8: all bytes together are, and no string begins within a character.
  ///
  /// - Parameter lengths: The lengths of the strings, which have all bytes together.
  func areUTF8(_ lengths: ReceivedColumn<UInt32>) -> Bool {
    if storage.isASCII { return true }
    guard storage.isUTF8 else { return false }
    var (index, offset) = (0, 0)
    while offset < storage.count {
      guard next(lengths[index], at: &offset).beginsWithCharacter else { return false }
      index += 1
    }
    return true
  }

  /// Returns the bytes of a range of offsets.
  package func slice(_ range: Range<Int>) -> ByteString { storage.slice(range.lowerBound, range.upperBound) }
}

extension ByteString {
  /// Whether all characters are ASCII, as nearly all names, ids and URLs are. The compiler vectorizes this.
  var isASCII: Bool { bytes.reduce(0, |) < 0x80 }

  /// Whether the bytes are UTF-8.
  var isUTF8: Bool { galley_is_utf8(start, count) }

  /// Whether a string within UTF-8 does not begin inside a character.
  var beginsWithCharacter: Bool { isEmpty || self[0] & 0xc0 != 0x80 }

  /// The number of UTF-16 units of a string of UTF-8. Each first byte of a character is a unit, or two if the character has four.
  var utf16Count: UInt32 {
    if isASCII { return UInt32(truncatingIfNeeded: count) }
    var units: UInt32 = 0
    for byte in bytes { units &+= (byte & 0xc0 != 0x80 ? 1 : 0) &+ (byte >= 0xf0 ? 1 : 0) }
    return units
  }
}
