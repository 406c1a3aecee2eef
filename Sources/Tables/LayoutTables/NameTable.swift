import Buffers

/// Distinct names, numbered from 0 in the order in which they first come: the dictionary of a dictionary column.
public struct NameTable: ~Copyable {
  public private(set) var lengths = FlatBuffer<UInt32>(capacity: 64)
  public private(set) var bytes = FlatBuffer<UInt8>(capacity: 1024)
  private var starts = FlatBuffer<UInt32>(capacity: 64)
  private var hashes = FlatBuffer<UInt32>(capacity: 64)
  /// Number + 1 of the name in each place of an open hash table; 0: empty.
  private var table = FlatBuffer<UInt32>(capacity: 128)

  public init() { resetTable(128) }

  /// Names that are all different, numbered in their order.
  init(_ names: [String]) {
    self.init()
    for var name in names {
      name.withUTF8 { utf8 in
        if let start = utf8.baseAddress { _ = number(of: ByteString(start: start, count: utf8.count)) }
      }
    }
  }

  public var count: Int { lengths.count }

  public mutating func removeAll() {
    lengths.removeAll()
    bytes.removeAll()
    starts.removeAll()
    hashes.removeAll()
    resetTable(table.count)
  }

  /// The number of a name, which is added if it is new.
  public mutating func number(of name: ByteString) -> UInt32 {
    let hash = UInt32(truncatingIfNeeded: name.mixed(with: 0))
    var place = Int(hash) & (table.count - 1)
    while table[place] != 0 {
      let number = table[place] - 1
      if hashes[Int(number)] == hash && self[Int(number)] == name { return number }
      place = (place + 1) & (table.count - 1)
    }
    let number = UInt32(truncatingIfNeeded: lengths.count)
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    lengths.append(UInt32(truncatingIfNeeded: name.count))
    hashes.append(hash)
    bytes.append(contentsOf: name.bytes)
    table[place] = number + 1
    if lengths.count * 2 > table.count { grow() }
    return number
  }

  public subscript(number: Int) -> ByteString {
    ByteString(start: UnsafePointer(bytes.base + Int(starts[number])), count: Int(lengths[number]))
  }

  private mutating func resetTable(_ size: Int) {
    table.removeAll()
    table.extend(by: size).update(repeating: 0, count: size)
  }

  private mutating func grow() {
    resetTable(table.count * 2)
    for number in 0..<hashes.count {
      var place = Int(hashes[number]) & (table.count - 1)
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(truncatingIfNeeded: number) + 1
    }
  }
}
