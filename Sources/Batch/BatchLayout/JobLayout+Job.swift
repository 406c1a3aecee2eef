import Buffers

extension JobLayout {
  /// A part of a rows file that consists of whole lines.
  public struct Job {
    public var lines: ByteString
    /// The number of the first line in the file, from 1.
    public var firstLine: UInt64
    /// The number of the first row in the batch, from 0.
    public var firstRow: UInt64
    /// The name of the file, which errors name if a batch has rows of several files; otherwise empty.
    public var file: String

    public init(lines: ByteString, firstLine: UInt64, firstRow: UInt64, file: String = "") {
      self.lines = lines
      self.firstLine = firstLine
      self.firstRow = firstRow
      self.file = file
    }
  }
}
