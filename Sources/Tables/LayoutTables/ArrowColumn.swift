/// A column of a record batch that will be written. It refers to the buffers of its owner, which must not change until
/// then.
struct ArrowColumn {
  /// The number of values; nil for as many as the batch, or the structure around the column, has.
  private(set) var length: Int?
  let nullCount: Int
  let buffers: [UnsafeRawBufferPointer]
  /// The columns of the values of a list, or of the fields of a structure.
  private(set) var children: [ArrowColumn] = []

  /// Makes a column of numbers, booleans or dictionary indices, one of strings from their offsets and bytes, or one of structures, which
  /// has no values of its own. `validity` has a bit for each value that is set if it is not null.
  init(_ values: UnsafeRawBufferPointer..., validity: UnsafeRawBufferPointer? = nil, nullCount: Int = 0) {
    self.nullCount = nullCount
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    buffers = [nullCount > 0 ? validity ?? none : none] + values
  }

  /// Makes a column of lists of structures.
  ///
  /// - Parameters:
  ///   - offsets: The index of the first structure of each list, and the end of the last list, as 32-bit numbers.
  ///   - count: The number of structures.
  ///   - fields: The columns of the fields of the structures.
  init(listOffsets offsets: UnsafeRawBufferPointer, count: Int, fields: [ArrowColumn]) {
    self.init(offsets)
    var structures = ArrowColumn()
    (structures.length, structures.children) = (count, fields)
    children = [structures]
  }
}

/// The body of a record batch: its buffers in the order in which they are written, and the offset of each.
struct ArrowBody {
  /// The bytes to a multiple of which each buffer is padded, so that readers can map it.
  static let alignment: Int64 = 64

  let rows: Int
  /// The length and the null count of each column.
  private(set) var nodes: [[Int64]] = []
  private(set) var buffers: [UnsafeRawBufferPointer] = []
  /// The offset and the length of each buffer.
  private(set) var ranges: [[Int64]] = []
  private(set) var length: Int64 = 0

  init(rows: Int, _ columns: [ArrowColumn]) {
    self.rows = rows
    for column in columns { append(column, rows: rows) }
  }

  private mutating func append(_ column: ArrowColumn, rows: Int) {
    let count = column.length ?? rows
    nodes.append([Int64(count), Int64(column.nullCount)])
    for buffer in column.buffers {
      buffers.append(buffer)
      ranges.append([length, Int64(buffer.count)])
      length += Self.padded(Int64(buffer.count))
    }
    for child in column.children { append(child, rows: count) }
  }

  static func padded(_ count: Int64) -> Int64 { (count + alignment - 1) / alignment * alignment }
}
