import PoolMessages
import ZeroMQ

/// What a coordinator keeps of a batch: what was asked, the rows, and the results as they come.
final class BatchJournal {
  let file: JournalFile

  /// Rows that came together.
  struct StoredChunk {
    let message: PoolFromClient.Chunk
    let lines: JournalFile.Place
  }

  /// The results of a job: its rows, and where the columns of each variant lie.
  struct StoredResult {
    let firstRow: UInt64
    let rows: UInt32
    let inputHash: UInt64
    let columns: [JournalFile.Place]

    var bytes: Int { columns.reduce(0) { $0 + $1.count } }
  }

  /// A batch as its journal has it.
  struct Contents {
    var batch = PoolJournalRecord.Batch()
    var chunks: [StoredChunk] = []
    /// By first row.
    var results: [UInt64: StoredResult] = [:]
    /// Records that could not be read.
    var damaged = 0
  }

  /// Begins the journal of a batch.
  init(creating path: String, _ batch: PoolJournalRecord.Batch) throws(JournalError) {
    file = try JournalFile(path, creating: true)
    var record = PoolJournalRecord()
    record.batch = batch
    _ = try file.append(record)
  }

  private init(_ file: JournalFile) { self.file = file }

  /// Reads a journal to go on with it.
  static func recover(_ path: String) throws(JournalError) -> (journal: BatchJournal, contents: Contents) {
    let file = try JournalFile(path, creating: false)
    var contents = Contents()
    var isFirst = true
    try file.forEachRecord { (record, frames) throws(JournalError) in
      defer { isFirst = false }
      switch record?.record {
      case .batch(let batch)? where isFirst: contents.batch = batch
      case .chunk(let message)? where frames.count == 1:
        contents.chunks.append(StoredChunk(message: message, lines: frames[0]))
      case .result(let result)?:
        contents.results[result.firstRow] = StoredResult(
          firstRow: result.firstRow, rows: result.rows, inputHash: result.inputHash, columns: frames)
      default: contents.damaged += 1
      }
    }
    guard !contents.batch.variants.isEmpty else { throw JournalError(path, reason: "is not the journal of a batch") }
    return (BatchJournal(file), contents)
  }

  /// Stores rows; answers where.
  func append(_ chunk: PoolFromClient.Chunk, _ lines: Frame) throws(JournalError) -> JournalFile.Place? {
    var record = PoolJournalRecord()
    record.chunk = chunk
    return try file.append(record, [lines]).first
  }

  /// Stores the results of a job.
  func append(_ job: JobBytes, _ columns: [Frame]) throws(JournalError) -> StoredResult {
    var record = PoolJournalRecord()
    record.result.firstRow = job.firstRow
    record.result.rows = job.rows
    record.result.inputHash = job.hash
    return StoredResult(
      firstRow: job.firstRow, rows: job.rows, inputHash: job.hash, columns: try file.append(record, columns))
  }
}
