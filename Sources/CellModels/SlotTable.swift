import Buffers

/// Which slot a key of a row goes to: a small open hash table, made once a program.
struct SlotTable {
  private struct Entry {
    var key = ByteString.empty
    var slot: Int32 = absent
  }

  private let entries: [Entry]

  init(_ keys: [ByteString]) {
    var size = 8
    while size < keys.count * 4 { size *= 2 }
    var entries = [Entry](repeating: Entry(), count: size)
    for (slot, key) in keys.enumerated() {
      var place = Self.hash(key) & (size - 1)
      while entries[place].slot != absent { place = (place + 1) & (size - 1) }
      entries[place] = Entry(key: key, slot: Int32(slot))
    }
    self.entries = entries
  }

  @inline(__always)
  func slot(of key: ByteString) -> Int32 {
    entries.withUnsafeBufferPointer { entries in
      var place = Self.hash(key) & (entries.count - 1)
      while entries[place].slot != absent {
        if entries[place].key == key { return entries[place].slot }
        place = (place + 1) & (entries.count - 1)
      }
      return absent
    }
  }

  /// Length and two bytes tell almost all keys of a row apart.
  @inline(__always)
  private static func hash(_ key: ByteString) -> Int {
    guard key.count > 0 else { return 0 }
    return (key.count &* 31 &+ Int(key[0])) &* 31 &+ Int(key[key.count - 1])
  }
}
