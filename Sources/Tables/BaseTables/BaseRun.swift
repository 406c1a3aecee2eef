import Buffers
import Hashing
import LayoutTables
import ListTables
import RowsFiles

/// A run that takes the rows that an earlier run has laid out from its tables.
///
/// It is between the reader of the rows and the writer of the tables: it passes on only the rows that must be laid out,
/// and composes their results and the rows of the earlier run in the order of all rows. The results are those of a run
/// without an earlier one, byte for byte.
public final class BaseRun: RowsSource {
  /// Writes the columns of rows, one part for each variant.
  public typealias Write = (_ rows: Int, _ columns: [OwnedBytes]) throws -> Void

  /// The number of bytes of rows that are compared at a time.
  private static let chunkBytes = 1 << 20
  /// The number of rows after which composed columns are written.
  private static let composedRows = 8192
  /// The number of rows that are composed before their size is compared with the limit.
  private static let rowsAtOnce = 256
  /// The number of bytes of composed columns after which they are written.
  private static let composedBytes = 32 << 20

  private let base: BaseTables
  private let rows: any RowsSource
  private var index: BaseIndex
  private var plan = RowPlan()
  /// The lines that must be laid out and were not returned yet.
  private var pending = FlatBuffer<UInt8>(capacity: chunkBytes)
  private var pendingRows: UInt32 = 0
  /// The number of rows to lay out that were returned so far.
  private var returnedRows: UInt64 = 0
  private var isAtEnd = false
  private let composed: [ComposedColumns]
  /// The number of rows that were composed so far.
  private var composedRows: UInt64 = 0
  private var unwrittenRows = 0
  private let typeCount: Int

  /// The number of rows that were taken from the earlier run so far.
  public private(set) var takenRows: UInt64 = 0

  /// - Parameters:
  ///   - rows: All rows of the run.
  ///   - typeCount: The number of types of frames.
  public init(_ base: BaseTables, rows: any RowsSource, typeCount: Int) {
    self.base = base
    self.rows = rows
    self.typeCount = typeCount
    index = BaseIndex(base)
    composed = base.variants.map { ComposedColumns($0) }
  }

  // MARK: Rows to lay out

  public var contentSize: Int? { rows.contentSize }
  public var bytesRead: Int { rows.bytesRead }
  public var inputHash: String { rows.inputHash }

  /// Returns the next rows that must be laid out. They are numbered among themselves.
  public func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsReader.Chunk? {
    while !isAtEnd, pending.count < wanted {
      guard let chunk = try rows.next(bytes: Self.chunkBytes, copy: { OwnedBytes(copying: $0) }) else {
        isAtEnd = true
        break
      }
      compare(chunk)
      isAtEnd = chunk.isLast
    }
    guard pendingRows > 0 else { return nil }
    defer {
      returnedRows += UInt64(pendingRows)
      pendingRows = 0
      pending.removeAll()
    }
    // The first line of a file may have a byte order mark, which is removed. These lines have none that is not a part of
    // the row, so that they begin at line 2.
    return RowsReader.Chunk(
      lines: copy(UnsafeRawBufferPointer(pending.bytes)), firstLine: returnedRows + 2, firstRow: returnedRows,
      rows: pendingRows, isLast: isAtEnd, file: "")
  }

  private func compare(_ chunk: RowsReader.Chunk) {
    chunk.lines.withBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var line = chunk.firstLine
      while let (text, _) = lines.next() {
        defer { line += 1 }
        guard let row = text.row(inLine: line) else { continue }
        if let known = index.find(RowHash(row.bytes, hasOwnID: false)) {
          plan.addTaken(known)
        } else {
          plan.addChanged(RowPlan.Place(file: chunk.file, line: line))
          pending.append(contentsOf: row.bytes)
          pending.append(UInt8(ascii: "\n"))
          pendingRows += 1
        }
      }
    }
  }

  // MARK: Results

  /// Adds the results of the next rows that were laid out, one part for each variant, and writes what is complete.
  ///
  /// - Throws: `JobTable.Malformed`, `TableError`, or what `write` throws.
  public func take(_ count: Int, _ columns: [OwnedBytes], _ write: Write) throws {
    var received: [ReceivedRows] = []
    for part in columns { received.append(ReceivedRows(try JobTable(part.bytes, rows: count, typeCount: typeCount))) }
    defer { withExtendedLifetime(columns) {} }
    try composeTaken(write)
    for _ in 0..<count {
      composeChanged(&received)
      try writeIfFull(write)
      try composeTaken(write)
    }
  }

  /// Writes the remaining rows, after the results of all rows that were laid out.
  public func finish(_ write: Write) throws {
    try composeTaken(write)
    try writeComposed(write)
  }

  /// Composes the rows of the earlier run that are next.
  private func composeTaken(_ write: Write) throws {
    while case .taken(let rows) = plan.next {
      let part = rows.prefix(min(Self.rowsAtOnce, Self.composedRows - unwrittenRows))
      let hashes = part.map { base.hash(of: $0) }
      for variant in composed { try variant.append(part, hashes, number: composedRows) }
      for hash in hashes { composed[0].job.append(hash) }
      plan.remove(part.count)
      takenRows += UInt64(part.count)
      add(part.count)
      try writeIfFull(write)
    }
  }

  private func composeChanged(_ received: inout [ReceivedRows]) {
    let place = plan.removePlace()
    plan.remove(1)
    let hash = received[0].nextHash
    let position = LinePosition.text(file: place.file, line: place.line)
    for variant in composed.indices {
      received[variant].moveNext(
        to: &composed[variant].job, hasOwnID: hash.hasOwnID, number: composedRows, position: position)
    }
    composed[0].job.append(hash)
    add(1)
  }

  private func add(_ rows: Int) {
    composedRows += UInt64(rows)
    unwrittenRows += rows
  }

  private func writeIfFull(_ write: Write) throws {
    if unwrittenRows >= Self.composedRows || composed[0].job.encodedSize >= Self.composedBytes {
      try writeComposed(write)
    }
  }

  private func writeComposed(_ write: Write) throws {
    guard unwrittenRows > 0 else { return }
    try write(unwrittenRows, composed.map { OwnedBytes($0.job) })
    for variant in composed { variant.removeAll() }
    unwrittenRows = 0
  }
}
