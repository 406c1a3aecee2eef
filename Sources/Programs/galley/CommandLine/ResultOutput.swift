import Buffers
import LayoutTables
import Processes

/// The destination of many results: standard output or a file. The bytes are collected and written in large parts.
struct ResultOutput: ~Copyable {
  /// What is not written yet.
  var text: JSONText
  /// The number of bytes that are collected before they are written.
  private let partSize: Int
  /// The file; nil for standard output.
  private let file: ResultFile?

  /// - Parameter path: The path of the file, or nil for standard output.
  init(_ path: String? = nil, partSize: Int = 1 << 20) throws(OutputError) {
    self.partSize = partSize
    text = JSONText(capacity: partSize + (64 << 10))
    if let path { file = try ResultFile(path) } else { file = nil }
  }

  /// Writes the collected bytes if they are enough for a large part.
  mutating func writePart() throws {
    guard text.count >= partSize else { return }
    try Interruption.check()
    try flush()
  }

  /// Writes the remaining bytes, and moves the file to its path.
  mutating func finish() throws {
    try flush()
    try file?.complete()
  }

  /// Writes what was collected. A file is not complete then.
  mutating func flush() throws {
    if file == nil { try Results.write(text.bytes) } else { try file?.write(text.bytes) }
    text.removeAll()
  }
}
