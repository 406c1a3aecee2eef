import Buffers
import LayoutTables
import Processes

/// The destination of an export: standard output or a file. The bytes are collected and written in large parts.
struct ExportOutput: ~Copyable {
  /// The number of bytes that are collected before they are written.
  private static let partSize = 1 << 20

  /// What is not written yet.
  var text = JSONText(capacity: partSize + (64 << 10))
  /// The file; nil for standard output.
  private let file: ResultFile?

  /// - Parameter path: The path of the file, or nil for standard output.
  init(_ path: String?) throws(OutputError) {
    if let path { file = try ResultFile(path) } else { file = nil }
  }

  /// Writes the collected bytes if they are enough for a large part.
  mutating func writePart() throws {
    guard text.count >= Self.partSize else { return }
    try Interruption.check()
    try writeAll()
  }

  /// Writes the remaining bytes, and moves the file to its path.
  mutating func finish() throws {
    try writeAll()
    try file?.complete()
  }

  private mutating func writeAll() throws {
    if file == nil { try Results.write(text.bytes) } else { try file?.write(text.bytes) }
    text.removeAll()
  }
}
