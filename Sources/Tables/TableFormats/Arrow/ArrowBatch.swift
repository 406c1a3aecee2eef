/// A batch of rows in a file.
package struct ArrowBatch: Sendable {
  package let rowCount: Int
  package let columns: [StoredColumn]

  /// - Parameters:
  ///   - table: The table RecordBatch of Arrow's Message.fbs.
  ///   - body: The range in the file to which the offsets of the batch's buffers refer.
  init(_ table: MetadataTable, _ fields: [ArrowField], body: Range<Int>) throws(ArrowFormatError) {
    guard try table.table(3) == nil else { throw ArrowFormatError("it is compressed") }
    let rows = try table.number(0, as: Int64.self)
    guard rows >= 0, rows <= Int64(Int32.max) else { throw .damaged }
    rowCount = Int(rows)
    var layout = BatchLayout(
      nodes: try table.structs(1, size: 2)[...], buffers: try table.structs(2, size: 2)[...], body: body)
    columns = try fields.map { (field) throws(ArrowFormatError) in try layout.next(field, rows: Int(rows)) }
  }
}

/// The nodes and buffers of a batch that are not read yet, in the order in which columns and their children have them.
private struct BatchLayout {
  var nodes: ArraySlice<[Int64]>
  var buffers: ArraySlice<[Int64]>
  /// The range in the file to which the offsets of buffers refer.
  let body: Range<Int>

  /// - Parameter rows: The number of values that the column has; nil for the records of lists, whose number the file states.
  mutating func next(_ field: ArrowField, rows: Int?) throws(ArrowFormatError) -> StoredColumn {
    guard let node = nodes.popFirst(), node[0] >= 0, node[0] <= Int64(Int32.max),
      rows.map({ Int64($0) == node[0] }) ?? true
    else { throw .damaged }
    let rows = Int(node[0])
    var ranges: [Range<Int>] = []
    for _ in 0..<field.type.bufferCount {
      guard let buffer = buffers.popFirst() else { throw .damaged }
      let (offset, length) = (buffer[0], buffer[1])
      guard offset >= 0, length >= 0, offset <= Int64(body.count), length <= Int64(body.count) - offset else {
        throw .damaged
      }
      ranges.append(body.lowerBound + Int(offset)..<body.lowerBound + Int(offset + length))
    }
    let children: [StoredColumn] =
      switch field.type {
      case .list(let item): [try next(item, rows: nil)]
      case .structure(let fields): try fields.map { (field) throws(ArrowFormatError) in try next(field, rows: rows) }
      default: []
      }
    return try StoredColumn(field.type, rows: rows, nullCount: node[1], ranges, children)
  }
}

/// The ranges of the file in which the values of one column of a batch are.
package struct StoredColumn: Sendable {
  package let type: ArrowType
  package let rowCount: Int
  /// A bit for each value that is set if it is not null. The range is empty if no value is null.
  package let validity: Range<Int>
  /// The numbers, bits or dictionary indices; for strings their 32-bit offsets.
  package let values: Range<Int>
  /// The bytes of strings.
  package let bytes: Range<Int>
  /// The column of the records of lists, or the columns of a structure.
  package let children: [StoredColumn]

  /// A column that the file does not have.
  package init(missing type: ArrowType, rows: Int) {
    self.type = type
    rowCount = rows
    (validity, values, bytes, children) = (0..<0, 0..<0, 0..<0, [])
  }

  init(
    _ type: ArrowType, rows: Int, nullCount: Int64, _ buffers: [Range<Int>], _ children: [StoredColumn]
  ) throws(ArrowFormatError) {
    self.type = type
    self.children = children
    rowCount = rows
    validity = nullCount == 0 ? 0..<0 : buffers[0]
    values = buffers.count > 1 ? buffers[1] : 0..<0
    bytes = buffers.count > 2 ? buffers[2] : 0..<0
    guard nullCount == 0 || validity.count >= (rows + 7) / 8,
      values.count >= type.valuesSize(rows: rows) || rows == 0
    else { throw .damaged }
  }
}

/// The values of one column in memory.
@usableFromInline
package struct ArrowColumnView: BitwiseCopyable {
  package let rowCount: Int
  /// A bit for each value that is set if it is not null. It is empty if no value is null.
  @usableFromInline package let validity: UnsafeRawBufferPointer
  /// The numbers, bits or dictionary indices; for strings their 32-bit offsets.
  @usableFromInline package let values: UnsafeRawBufferPointer
  /// The bytes of strings.
  @usableFromInline package let bytes: UnsafeRawBufferPointer

  /// A column without values.
  package static var empty: ArrowColumnView {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    return ArrowColumnView(rowCount: 0, values: none, bytes: none)
  }

  /// - Parameter file: The bytes of the whole file.
  package init(_ column: StoredColumn, in file: UnsafeRawBufferPointer) {
    rowCount = column.rowCount
    validity = UnsafeRawBufferPointer(rebasing: file[column.validity])
    values = UnsafeRawBufferPointer(rebasing: file[column.values])
    bytes = UnsafeRawBufferPointer(rebasing: file[column.bytes])
  }

  /// - Parameters:
  ///   - validity: A bit for each value that is set if it is not null; no bytes if no value is null.
  ///   - values: Enough bytes for the numbers, bits or offsets of `rowCount` values.
  ///   - bytes: The bytes to which the offsets of strings refer.
  package init(
    rowCount: Int, validity: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    values: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer
  ) {
    self.rowCount = rowCount
    self.validity = validity
    self.values = values
    self.bytes = bytes
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
  /// The number of buffers that a column has in a batch.
  fileprivate var bufferCount: Int {
    switch self {
    case .utf8: 3
    case .structure: 1
    default: 2
    }
  }

  /// Returns the number of bytes in the values of a number of rows; for strings, in their offsets.
  package func valuesSize(rows: Int) -> Int {
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
