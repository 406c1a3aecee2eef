import Buffers

/// A record of the journal of a batch. `Part` is the bytes of its parts, or the range in the journal where they are.
public enum JournalRecord<Part: Sendable>: Sendable {
  /// The first record.
  case batch(JournalVersion, BatchDescription)
  /// A chunk of rows as it was received.
  case chunk(RowsChunk<Part>)
  /// The results of a run of rows: one part of columns per variant.
  case result(ResultRun<[Part]>)
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
public typealias JournalRange = Range<Int>

/// The contents of the journal of a batch.
public struct JournalContents: Sendable {
  /// Nil if the first record is damaged or is not that of a batch.
  public var batch: (version: JournalVersion, description: BatchDescription)?
  public var chunks: [RowsChunk<JournalRange>] = []
  /// The end of the rows, if a record has it.
  public var end: JournalEnd?
  /// The results by their first row.
  public var results: [UInt64: ResultRun<[JournalRange]>] = [:]
  /// The number of records that could not be read.
  public var damaged = 0

  public init() {}
}

extension [JournalRange] {
  /// The number of bytes of all ranges.
  public var bytes: Int { reduce(0) { $0 + $1.count } }
}
