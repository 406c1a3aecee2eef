import Buffers

extension JobLayout {
  /// A run of whole lines of a rows file.
  public struct Job {
    public var lines: ByteString
    /// Number of the first line in the file, from 1, and of the first row, from 0.
    public var firstLine: UInt64
    public var firstRow: UInt64
    /// The name of the file, which errors give where a batch has rows of several files; else empty.
    public var file: String

    public init(lines: ByteString, firstLine: UInt64, firstRow: UInt64, file: String = "") {
      self.lines = lines
      self.firstLine = firstLine
      self.firstRow = firstRow
      self.file = file
    }

    /// `line 17`, or `more.jsonl line 17`.
    public static func place(file: String, line: UInt64) -> String {
      file.isEmpty ? "line \(line)" : "\(file) line \(line)"
    }
  }
}
