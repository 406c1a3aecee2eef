/// The results of a kept batch in row order: acknowledged, sent, and waiting ones. All remain until the batch is removed, so
/// that the client can fetch it again.
struct ResultQueue {
  private(set) var results: [JobResult] = []
  private(set) var sent = 0
  private(set) var acknowledged = 0
  private(set) var bytesUnderWay = 0
  /// The row before which the client has all results. Some of these may not be in this queue yet.
  private(set) var firstMissingRow: UInt64 = 0

  /// Adds the next results. Returns false if the client has some of their rows, because it can only use whole runs.
  mutating func append(_ result: JobResult) -> Bool {
    results.append(result)
    guard result.firstRow < firstMissingRow else { return true }
    guard result.endRow <= firstMissingRow else { return false }
    // Columns that are not yet stored have no range in the journal.
    if result.stored != nil { result.columns = nil }
    (sent, acknowledged) = (sent + 1, acknowledged + 1)
    return true
  }

  /// The row after the last one with results in this queue.
  var endRow: UInt64 { results.last?.endRow ?? 0 }

  var isAllSent: Bool { sent == results.count }

  /// The next results to send, if the client's window has room and the journal has them. A client receives only results that
  /// survive a restart.
  func next(window: Int) -> JobResult? {
    guard sent < results.count, bytesUnderWay < window, results[sent].stored != nil else { return nil }
    return results[sent]
  }

  mutating func noteSent() {
    bytesUnderWay += results[sent].bytes
    results[sent].columns = nil
    sent += 1
  }

  /// Removes stored columns from memory.
  func dropStoredColumns() {
    for result in results[sent...].reversed() {
      // Earlier results were dropped before.
      if result.stored != nil && result.columns == nil { break }
      if result.stored != nil { result.columns = nil }
    }
  }

  /// Records that the client has processed the rows before this one.
  mutating func acknowledge(upTo row: UInt64) {
    while acknowledged < sent, results[acknowledged].endRow <= row {
      bytesUnderWay -= results[acknowledged].bytes
      acknowledged += 1
    }
  }

  /// Begins again at a row for a client; false if no results begin there.
  ///
  /// - Parameter limit: The number of rows whose results this queue will have. After a restart of the coordinator, a client can
  ///   connect before the journal was read.
  mutating func restart(at row: UInt64, limit: UInt64) -> Bool {
    let end = endRow
    let known = row >= end ? results.count : results.firstIndex { $0.firstRow == row }
    guard let index = known, row <= max(end, limit) else { return false }
    (sent, acknowledged, bytesUnderWay) = (index, index, 0)
    firstMissingRow = row
    return true
  }

  /// The unacknowledged bytes of results when the last ones were sent.
  var bytesBeforeLastSent: Int { sent > acknowledged ? bytesUnderWay - results[sent - 1].bytes : 0 }
}
