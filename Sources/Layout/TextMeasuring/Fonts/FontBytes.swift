import Buffers
import Glibc

/// The bytes of a font file, which are valid as long as the object exists.
final class FontBytes {
  let path: String
  let bytes: ByteString
  private let memory: UnsafeMutablePointer<UInt8>

  /// Reads a file.
  init(_ path: String) throws(FontFileError) {
    self.path = path
    guard let file = fopen(path, "rb") else { throw Self.unreadable(path) }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0 else { throw Self.unreadable(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FontFileError(path: path, reason: "is not a regular file") }
    let count = Int(status.st_size)
    memory = .allocate(capacity: max(count, 1))
    guard fread(memory, 1, count, file) == count else {
      memory.deallocate()
      throw Self.unreadable(path)
    }
    bytes = ByteString(start: memory, count: count)
  }

  deinit { memory.deallocate() }

  private static func unreadable(_ path: String) -> FontFileError {
    FontFileError(path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
  }
}
