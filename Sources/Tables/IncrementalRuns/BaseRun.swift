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
  /// Writes the columns of rows in each variant, which are valid during the call.
  ///
  /// - Parameter bytes: The approximate number of bytes of input up to the end of these rows.
  public typealias Write = (_ variants: [JobTable], _ bytes: Int) throws -> Void

  /// The number of rows that are composed before their size is compared with the limit.
  private static let rowsAtOnce = 256
  /// The number of rows after which composed columns are written.
  private static let composedRows = 8192
  /// The number of bytes of composed columns after which they are written.
  private static let composedBytes = 32 << 20
  /// The number of bytes of all rows after which those that must be laid out are returned, though they are few or none:
  /// the caller can then add results, for which other rows wait.
  private static let bytesOfAllRows = 4 << 20

  /// The tables of the earlier run are copied when its rows are out of order for the time with this number.
  private static let jumpsUntilCopy = 1000

  private let base: BaseTables
  private let rows: any RowsSource
  private let comparison: RowComparison
  private var plan = RowPlan()
  private let write: Write

  /// The lines that must be laid out and were not returned yet.
  private var pending: [UInt8] = []
  private var pendingRows = 0
  /// The number of rows to lay out that were returned so far.
  private var returnedRows: UInt64 = 0
  private var isAtEnd = false
  private var hasReturnedLast = false

  private let composed: [ComposedColumns]
  /// The number of rows that were composed so far.
  private var composedRows: UInt64 = 0
  private var unwrittenRows = 0
  /// The row of the earlier run after the one that was taken last, and how often a row before it or far behind it was next.
  private var expectedRow = 0
  private var jumps = 0

  /// The number of rows that were taken from the earlier run so far.
  public private(set) var takenRows: UInt64 = 0
  /// The number of bytes read so far, as they are stored.
  public private(set) var bytesRead = 0

  /// - Parameter rows: All rows of the run. Only this object may use them until it returns no more rows.
  public init(_ base: BaseTables, rows: any RowsSource, write: @escaping Write) {
    self.base = base
    self.rows = rows
    self.write = write
    contentSize = rows.contentSize
    comparison = RowComparison(base, rows)
    composed = base.variants.map { ComposedColumns($0, hasLines: base.hasLines) }
  }

  /// Ends the run before the end of its rows. Returns when the thread that reads them has ended, which waits for a read in progress.
  /// It must be called at most once.
  public func stop() { comparison.stop() }

  // MARK: Rows to lay out

  public let contentSize: Int?
  public var input: InputSummary { rows.input }

  /// Returns the next rows that must be laid out. They are numbered among themselves. Writes rows of the earlier run
  /// that need not wait for them. A chunk may have no rows.
  ///
  /// - Throws: `RowsError`.
  public func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsChunk<OwnedBytes>? {
    let start = bytesRead
    while !isAtEnd, pending.count < wanted, bytesRead - start < Self.bytesOfAllRows,
      pending.isEmpty || comparison.isReady
    {
      guard let compared = try comparison.next() else {
        isAtEnd = true
        break
      }
      plan.add(compared)
      pending += compared.lines
      pendingRows += compared.positions.count
      bytesRead = compared.bytesRead
      composeTakenRows()
    }
    // The last chunk states that it is the last one, also if it has no rows: a batch is complete only with that.
    guard !hasReturnedLast else { return nil }
    hasReturnedLast = isAtEnd
    defer {
      returnedRows += UInt64(pendingRows)
      pendingRows = 0
      pending.removeAll(keepingCapacity: true)
    }
    // The first line of a file may have a byte order mark, which is removed. These lines have none that is not a part of
    // the row, so that they begin at line 2.
    return RowsChunk(
      pending.withUnsafeBytes(copy), firstLine: returnedRows + 2, firstRow: returnedRows,
      rows: UInt32(truncatingIfNeeded: pendingRows), end: isAtEnd ? input : nil)
  }

  // MARK: Results

  /// Adds the results of the next rows that were laid out, in each variant, and writes what is complete.
  ///
  /// - Throws: `TableError`, or what the writer throws.
  public func take(_ variants: [JobTable]) throws {
    try throwFailure()
    var received = variants.map { JobPart(beginningOf: $0) }
    try composeTaken()
    for _ in 0..<variants.rowCount {
      composeChanged(&received)
      try writeIfFull()
      try composeTaken()
    }
  }

  /// Writes the remaining rows, after the results of all rows that were laid out.
  public func finish() throws {
    try throwFailure()
    try composeTaken()
    try writeComposed()
  }

  /// The error of rows that were composed while rows were read, which is thrown when results are taken.
  private var failure: (any Error)?

  private func throwFailure() throws {
    if let failure { throw failure }
  }

  private func composeTakenRows() {
    guard failure == nil else { return }
    do { try composeTaken() } catch { failure = error }
  }

  /// Composes the rows of the earlier run that are next.
  private func composeTaken() throws {
    while case .taken(let rows) = plan.next {
      let part = rows.prefix(min(Self.rowsAtOnce, Self.composedRows - unwrittenRows))
      try copyTables(ifUnordered: part)
      let hashes = part.map { base.hash(of: $0) }
      for variant in composed { try variant.append(part, hashes, number: composedRows) }
      for hash in hashes { composed[0].job.append(hash) }
      plan.remove(part.count)
      takenRows += UInt64(part.count)
      add(part.count)
      try writeIfFull()
    }
  }

  /// Copies the tables of the earlier run when the next rows are out of order for the `jumpsUntilCopy`th time.
  private func copyTables(ifUnordered rows: Range<Int>) throws(TableError) {
    defer { expectedRow = rows.upperBound }
    guard !(expectedRow..<expectedRow + Self.rowsAtOnce).contains(rows.lowerBound) else { return }
    jumps += 1
    guard jumps == Self.jumpsUntilCopy, base.areCopied else { return }
    for variant in composed { try variant.copyTables() }
  }

  /// Composes the row that follows the received ones that were composed before.
  private func composeChanged(_ received: inout [JobPart]) {
    let position = plan.removePosition()
    plan.remove(1)
    for variant in composed.indices { received[variant] = JobPart(after: received[variant], rows: 1) }
    let hash = received[0].job.hash(of: received[0][.rows].lowerBound)
    for (variant, row) in zip(composed, received) {
      variant.append(row, hasOwnID: hash.hasOwnID, number: composedRows, position)
    }
    composed[0].job.append(hash)
    add(1)
  }

  private func add(_ rows: Int) {
    composedRows += UInt64(rows)
    unwrittenRows += rows
  }

  /// The number of bytes of the composed columns of all variants.
  private var composedSize: Int { composed.reduce(0) { $0 + $1.job.encodedSize } }

  private func writeIfFull() throws {
    if unwrittenRows >= Self.composedRows || composedSize >= Self.composedBytes {
      try writeComposed()
    }
  }

  private func writeComposed() throws {
    guard unwrittenRows > 0 else { return }
    try withExtendedLifetime(composed) { try write(composed.map { JobTable($0.job) }, bytesRead) }
    for variant in composed { variant.removeAll() }
    unwrittenRows = 0
  }
}
