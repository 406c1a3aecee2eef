/// The columns of a batch of rows.
package struct ArrowBatch {
  package let rowCount: Int
  package let columns: [ArrowColumnView]

  /// - Parameters:
  ///   - table: The table RecordBatch of Arrow's Message.fbs.
  ///   - body: The bytes to which the offsets of the batch's buffers refer.
  init(
    _ table: MetadataTable, _ fields: [ArrowField], body: UnsafeRawBufferPointer
  ) throws(ArrowFormatError) {
    guard try table.table(3) == nil else { throw ArrowFormatError("it is compressed") }
    let rows = try table.number(0, as: Int64.self)
    guard rows >= 0, rows <= Int64(Int32.max) else { throw .damaged }
    rowCount = Int(rows)
    let nodes = try table.structs(1, size: 2)
    let buffers = try table.structs(2, size: 2)
    var columns: [ArrowColumnView] = []
    var next = 0
    for (index, field) in fields.enumerated() {
      let count = field.type == .utf8 ? 3 : 2
      guard index < nodes.count, next + count <= buffers.count, nodes[index][0] == rows else { throw .damaged }
      var slices: [UnsafeRawBufferPointer] = []
      for buffer in buffers[next..<next + count] {
        let (offset, length) = (buffer[0], buffer[1])
        guard offset >= 0, length >= 0, offset <= Int64(body.count), length <= Int64(body.count) - offset else {
          throw .damaged
        }
        slices.append(UnsafeRawBufferPointer(rebasing: body[Int(offset)..<Int(offset + length)]))
      }
      next += count
      columns.append(
        try ArrowColumnView(field.type, rows: rowCount, nullCount: nodes[index][1], slices))
    }
    self.columns = columns
  }
}

/// The values of one column in one batch, in the memory of the file.
package struct ArrowColumnView {
  package let rowCount: Int
  /// A bit for each value that is set if it is not null. It is empty if no value is null.
  package let validity: UnsafeRawBufferPointer
  /// The numbers, bits or dictionary indices; for strings their 32-bit offsets.
  package let values: UnsafeRawBufferPointer
  /// The bytes of strings.
  package let bytes: UnsafeRawBufferPointer

  init(
    _ type: ArrowType, rows: Int, nullCount: Int64, _ buffers: [UnsafeRawBufferPointer]
  ) throws(ArrowFormatError) {
    rowCount = rows
    validity = nullCount == 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : buffers[0]
    values = buffers[1]
    bytes = buffers.count > 2 ? buffers[2] : UnsafeRawBufferPointer(start: nil, count: 0)
    guard nullCount == 0 || validity.count >= (rows + 7) / 8,
      values.count >= type.valuesSize(rows: rows) || rows == 0
    else { throw .damaged }
  }

  @inlinable @inline(__always)
  package func number<Number: BitwiseCopyable>(at index: Int, as: Number.Type) -> Number {
    values.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.size, as: Number.self)
  }

  /// Returns the bytes of numbers.
  @inlinable
  package func bytes<Number: BitwiseCopyable>(_ indices: Range<Int>, _: Number.Type) -> UnsafeRawBufferPointer {
    let size = MemoryLayout<Number>.size
    return UnsafeRawBufferPointer(rebasing: values[indices.lowerBound * size..<indices.upperBound * size])
  }

  @inlinable @inline(__always)
  package func bit(at index: Int) -> Bool { values[index >> 3] >> UInt8(index & 7) & 1 != 0 }

  @inlinable @inline(__always)
  package func isNull(at index: Int) -> Bool {
    validity.count > 0 && validity[index >> 3] >> UInt8(index & 7) & 1 == 0
  }

  /// Returns the bytes of a string, or nil if its offsets are damaged.
  @inlinable
  package func string(at index: Int) -> UnsafeRawBufferPointer? {
    let start = Int(number(at: index, as: Int32.self))
    let end = Int(number(at: index + 1, as: Int32.self))
    guard start >= 0, end >= start, end <= bytes.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}

extension ArrowType {
  /// Returns the number of bytes in the values of a number of rows; for strings, in their offsets.
  func valuesSize(rows: Int) -> Int {
    switch self {
    case .uint64, .int64, .float64: 8 * rows
    case .uint32, .int32, .float32: 4 * rows
    case .uint16: 2 * rows
    case .bool: (rows + 7) / 8
    case .utf8, .list: 4 * (rows + 1)
    case .structure: 0
    case .dictionary(_, let indexBits): Int(indexBits) / 8 * rows
    }
  }
}
