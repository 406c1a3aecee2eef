import Buffers
import PoolProtocol

/// The journal of a batch: the queue of records to write, the queue of ranges to read, and the journal's condition.
struct BatchJournal {
  enum Append {
    case chunk(RowsChunk<OwnedBytes>)
    case result(JobResult)
    case end(JournalEnd)
  }

  enum Read {
    case chunk(JournalRange)
    /// `fetch`: the value of `ClientConnection.fetch` at that time.
    case results(JobResult, fetch: UInt64)
  }

  var appends = JournalQueue<Append>()
  var reads = JournalQueue<Read>()
  /// Whether rows are lost. The journal is set aside when the batch ends.
  private(set) var isDamaged = false
  /// Whether a damaged record may have contained the last rows.
  private(set) var isDoubtful = false
  /// The bytes of the journal, and of the rows and of the results in it.
  private(set) var bytes = 0
  private(set) var rowBytes = 0
  private(set) var resultBytes = 0
  /// The nanoseconds that the journal had not been written when the coordinator was started; zero once it has, and once a client has
  /// used the batch.
  private(set) var age: UInt64 = 0

  /// Why the journal cannot be written or read now; nil when it can.
  var pauseReason: String? { appends.pause?.reason ?? reads.pause?.reason }

  var isReadingResults: Bool {
    reads.contains {
      if case .results = $0 { true } else { false }
    }
  }

  mutating func noteCreated(bytes: Int) { self.bytes = bytes }

  mutating func recover(bytes: Int, age: UInt64, resultBytes: Int) {
    (self.bytes, self.age, self.resultBytes) = (bytes, age, resultBytes)
  }

  mutating func recoverRows(bytes: Int) { rowBytes += bytes }

  /// Ends the append in progress. Returns it and whether it ends a pause; nil if no append is in progress.
  mutating func finishAppend(bytes: Int) -> (append: Append, endsPause: Bool)? {
    guard let (append, endsPause) = appends.finish() else { return nil }
    (self.bytes, age) = (bytes, 0)
    switch append {
    case .chunk(let chunk): rowBytes += chunk.lines.count
    case .result(let result): resultBytes += result.bytes
    case .end: break
    }
    return (append, endsPause)
  }

  mutating func noteUse() { age = 0 }

  mutating func noteDamage() { isDamaged = true }

  mutating func noteDoubt() { isDoubtful = true }

  /// Records that the batch was cancelled, so that its journal is removed even if it is damaged.
  mutating func forgetDamage() { isDamaged = false }

  /// Records that the journal was removed.
  mutating func noteRemoved() { bytes = 0 }
}
