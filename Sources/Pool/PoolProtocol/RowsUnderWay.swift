/// The chunks of rows that a client has sent and that are not acknowledged.
public struct RowsUnderWay {
  /// The row after the last one of each chunk, and the bytes of the chunk.
  package private(set) var chunks: ArraySlice<(endRow: UInt64, bytes: Int)> = []
  /// The bytes of all chunks.
  public private(set) var bytes = 0

  public init() {}

  public mutating func add(endRow: UInt64, bytes: Int) {
    chunks.append((endRow, bytes))
    self.bytes += bytes
  }

  /// Records that the rows before this one are acknowledged.
  public mutating func release(upTo row: UInt64) {
    while let first = chunks.first, first.endRow <= row {
      bytes -= first.bytes
      chunks.removeFirst()
    }
  }

  /// Whether `bytes` is the sum that it keeps.
  package var isConsistent: Bool { bytes == chunks.reduce(0) { $0 + $1.bytes } }
}
