import TableFormats

/// A copy of some consecutive records of a table, which is replaced when others are needed.
///
/// The records lie in one batch. Only one thread uses the object.
final class TableWindow {
  let table: StoredTable
  /// The batch of the records, and their indices in it.
  private(set) var batch = -1
  private(set) var records = 0..<0
  /// The columns of the records, which are valid until others are loaded.
  private(set) var columns: [ArrowColumnView] = []
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// The alignment of each column in memory.
  private static let alignment = 16

  init(_ table: StoredTable) { self.table = table }

  deinit { memory.deallocate() }

  func holds(_ indices: Range<Int>, ofBatch batch: Int) -> Bool {
    self.batch == batch && records.lowerBound <= indices.lowerBound && indices.upperBound <= records.upperBound
  }

  /// Reads records of a batch.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  func load(_ indices: Range<Int>, ofBatch batch: Int) throws(TableError) {
    (self.batch, records, columns) = (-1, 0..<0, [])
    // Bits are read from the beginning of a byte, so that they have the indices of the other values.
    let indices = indices.lowerBound & ~7..<indices.upperBound
    let stored = table.columns(ofBatch: batch)
    var end = 0
    var values: [Range<Int>] = []
    for column in stored {
      let range = column.range(of: indices)
      values.append(try read(range, at: &end))
    }
    // The strings are found by their offsets, which are read before.
    var strings: [Range<Int>] = []
    for (column, values) in zip(stored, values) { strings.append(try readStrings(column, values, at: &end)) }
    try table.file.check()
    columns = zip(values, strings).map { values, strings in
      ArrowColumnView(
        rowCount: indices.count, values: UnsafeRawBufferPointer(rebasing: memory[values]),
        bytes: UnsafeRawBufferPointer(rebasing: memory[strings]))
    }
    (self.batch, records) = (batch, indices)
  }

  /// Reads a range of the file into memory, and returns its range there.
  private func read(_ range: Range<Int>, at end: inout Int) throws(TableError) -> Range<Int> {
    let start = end
    end += (range.count + Self.alignment - 1) & ~(Self.alignment - 1)
    reserve(end)
    let room = start..<start + range.count
    try table.file.read(range, into: UnsafeMutableRawBufferPointer(rebasing: memory[room]))
    return room
  }

  /// Reads the bytes of a column's strings, and makes their offsets count from the first of these bytes. Strings with
  /// damaged offsets have no bytes, which is an error when they are used.
  private func readStrings(_ column: StoredColumn, _ values: Range<Int>, at end: inout Int) throws(TableError) -> Range<
    Int
  > {
    guard column.type == .utf8 else { return 0..<0 }
    let offsets = UnsafeMutableRawBufferPointer(rebasing: memory[values])
    let last = values.count - MemoryLayout<Int32>.size
    let first = offsets.loadUnaligned(as: Int32.self)
    let limit = Int(offsets.loadUnaligned(fromByteOffset: last, as: Int32.self))
    guard first >= 0, limit >= Int(first), limit <= column.bytes.count else { return 0..<0 }
    for position in stride(from: 0, through: last, by: MemoryLayout<Int32>.size) {
      let offset = offsets.loadUnaligned(fromByteOffset: position, as: Int32.self)
      offsets.storeBytes(of: offset &- first, toByteOffset: position, as: Int32.self)
    }
    return try read(column.bytes.lowerBound + Int(first)..<column.bytes.lowerBound + limit, at: &end)
  }

  /// Makes room for a number of bytes, and keeps those that are there.
  private func reserve(_ count: Int) {
    guard count > memory.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(count, 2 * memory.count), alignment: Self.alignment)
    larger.copyMemory(from: UnsafeRawBufferPointer(memory))
    memory.deallocate()
    memory = larger
  }
}

extension StoredColumn {
  /// Returns the range in the file of the values of some records, of which the first begins a byte.
  fileprivate func range(of records: Range<Int>) -> Range<Int> {
    if values.isEmpty { return values }
    let start = values.lowerBound + type.valuesSize(rows: records.lowerBound) - type.valuesSize(rows: 0)
    return start..<start + type.valuesSize(rows: records.count)
  }
}
