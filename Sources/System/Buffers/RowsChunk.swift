/// A run of whole lines of a batch, from the reader of the rows to the journal of the coordinator. `Content` is the bytes of
/// the lines, or states where they are.
public struct RowsChunk<Content> {
  public var lines: Content
  /// The number of the first line in its file, from 1.
  public var firstLine: UInt64
  /// The index of the first row in the batch.
  public var firstRow: UInt64
  public var rows: UInt32
  /// The name of the file of the lines, if the batch has several files; otherwise empty.
  public var file: String
  /// The whole input, if these are its last lines.
  public var end: InputSummary?

  public init(
    _ lines: Content, firstLine: UInt64, firstRow: UInt64, rows: UInt32, file: String = "", end: InputSummary? = nil
  ) {
    (self.lines, self.firstLine, self.firstRow, self.rows) = (lines, firstLine, firstRow, rows)
    (self.file, self.end) = (file, end)
  }

  /// The index of the row after the last one.
  public var endRow: UInt64 { firstRow &+ UInt64(rows) }

  /// Whether no chunk follows this one.
  public var isLast: Bool { end != nil }

  /// Returns the chunk with `lines`, which are the same lines in another form or memory.
  public func moved<Other>(to lines: Other) -> RowsChunk<Other> {
    RowsChunk<Other>(lines, firstLine: firstLine, firstRow: firstRow, rows: rows, file: file, end: end)
  }
}

extension RowsChunk: Sendable where Content: Sendable {}
extension RowsChunk: Equatable where Content: Equatable {}

/// A description of the input of a batch.
public struct InputSummary: Equatable, Sendable {
  /// The number of bytes of the files as they are stored.
  public var bytes: UInt64
  /// The SHA-256 of these bytes, in the order of the files: `sha256:` and its hexadecimal digits.
  public var hash: String

  public init(bytes: UInt64, hash: String) { (self.bytes, self.hash) = (bytes, hash) }
}
