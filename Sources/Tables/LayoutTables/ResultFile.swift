import Glibc

/// A file of results that replaces what is at its path when it is complete, so that a run that fails leaves no part of it. A device
/// or a named pipe is written to in place.
public struct ResultFile: ~Copyable {
  private let file: OutputFile
  /// The replacement of a regular file.
  private let replacement: FileReplacement?

  public init(_ path: String) throws(OutputError) {
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

  /// Writes a whole file.
  public static func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let file = try ResultFile(path)
    try file.write(bytes)
    try file.complete()
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) { try file.write(bytes) }

  public func write(_ bytes: [UInt8]) throws(OutputError) { try file.write(bytes) }

  /// Waits until the bytes are on disk, and moves the file to its path.
  public func complete() throws(OutputError) {
    guard replacement != nil else { return }
    try file.synchronize()
    try replacement?.complete()
  }
}
