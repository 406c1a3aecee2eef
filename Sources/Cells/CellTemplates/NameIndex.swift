import Buffers

/// A fixed hash table from names to their numbers, which is read without an allocation.
struct NameIndex: Sendable {
  private struct Entry {
    var name = ByteString.empty
    var number: Int32 = absent
  }

  private let entries: [Entry]

  /// - Parameter names: names whose bytes must outlive the table. The number of a name is its index.
  init(_ names: [ByteString]) {
    var size = 8
    while size < names.count * 4 { size *= 2 }
    var entries = [Entry](repeating: Entry(), count: size)
    for (number, name) in names.enumerated() {
      var slot = Self.hash(name) & (size - 1)
      while entries[slot].number != absent { slot = (slot + 1) & (size - 1) }
      entries[slot] = Entry(name: name, number: Int32(number))
    }
    self.entries = entries
  }

  /// Makes a table of names whose bytes are copied and never freed.
  init(keeping names: [String]) { self.init(names.map { ByteString(keeping: $0) }) }

  /// Returns the number of a name, or `absent` for an unknown name.
  @inline(__always)
  func number(of name: ByteString) -> Int32 {
    entries.withUnsafeBufferPointer { entries in
      var slot = Self.hash(name) & (entries.count - 1)
      while entries[slot].number != absent {
        if entries[slot].name == name { return entries[slot].number }
        slot = (slot + 1) & (entries.count - 1)
      }
      return absent
    }
  }

  /// Returns a hash of the length, the first and the last byte, which differ for almost all names.
  @inline(__always)
  private static func hash(_ name: ByteString) -> Int {
    guard name.count > 0 else { return 0 }
    return (name.count &* 31 &+ Int(name[0])) &* 31 &+ Int(name[name.count - 1])
  }
}
