@testable import LayoutPool

/// Rows of a simulated batch, as a job carries them.
struct SimulatedLines {
  let batch: BatchID
  let firstRow: UInt64
  let rows: UInt32

  var slice: JobSlice { JobSlice(firstRow: firstRow, rows: rows, bytes: Int(rows) * 100) }
  var range: Range<UInt64> { firstRow..<firstRow + UInt64(rows) }
  /// What laying them out comes to.
  var records: [SimulatedRecord] { range.map { .laidOut(batch, row: $0) } }
}

/// A row in a batch's tables.
enum SimulatedRecord: Equatable {
  case laidOut(BatchID, row: UInt64)
  case lost
}

/// A job as it is sent to a worker.
struct SimulatedOrder {
  let job: JobID
  let attempt: UInt32
  let lines: SimulatedLines
}

/// What a worker says to the coordinator.
enum SimulatedWord {
  case hello
  case started(JobID, UInt32)
  /// Records are nil where the bytes are no table.
  case result(JobID, UInt32, [SimulatedRecord]?, duration: UInt64)
  case missing(JobID, UInt32)
  case goodbye
}

/// What a worker does instead of answering as it should.
enum SimulatedLie: CaseIterable {
  case rowsTooMany, noTable, otherAttempt, otherJob, longDuration, twice
}

/// A row that ends whoever lays it out, or that never ends.
enum SimulatedPoison {
  case deadly, endless
}

/// A worker process and its connection.
struct SimulatedWorker {
  /// The connection's, by which the coordinator knows it.
  var name: Int
  var isAlive = true
  /// It does nothing before this time, in nanoseconds.
  var hangsUntil: UInt64 = 0
  /// Moves that it takes for a job beyond those that it needs.
  var slowness = 0
  var delay = 0
  var lie: SimulatedLie?
  /// It does not have the program of its next job.
  var lacksProgram = false
  var current: SimulatedOrder?
  /// On their way to it and from it, the first sent first.
  var orders: [SimulatedOrder] = []
  var words: [SimulatedWord] = []

  init(name: Int) {
    self.name = name
    words = [.hello]
  }

  func canWork(at now: UInt64) -> Bool {
    isAlive && hangsUntil <= now && (current != nil || !orders.isEmpty)
  }

  /// The process ends; of its last words so many never leave it.
  mutating func die(losing unsent: Int) {
    isAlive = false
    current = nil
    orders.removeAll()
    words.removeLast(min(unsent, words.count))
  }

  /// Another process in its place.
  mutating func restart(name: Int) {
    let late = name == self.name ? words : []
    self = SimulatedWorker(name: name)
    words = late + words
  }
}
