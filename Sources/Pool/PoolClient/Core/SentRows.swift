import Buffers
import PoolProtocol

/// The rows of a batch on their way to a coordinator, within a window of bytes.
struct SentRows {
  private(set) var window = 0
  /// The number of rows that the coordinator has stored.
  private var storedRows: UInt64 = 0
  /// The chunks that may have to be sent again: all until the coordinator accepts the batch, and for a kept batch those that it
  /// has not stored.
  private(set) var unstored: [RowsChunk<OwnedBytes>] = []
  /// The chunks with results that are still missing.
  private(set) var underWay = RowsUnderWay()
  /// Whether all rows were read.
  private(set) var isRead = false

  /// Opens the first, small window for the rows that follow the submission without waiting for its reply.
  ///
  /// - Parameter isShort: Whether all rows fit into one chunk.
  mutating func submit(isShort: Bool) {
    if isShort { window = ProtocolLimits.chunkBytes }
  }

  /// Opens the window with which the coordinator accepts the batch.
  ///
  /// - Parameters:
  ///   - isFirst: Whether the coordinator has not accepted the batch before.
  ///   - sendsAgain: Whether chunks that were sent before are sent again.
  /// - Returns: The chunks to be sent again; nil when it has fewer rows than it confirmed.
  mutating func accept(
    _ accepted: MessageToClient.Accepted, isFirst: Bool, sendsAgain: Bool
  ) -> [RowsChunk<OwnedBytes>]? {
    guard accepted.storedRows >= storedRows else { return nil }
    window = Int(clamping: accepted.window)
    guard !isFirst else {
      defer { if accepted.name.isEmpty { unstored = [] } }
      return sendsAgain ? unstored : []
    }
    releaseStored(upTo: accepted.storedRows, isComplete: accepted.isComplete)
    return unstored
  }

  /// The number of bytes to read next; nil while the window is full, and after the last row.
  ///
  /// - Parameter waitsForResults: Whether only received results make room for further chunks, instead of stored rows.
  func wantedBytes(waitsForResults: Bool) -> Int? {
    let bytes = waitsForResults ? underWay.bytes : unstored.reduce(0) { $0 + $1.lines.count }
    return isRead || bytes >= window ? nil : min(ProtocolLimits.chunkBytes, window)
  }

  /// Records a chunk. Returns whether it is to be sent.
  ///
  /// - Parameter mayRepeat: Whether the chunk may have to be sent again.
  mutating func add(_ chunk: RowsChunk<OwnedBytes>, mayRepeat: Bool) -> Bool {
    if chunk.end != nil { isRead = true }
    guard chunk.rows > 0 || chunk.end != nil else { return false }
    underWay.add(endRow: chunk.endRow, bytes: chunk.lines.count)
    if mayRepeat { unstored.append(chunk) }
    return true
  }

  mutating func noteEnd() { isRead = true }

  /// Records that the results of all rows before `row` were received.
  mutating func release(upTo row: UInt64) { underWay.release(upTo: row) }

  /// Records that the coordinator has stored all rows before `row`.
  mutating func releaseStored(upTo row: UInt64, isComplete: Bool) {
    storedRows = max(storedRows, row)
    unstored.removeAll { $0.endRow <= row && (isComplete || $0.end == nil) }
  }
}
