import Buffers

/// A hash table from distinct names to their numbers, which count from 0. The bytes of the names are its owner's.
struct NameNumbers: ~Copyable {
  /// The offset of each name, and the end of the last one.
  private var ends = FlatBuffer<UInt32>(capacity: 64)
  private var hashes = FlatBuffer<UInt32>(capacity: 64)
  /// The slots of an open hash table: the number of a name + 1, or 0 for an empty slot.
  private var slots = FlatBuffer<UInt32>(capacity: 128)

  init() {
    ends.append(0)
    resetSlots(128)
  }

  var count: Int { hashes.count }

  /// The offset of each name, and the end of the last one.
  var offsets: UnsafeRawBufferPointer { ends.bytes }

  mutating func removeAll() {
    ends.truncate(to: 1)
    hashes.removeAll()
    resetSlots(slots.count)
  }

  @inline(__always)
  static func hash(of name: ByteString) -> UInt32 { UInt32(truncatingIfNeeded: name.mixed(with: 0)) }

  /// Returns the number of a name, or nil for a new one.
  @inline(__always)
  func number(of name: ByteString, _ hash: UInt32, in bytes: UnsafePointer<UInt8>) -> UInt32? {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot] - 1)
      if hashes[number] == hash {
        if self.name(number, in: bytes) == name { return UInt32(truncatingIfNeeded: number) }
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Returns the name of a number.
  @inline(__always)
  func name(_ number: Int, in bytes: UnsafePointer<UInt8>) -> ByteString {
    let start = Int(ends[number])
    return ByteString(start: bytes + start, count: Int(ends[number + 1]) - start)
  }

  /// Adds a new name to the table and its bytes to `bytes`, and returns its number.
  mutating func add(_ name: ByteString, _ hash: UInt32, to bytes: inout FlatBuffer<UInt8>) -> UInt32 {
    let number = count
    bytes.append(contentsOf: name.bytes)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    hashes.append(hash)
    if count * 2 > slots.count {
      resetSlots(slots.count * 2)
      for number in 0..<count { insert(number) }
    } else {
      insert(number)
    }
    return UInt32(truncatingIfNeeded: number)
  }

  private func insert(_ number: Int) {
    var slot = Int(hashes[number]) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(truncatingIfNeeded: number) + 1
  }

  private mutating func resetSlots(_ size: Int) {
    slots.removeAll()
    slots.extend(by: size).update(repeating: 0, count: size)
  }
}
