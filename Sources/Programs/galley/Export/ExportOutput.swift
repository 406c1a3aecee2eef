import Buffers
import Glibc
import LayoutTables
import Processes

/// The destination of an export: standard output or a file. The bytes are collected and written in large parts.
struct ExportOutput: ~Copyable {
  /// The number of bytes that are collected before they are written.
  private static let partSize = 1 << 20

  /// The bytes that are not written yet.
  var buffer = FlatBuffer<UInt8>(capacity: partSize + (64 << 10))
  /// The file; nil for standard output.
  private let file: OutputFile?
  /// The replacement of a regular file by `file`.
  private let replacement: FileReplacement?

  /// - Parameter path: The path of the file, or nil for standard output.
  init(_ path: String?) throws(OutputError) {
    guard let path else {
      file = nil
      replacement = nil
      return
    }
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      file = try OutputFile(opening: path)
      replacement = nil
    } else {
      let replacement = try FileReplacement(path)
      file = try OutputFile(creating: replacement.temporaryPath)
      self.replacement = consume replacement
    }
  }

  /// Writes the collected bytes if they are enough for a large part.
  mutating func writePart() throws {
    guard buffer.count >= Self.partSize else { return }
    try Interruption.check()
    try writeAll()
  }

  /// Writes the remaining bytes, and moves the file to its path.
  mutating func finish() throws {
    try writeAll()
    guard replacement != nil else { return }
    try file?.synchronize()
    try replacement?.complete()
  }

  private mutating func writeAll() throws {
    if let file { try file.write(buffer.bytes) } else { try Results.write(buffer.bytes) }
    buffer.removeAll()
  }
}
