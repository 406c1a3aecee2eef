import Buffers

/// A record of the journal of a batch.
public enum JournalRecord: Sendable {
  /// The first record.
  case batch(version: String, BatchDescription)
  /// Rows as they came.
  case chunk(LinesHeader, end: InputSummary?, OwnedBytes)
  /// The results of a run of rows: one part of columns per variant. `linesHash`: the XXH3 of the number of the first line
  /// and of the lines, by which it is seen later whether the rows are still the same.
  case result(firstRow: UInt64, rows: UInt32, linesHash: UInt64, [OwnedBytes])
}

/// A range of bytes in the journal of a batch.
public struct JournalRange: Equatable, Sendable {
  public var offset: Int
  public var count: Int

  public init(offset: Int, count: Int) { (self.offset, self.count) = (offset, count) }
}

/// What was read from the journal of a batch.
public struct JournalContents: Sendable {
  /// Nil when the first record is damaged or belongs to something else.
  public var batch: (version: String, description: BatchDescription)?
  public var chunks: [Chunk] = []
  /// By first row.
  public var results: [UInt64: StoredResult] = [:]
  /// The number of records that could not be read.
  public var damaged = 0

  public init() {}

  public struct Chunk: Sendable {
    public var header: LinesHeader
    public var end: InputSummary?
    public var lines: JournalRange

    public init(_ header: LinesHeader, end: InputSummary?, lines: JournalRange) {
      (self.header, self.end, self.lines) = (header, end, lines)
    }
  }
}

/// The results of a run of rows in a journal.
public struct StoredResult: Equatable, Sendable {
  public var firstRow: UInt64
  public var rows: UInt32
  public var linesHash: UInt64
  /// The columns of each variant.
  public var columns: [JournalRange]

  public init(firstRow: UInt64, rows: UInt32, linesHash: UInt64, columns: [JournalRange]) {
    (self.firstRow, self.rows, self.linesHash, self.columns) = (firstRow, rows, linesHash, columns)
  }

  public var bytes: Int { columns.reduce(0) { $0 + $1.count } }
  public var endRow: UInt64 { firstRow &+ UInt64(rows) }
}
