import Buffers

/// A table of distinct names, numbered from 0 in the order in which they are added: the dictionary of a dictionary
/// column.
struct NameTable: ~Copyable {
  private(set) var bytes = FlatBuffer<UInt8>(capacity: 1024)
  private var numbers = NameNumbers()

  /// - Parameter names: names that are all different, numbered in their order.
  init(_ names: [String] = []) {
    for name in names { _ = number(of: name) }
  }

  var count: Int { numbers.count }

  /// The offset of each name in `bytes`, and the end of the last one, as 32-bit numbers.
  var offsets: UnsafeRawBufferPointer { numbers.offsets }

  /// The name of a number. It is valid until a name is added.
  @inline(__always)
  subscript(number: Int) -> ByteString { numbers.name(number, in: bytes.base) }

  /// Returns the number of a name, which is added if it is new.
  mutating func number(of name: ByteString) -> Int32 {
    let hash = NameNumbers.hash(of: name)
    return Int32(bitPattern: numbers.number(of: name, hash, in: bytes.base) ?? numbers.add(name, hash, to: &bytes))
  }

  mutating func number(of name: String) -> Int32 {
    var name = name
    return name.withUTF8 { number(of: ByteString(UnsafeRawBufferPointer($0))) }
  }
}
