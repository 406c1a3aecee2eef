/// The unacknowledged rows of a batch, counted as the client must count them: until their results are sent or, if the client
/// does not wait for results, until they are stored.
///
/// The client receives both acknowledgements later than they are counted here, so the count of a correct client is never below
/// this one.
struct RowWindow {
  /// The largest window that the client was given, in bytes.
  private var window: UInt64 = 0
  private var underWay: ArraySlice<(endRow: UInt64, bytes: Int)> = []
  private(set) var bytesUnderWay = 0

  /// The sum that `bytesUnderWay` keeps.
  var sum: Int { underWay.reduce(0) { $0 + $1.bytes } }

  /// Changes the window. Chunks that were sent within an earlier window may still arrive.
  mutating func open(_ window: UInt64) { self.window = max(self.window, window) }

  /// Records a received chunk.
  mutating func add(endRow: UInt64, bytes: Int) {
    underWay.append((endRow, bytes))
    bytesUnderWay += bytes
  }

  /// Records that the rows before this one are acknowledged.
  mutating func release(upTo row: UInt64) {
    while let first = underWay.first, first.endRow <= row {
      bytesUnderWay -= first.bytes
      underWay.removeFirst()
    }
  }

  /// Whether the client has exceeded its window. A correct client sends a chunk while fewer bytes than the window are
  /// unacknowledged.
  func isExceeded(_ flow: FlowControl) -> Bool {
    bytesUnderWay > Int(clamping: max(window, UInt64(flow.firstChunk))) + flow.largestChunk
  }
}
