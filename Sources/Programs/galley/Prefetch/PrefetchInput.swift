import Buffers
import Glibc
import RowsFiles

/// The lines of a file or of standard input, which are read as soon as they come, so that a program can write a query
/// and wait for the answer.
struct PrefetchInput {
  /// The largest number of bytes in a line.
  static let maxLength = 64 << 10
  /// The approximate number of bytes that are read at once.
  private static let chunkBytes = 64 << 10

  /// The name of the input in messages.
  let name: String
  private let reader: RowsReader

  /// Opens a file.
  ///
  /// - Parameter path: The path of a file, or `-` for standard input.
  init(_ path: String) throws {
    name = RowsReader.name(of: [path])
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    // A directory can be opened, and only its first read fails.
    guard descriptor >= 0, read(descriptor, nil, 0) == 0 else {
      throw RunFailure(message: "\(name): cannot be read: \(String(cString: strerror(errno)))")
    }
    reader = try RowsReader(descriptor: descriptor, name: name, waitMilliseconds: 0)
  }

  /// Calls `body` with each line that is not blank and its number, from 1. `JSONParser.padding` bytes behind a line are
  /// readable.
  ///
  /// - Parameter onPause: A function that is called before more bytes are awaited.
  func forEachLine(onPause: () throws -> Void = {}, _ body: (ByteString, UInt64) throws -> Void) throws {
    while let chunk = try reader.next(bytes: Self.chunkBytes) {
      try chunk.forEachRow(body)
      guard let descriptor = reader.awaitedDescriptor else { continue }
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) == 0 else { continue }
      try onPause()
      poll(&input, 1, -1)
    }
  }
}
