/// The results of a kept batch in row order: those that the client has, those that are on their way to it, and those that
/// wait. All stay until the batch is removed, so that the client can fetch it again.
struct ResultQueue {
  private var results: [JobResult] = []
  private var sent = 0
  private var acknowledged = 0
  private var bytesUnderWay = 0

  mutating func append(_ result: JobResult) { results.append(result) }

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
  mutating func restart(at row: UInt64) -> Bool {
    let end = results.last?.endRow ?? 0
    guard let index = row == end ? results.count : results.firstIndex(where: { $0.firstRow == row }) else {
      return false
    }
    (sent, acknowledged, bytesUnderWay) = (index, index, 0)
    return true
  }

  /// The bytes of results that were on their way to the client when the last ones were sent.
  var bytesBeforeLastSent: Int { sent > acknowledged ? bytesUnderWay - results[sent - 1].bytes : 0 }
  /// The bytes of columns in memory that the journal has too.
  var storedBytesInMemory: Int {
    results[sent...].reduce(0) { $0 + ($1.stored == nil || $1.columns == nil ? 0 : $1.bytes) }
  }
}
