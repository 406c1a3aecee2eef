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
    guard fseek(file, 0, SEEK_END) == 0, case let count = ftell(file), count >= 0, fseek(file, 0, SEEK_SET) == 0 else {
      throw Self.unreadable(path)
    }
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
