import Buffers
import PoolProtocol

/// The results of a batch that its client has not received.
struct BatchResults {
  /// The results from before a restart whose rows are not yet cut into jobs, by first row.
  private(set) var recovered: [UInt64: ResultRun<[JournalRange]>] = [:]
  /// The results of a kept batch.
  var queue = ResultQueue()
  /// Results that wait to be sent in one message with later ones, in row order.
  private(set) var unsent: [ResultRun<[OwnedBytes]>] = []
  /// The time of the last message with results, in nanoseconds.
  private(set) var flushedAt: UInt64 = 0
  /// Whether the batch is listed in `CoordinatorCore.unflushed`.
  private(set) var awaitsFlush = false

  /// The number of recovered rows, and the row after the last of them.
  var recoveredRows: UInt64 { recovered.values.reduce(0) { $0 + UInt64($1.rows) } }
  var recoveredEnd: UInt64 { recovered.values.reduce(0) { max($0, $1.endRow) } }

  mutating func recover(_ results: [UInt64: ResultRun<[JournalRange]>]) { recovered = results }

  mutating func takeRecovered(at row: UInt64) -> ResultRun<[JournalRange]>? { recovered.removeValue(forKey: row) }

  mutating func enqueue(_ results: ResultRun<[OwnedBytes]>) { unsent.append(results) }

  /// Returns the results to send at once.
  mutating func takeUnsent(at now: UInt64) -> [ResultRun<[OwnedBytes]>] {
    flushedAt = now
    defer { unsent.removeAll(keepingCapacity: true) }
    return unsent
  }

  /// Drops the unsent results of a client that has disconnected or begins again at another row.
  mutating func dropUnsent() { unsent = [] }

  /// Lists the batch among those with unsent results. Returns false if it is listed already.
  mutating func awaitFlush() -> Bool {
    defer { awaitsFlush = true }
    return !awaitsFlush
  }

  mutating func endAwaitingFlush() { awaitsFlush = false }
}
