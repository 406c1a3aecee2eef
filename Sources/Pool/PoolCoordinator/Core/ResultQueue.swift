/// The results of a kept batch in row order: those that the client has, those that are on their way to it, and those that
/// wait. All stay until the batch is removed, so that the client can fetch it again.
struct ResultQueue {
  private(set) var results: [JobResult] = []
  private(set) var sent = 0
  private(set) var acknowledged = 0
  private(set) var bytesUnderWay = 0
  /// The row before which the client has all results, though some of them are not here yet.
  private(set) var firstMissingRow: UInt64 = 0

  /// Adds the next results. Returns false if the client has a part of them: results of another run of rows are of no use to it.
  mutating func append(_ result: JobResult) -> Bool {
    results.append(result)
    guard result.firstRow < firstMissingRow else { return true }
    guard result.endRow <= firstMissingRow else { return false }
    // Columns that are not stored yet are still to be written.
    if result.stored != nil { result.columns = nil }
    (sent, acknowledged) = (sent + 1, acknowledged + 1)
    return true
  }

  /// The row after the last one whose results are here.
  var endRow: UInt64 { results.last?.endRow ?? 0 }

  var isAllSent: Bool { sent == results.count }

  /// The results that are the next to be sent, if the client has room for them and the journal has them: a client gets
  /// nothing that a restart could lose.
  func next(window: Int) -> JobResult? {
    guard sent < results.count, bytesUnderWay < window, results[sent].stored != nil else { return nil }
    return results[sent]
  }

  mutating func noteSent() {
    bytesUnderWay += results[sent].bytes
    results[sent].columns = nil
    sent += 1
  }

  /// Removes the columns from memory that the journal has.
  func dropStoredColumns() {
    for result in results[sent...].reversed() {
      // Those in front were dropped before.
      if result.stored != nil && result.columns == nil { break }
      if result.stored != nil { result.columns = nil }
    }
  }

  /// The client has processed the rows before this one.
  mutating func acknowledge(upTo row: UInt64) {
    while acknowledged < sent, results[acknowledged].endRow <= row {
      bytesUnderWay -= results[acknowledged].bytes
      acknowledged += 1
    }
  }

  /// Begins again at a row for a client; false if no results begin there.
  ///
  /// - Parameter limit: The number of rows whose results will be here. After a restart of the coordinator, a client can come
  ///   back before its journal was read.
  mutating func restart(at row: UInt64, limit: UInt64) -> Bool {
    let end = endRow
    let known = row >= end ? results.count : results.firstIndex { $0.firstRow == row }
    guard let index = known, row <= max(end, limit) else { return false }
    (sent, acknowledged, bytesUnderWay) = (index, index, 0)
    firstMissingRow = row
    return true
  }

  /// The bytes of results that were on their way to the client when the last ones were sent.
  var bytesBeforeLastSent: Int { sent > acknowledged ? bytesUnderWay - results[sent - 1].bytes : 0 }
  /// The bytes of columns in memory that the journal has too.
  var storedBytesInMemory: Int {
    results[sent...].reduce(0) { $0 + ($1.stored == nil || $1.columns == nil ? 0 : $1.bytes) }
  }
}
