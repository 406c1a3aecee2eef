import Buffers

/// Names that are known beforehand, each with a number: a small open hash table, which is read without an allocation.
struct NameIndex: Sendable {
  private struct Entry {
    var name = ByteString.empty
    var number: Int32 = absent
  }

  private let entries: [Entry]

  /// - Parameter names: must stay where they are as long as this is used; their numbers are their places.
  init(_ names: [ByteString]) {
    var size = 8
    while size < names.count * 4 { size *= 2 }
    var entries = [Entry](repeating: Entry(), count: size)
    for (number, name) in names.enumerated() {
      var place = Self.hash(name) & (size - 1)
      while entries[place].number != absent { place = (place + 1) & (size - 1) }
      entries[place] = Entry(name: name, number: Int32(number))
    }
    self.entries = entries
  }

  /// Names that live as long as the process.
  init(keeping names: [String]) { self.init(names.map { ByteString(keeping: $0) }) }

  /// `absent` for a name that is not known.
  @inline(__always)
  func number(of name: ByteString) -> Int32 {
    entries.withUnsafeBufferPointer { entries in
      var place = Self.hash(name) & (entries.count - 1)
      while entries[place].number != absent {
        if entries[place].name == name { return entries[place].number }
        place = (place + 1) & (entries.count - 1)
      }
      return absent
    }
  }

  /// Length and two bytes tell almost all names apart.
  @inline(__always)
  private static func hash(_ name: ByteString) -> Int {
    guard name.count > 0 else { return 0 }
    return (name.count &* 31 &+ Int(name[0])) &* 31 &+ Int(name[name.count - 1])
  }
}
