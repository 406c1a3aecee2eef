/// A builder of FlatBuffers, as far as Arrow's metadata need them. The buffer is written back to front, so that
/// everything to which an object refers is written before it. Offsets count from the end of the buffer.
struct MetadataBuilder {
  /// The bytes of the buffer in reverse order.
  private var reversed: [UInt8] = []

  private var size: Int { reversed.count }

  mutating func push<Number: FixedWidthInteger>(_ number: Number) {
    align(MemoryLayout<Number>.size)
    withUnsafeBytes(of: number.littleEndian) { reversed += $0.reversed() }
  }

  private mutating func align(_ alignment: Int, before additional: Int = 0) {
    while (size + additional) % alignment != 0 { reversed.append(0) }
  }

  mutating func string(_ text: String) -> Int {
    let utf8 = Array(text.utf8)
    align(4, before: utf8.count + 1)
    reversed.append(0)
    reversed += utf8.reversed()
    push(UInt32(utf8.count))
    return size
  }

  mutating func vector(of offsets: [Int]) -> Int {
    align(4)
    for offset in offsets.reversed() { pushOffset(offset) }
    push(UInt32(offsets.count))
    return size
  }

  /// Writes a vector of structs of 64-bit numbers, and returns its offset.
  mutating func vector(ofStructs structs: [[Int64]]) -> Int {
    align(8)
    for fields in structs.reversed() { for field in fields.reversed() { push(field) } }
    push(UInt32(structs.count))
    return size
  }

  private mutating func pushOffset(_ offset: Int) {
    align(4)
    push(UInt32(size + 4 - offset))
  }

  /// A field of a table.
  enum Field {
    case absent
    case int8(Int8)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case offset(Int)
  }

  /// Writes a table and its vtable, and returns the table's offset. The fields are in the order of the schema.
  mutating func table(_ fields: [Field]) -> Int {
    let end = size
    var fieldOffsets = [Int](repeating: 0, count: fields.count)
    for (index, field) in fields.enumerated().reversed() {
      switch field {
      case .absent: continue
      case .int8(let value): push(value)
      case .int16(let value): push(value)
      case .int32(let value): push(value)
      case .int64(let value): push(value)
      case .offset(let offset): pushOffset(offset)
      }
      fieldOffsets[index] = size
    }
    align(4)
    // The table begins with the signed distance to its vtable, which is directly before the table.
    let vtableSize = 4 + 2 * fields.count
    push(Int32(vtableSize))
    let table = size
    for offset in fieldOffsets.reversed() { push(UInt16(offset == 0 ? 0 : table - offset)) }
    push(UInt16(table - end))
    push(UInt16(vtableSize))
    return table
  }

  /// Finishes the buffer with the offset of its root, aligned for all fields, and returns its bytes.
  mutating func finish(_ root: Int) -> [UInt8] {
    align(8, before: 4)
    pushOffset(root)
    return reversed.reversed()
  }
}
