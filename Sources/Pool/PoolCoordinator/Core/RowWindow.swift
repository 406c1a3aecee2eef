/// The rows of a batch that its client has under way, counted as the client has to count them: until their results are
/// sent or, where the client does not wait for results, until they are stored.
///
/// The client learns of both later than they are counted here, so the count of a correct client is never below this one.
struct RowWindow {
  /// The largest window that the client was given, in bytes.
  private var window: UInt64 = 0
  private var underWay: ArraySlice<(endRow: UInt64, bytes: Int)> = []
  private(set) var bytesUnderWay = 0

  /// The sum that `bytesUnderWay` keeps.
  var sum: Int { underWay.reduce(0) { $0 + $1.bytes } }

  /// The client may have this many bytes under way. What it sent within an earlier window may still come.
  mutating func open(_ window: UInt64) { self.window = max(self.window, window) }

  /// A chunk was received.
  mutating func add(endRow: UInt64, bytes: Int) {
    underWay.append((endRow, bytes))
    bytesUnderWay += bytes
  }

  /// The rows before this one are no longer under way.
  mutating func release(upTo row: UInt64) {
    while let first = underWay.first, first.endRow <= row {
      bytesUnderWay -= first.bytes
      underWay.removeFirst()
    }
  }

  /// Whether the client has more under way than a client that keeps its window can have: it sends a chunk as long as less
  /// than the window is under way.
  func isExceeded(_ flow: FlowControl) -> Bool {
    bytesUnderWay > Int(clamping: max(window, UInt64(flow.firstChunk))) + flow.largestChunk
  }
}
