import Buffers
import TableFormats

/// A reader of a table's records. It keeps a copy of those that it read last, which lie in one batch, unless it has a copy of the
/// whole file. Only one thread uses the object.
///
/// What reads with it throws a `TableError` where the file is damaged, and if it has changed since it was opened.
///
/// - `Columns`: The columns of a table by their names.
package final class TableCursor<Columns> {
  private let table: StoredTable
  /// The table, if its file was copied.
  private var loaded: LoadedTable<Columns>?
  /// The number of records that are read at once when records are read in their order.
  private let recordsAhead: Int
  private let declare: ((ColumnFormat) -> ArrowColumnView) -> Columns
  /// The batch of the records that are kept, and their indices in it.
  private var batch = -1
  private var records = 0..<0
  private var memory = FlatBuffer<UInt8>()
  /// The columns of the records in memory, which are valid until others are read.
  private var columns: Columns?

  /// - Parameter declare: The initializer of the table's columns.
  init(
    _ table: StoredTable, recordsAhead: Int,
    _ declare: @escaping ((ColumnFormat) -> ArrowColumnView) -> Columns
  ) {
    self.table = table
    self.recordsAhead = recordsAhead
    self.declare = declare
  }

  /// Makes the object read from a copy of the whole file, which takes less time for many records in any order.
  func read(from copy: OwnedBytes) { loaded = LoadedTable(table, in: copy, declare) }

  /// Copies the file for records in any order.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  package func copy() throws(TableError) { read(from: try table.file.copy()) }

  /// Calls `body` with the columns of some records in each batch, and with the indices of the records in these columns. The
  /// columns are valid during the call.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, and what `body` throws.
  @inline(__always)
  package func forEachRun(
    _ records: Range<Int>, _ body: (_ columns: Columns, _ indices: Range<Int>) throws(TableError) -> Void
  ) throws(TableError) {
    // The columns refer to the memory of this object.
    defer { withExtendedLifetime(self) {} }
    if let loaded { return try loaded.forEachRun(records, body) }
    try table.index.forEachRun(records) { (batch, indices) throws(TableError) in
      let columns = try load(indices, ofBatch: batch)
      let first = indices.lowerBound - self.records.lowerBound
      try body(columns, first..<first + indices.count)
    }
  }

  /// Reads records, so that they are there when parts of them are used.
  func load(_ records: Range<Int>) throws(TableError) {
    try forEachRun(records) { _, _ in }
  }

  private func load(_ indices: Range<Int>, ofBatch batch: Int) throws(TableError) -> Columns {
    let last = self.batch == batch ? records : 0..<0
    if let columns, last.lowerBound <= indices.lowerBound, indices.upperBound <= last.upperBound { return columns }
    // Records behind those that were read last are probably followed by others that are needed.
    let goesOn =
      !last.isEmpty && indices.upperBound > last.upperBound
      && indices.lowerBound < last.upperBound + recordsAhead
    let end = goesOn ? max(indices.upperBound, indices.lowerBound + recordsAhead) : indices.upperBound
    return try read(indices.lowerBound..<min(end, table.index.count(ofBatch: batch)), ofBatch: batch)
  }

  // MARK: Memory

  /// The alignment of each column in memory.
  private static var alignment: Int { 16 }

  /// Reads records of a batch in place of those that are kept.
  ///
  /// - Throws: `TableError` if the file has changed since it was opened, or cannot be read.
  private func read(_ indices: Range<Int>, ofBatch batch: Int) throws(TableError) -> Columns {
    (self.batch, records, columns) = (-1, 0..<0, nil)
    memory.removeAll()
    // Bits are read from the beginning of a byte, so that they have the indices of the other values.
    let indices = indices.lowerBound & ~7..<indices.upperBound
    let stored = table.columns(ofBatch: batch)
    var values: [Range<Int>] = []
    for column in stored { values.append(try read(column.range(of: indices))) }
    // The strings are found by their offsets, which are read before.
    var strings: [Range<Int>] = []
    for (column, values) in zip(stored, values) { strings.append(try readStrings(column, values)) }
    try table.file.check()
    let bytes = memory.bytes
    let views = zip(values, strings).map { values, strings in
      ArrowColumnView(
        rowCount: indices.count, values: UnsafeRawBufferPointer(rebasing: bytes[values]),
        bytes: UnsafeRawBufferPointer(rebasing: bytes[strings]))
    }
    let columns = StoredTable.columns(views, declare)
    (self.batch, records, self.columns) = (batch, indices, columns)
    return columns
  }

  /// Reads a range of the file behind what is in memory, and returns its range there.
  private func read(_ range: Range<Int>) throws(TableError) -> Range<Int> {
    let start = memory.count
    let room = memory.extend(by: (range.count + Self.alignment - 1) & ~(Self.alignment - 1))
    try table.file.read(range, into: UnsafeMutableRawBufferPointer(start: room, count: range.count))
    return start..<start + range.count
  }

  /// Reads the bytes of a column's strings, and makes their offsets count from the first of these bytes. Strings with
  /// damaged offsets have no bytes, which is an error when they are used.
  private func readStrings(_ column: StoredColumn, _ values: Range<Int>) throws(TableError) -> Range<Int> {
    guard column.type == .utf8 else { return 0..<0 }
    let offsets = UnsafeMutableRawPointer(memory.base + values.lowerBound)
    let last = values.count - MemoryLayout<Int32>.size
    let first = offsets.loadUnaligned(as: Int32.self)
    let limit = Int(offsets.loadUnaligned(fromByteOffset: last, as: Int32.self))
    guard first >= 0, limit >= Int(first), limit <= column.bytes.count else { return 0..<0 }
    for position in stride(from: 0, through: last, by: MemoryLayout<Int32>.size) {
      let offset = offsets.loadUnaligned(fromByteOffset: position, as: Int32.self)
      offsets.storeBytes(of: offset &- first, toByteOffset: position, as: Int32.self)
    }
    return try read(column.bytes.lowerBound + Int(first)..<column.bytes.lowerBound + limit)
  }
}

extension StoredColumn {
  /// Returns the range in the file that has the values of some records. The index of the first record is a multiple of 8, so that
  /// bits begin at a whole byte.
  fileprivate func range(of records: Range<Int>) -> Range<Int> {
    if values.isEmpty { return values }
    let start = values.lowerBound + type.valuesSize(rows: records.lowerBound) - type.valuesSize(rows: 0)
    return start..<start + type.valuesSize(rows: records.count)
  }
}
