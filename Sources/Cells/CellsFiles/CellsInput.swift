import Buffers
import Glibc

/// A file or a pipe with cells, which is read once from its beginning to its end.
final class CellsInput: Sendable {
  let path: String
  /// The number of bytes of a regular file, or nil for a pipe.
  let size: Int?
  private let descriptor: Int32
  /// The largest number of bytes that are read at a time where the length is not known to be right.
  private static let blockBytes = 1 << 20

  init(_ path: String) throws(CellsFileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = Self.unreadable(path)
      close(descriptor)
      throw error
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  /// Fills a buffer with the next bytes. Returns their number, which is smaller than the buffer at the end of the file.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws(CellsFileError) -> Int {
    guard let count = readAll(into: bytes, from: descriptor) else { throw Self.unreadable(path) }
    return count
  }

  /// Returns the next bytes, or fewer at the end of the file.
  func read(upTo count: Int) throws(CellsFileError) -> [UInt8] {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: min(count, Self.blockBytes), alignment: 1)
    defer { block.deallocate() }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let wanted = min(count - bytes.count, block.count)
      let read = try read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<wanted]))
      bytes += block[..<read]
      if read < wanted { break }
    }
    return bytes
  }

  private static func unreadable(_ path: String) -> CellsFileError {
    CellsFileError(path: path, message: "cannot be read: \(String(cString: strerror(errno)))")
  }
}
