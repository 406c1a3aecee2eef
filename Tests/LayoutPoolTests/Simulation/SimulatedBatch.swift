@testable import LayoutPool

/// A batch with its client and its journal.
struct SimulatedBatch {
  enum State {
    case toCome, open, done, cancelled
  }

  /// Times that workers must have gone by chance while they had a row alone before it is given up although it does no
  /// harm: the tries but one, as once it may be taken for the row behind it, when word that it is done gets lost.
  private static let misfortunesOfLostRow = Scheduler.maxTries - 1

  let id: BatchID
  let priority: Int32
  /// Nanoseconds a byte, if such rows were laid out before.
  let cost: Double?
  let rows: UInt64
  /// Rows that do harm.
  let poisons: [UInt64: SimulatedPoison]
  var state = State.toCome
  /// Rows in the chunks that the client has sent so far.
  var sentRows: UInt64 = 0
  /// Whether the client has sent the last chunk, which may be an empty one.
  var isComplete = false
  /// What the client was given.
  var table: [SimulatedRecord] = []

  /// Results of jobs by first row, as the journal keeps them.
  var stored: [UInt64: [SimulatedRecord]] = [:]
  /// Times that a worker went by chance while it had a row alone, by row.
  var misfortunes: [UInt64: Int] = [:]

  var hasMoreToSend: Bool { state == .toCome || state == .open && !isComplete }

  /// What a single process makes of it; rows that do harm are lost.
  var expected: [SimulatedRecord] {
    (0..<rows).map { poisons[$0] == nil ? .laidOut(id, row: $0) : .lost }
  }

  /// Takes results; false if they are not the next, nor what was given for these rows before.
  mutating func take(_ records: [SimulatedRecord], firstRow: UInt64) -> Bool {
    let first = Int(firstRow)
    guard first < table.count else {
      guard first == table.count else { return false }
      table += records
      return true
    }
    return first + records.count <= table.count && table[first..<first + records.count] == records[...]
  }

  /// What is wrong with the table, if anything is.
  var flaw: String? {
    guard table.count == Int(rows) else { return "batch \(id) has \(table.count) of \(rows) rows" }
    for (row, (got, wanted)) in zip(table, expected).enumerated() where got != wanted {
      let count = misfortunes[UInt64(row), default: 0]
      if got == .lost, count >= Self.misfortunesOfLostRow { continue }
      return "row \(row) of batch \(id) is \(got) instead of \(wanted), with \(count) misfortunes"
    }
    return nil
  }
}
