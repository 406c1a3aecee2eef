import Buffers

/// A record of the journal of a batch.
public enum JournalRecord: Sendable {
  /// The first record.
  case batch(JournalVersion, BatchDescription)
  /// A chunk of rows as it was received.
  case chunk(LinesHeader, end: InputSummary?, OwnedBytes)
  /// The results of a run of rows: one part of columns per variant. `linesHash`: the XXH3 of the number of the first line and
  /// of the lines, which later shows whether the rows have changed; zero for lost lines. `checksums`: the XXH3 of the columns
  /// of each variant, which the worker has computed.
  case result(firstRow: UInt64, rows: UInt32, linesHash: UInt64, checksums: [UInt64], [OwnedBytes])
  /// The number of all rows, and the description of their input.
  case end(JournalEnd)
}

/// The version of a journal.
public struct JournalVersion: Equatable, Sendable {
  /// The number of the format. Galley 0.4.0 and earlier wrote none, which is read as zero.
  public var format: UInt32
  /// The version of Galley that began the journal.
  public var program: String

  public init(format: UInt32, program: String) { (self.format, self.program) = (format, program) }

  public static let current = JournalVersion(format: 2, program: Version.current)

  /// Whether this version of Galley reads and continues such journals.
  public var isReadable: Bool { format == Self.current.format || (format == 0 && program == "0.4.0") }
}

/// The end of the rows of a batch.
public struct JournalEnd: Equatable, Sendable {
  public var rows: UInt64
  public var input: InputSummary

  public init(rows: UInt64, input: InputSummary) { (self.rows, self.input) = (rows, input) }
}

/// A range of bytes in the journal of a batch.
public struct JournalRange: Equatable, Sendable {
  public var offset: Int
  public var count: Int

  public init(offset: Int, count: Int) { (self.offset, self.count) = (offset, count) }
}

/// The contents of the journal of a batch.
public struct JournalContents: Sendable {
  /// Nil if the first record is damaged or is not that of a batch.
  public var batch: (version: JournalVersion, description: BatchDescription)?
  public var chunks: [Chunk] = []
  /// The end of the rows, if a record has it.
  public var end: JournalEnd?
  /// The results by their first row.
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
  /// The XXH3 of the columns of each variant; none in journals of version 0.5.0 and before.
  public var checksums: [UInt64]

  public init(firstRow: UInt64, rows: UInt32, linesHash: UInt64, columns: [JournalRange], checksums: [UInt64]) {
    (self.firstRow, self.rows, self.linesHash) = (firstRow, rows, linesHash)
    (self.columns, self.checksums) = (columns, checksums)
  }

  public var bytes: Int { columns.reduce(0) { $0 + $1.count } }
  public var endRow: UInt64 { firstRow &+ UInt64(rows) }
}
