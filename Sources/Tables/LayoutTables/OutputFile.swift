import Buffers
import CLinux
import Glibc
import Hashing
import Processes

/// An error in writing a table: the path of the file and the system's reason.
public struct OutputError: Error, Equatable {
  public let path: String
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, errno code: Int32) {
    let wayOut = code == EMFILE ? "; raise the limit (ulimit -Hn), or lay out fewer variants at once" : ""
    self.init(path: FileReplacement.completedPath(path), reason: String(cString: strerror(code)) + wayOut)
  }
}

/// A file that is written from its beginning to its end.
package final class OutputFile {
  package let path: String
  private let descriptor: Int32
  package private(set) var offset: Int64 = 0
  private let written = Checksum()
  /// The checksum of everything written so far.
  var checksum: UInt64 { written.value }
  /// The end of the space that the file system has reserved for the file.
  private var reserved = OutputFile.reservation
  /// The number of bytes that are reserved at a time, once a file is longer than that. Writing to reserved space takes
  /// the system a quarter less time.
  private static let reservation: Int64 = 32 << 20

  package convenience init(creating path: String) throws(OutputError) {
    try self.init(path, O_CREAT | O_EXCL)
  }

  /// Opens what exists at a path and is not a regular file, such as a device or a named pipe.
  package convenience init(opening path: String) throws(OutputError) { try self.init(path, 0) }

  private init(_ path: String, _ flags: Int32) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
    guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if offset + Int64(bytes.count) > reserved { reserve(upTo: offset + Int64(bytes.count)) }
    let code = writeAll(bytes, to: descriptor)
    guard code == 0 else { throw OutputError(path, errno: code) }
    written.update(bytes)
    offset += Int64(bytes.count)
  }

  /// Returns the bytes of a regular file, or nil for anything else and for a file that is larger than the limit.
  package static func read(_ path: String, limit: Int, followsLinks: Bool = false) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { bytes, count in
      count = readAll(into: UnsafeMutableRawBufferPointer(bytes), from: descriptor) ?? 0
    }
  }

  /// Reserves space up to an offset. This is a hint: if there is no space, writing will fail.
  private func reserve(upTo end: Int64) {
    let count = max(end - reserved, Self.reservation)
    reserved = galley_reserve(descriptor, reserved, count) == 0 ? reserved + count : .max
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    // withUnsafeBytes cannot throw a typed error.
    try bytes.withUnsafeBufferPointer { (bytes) throws(OutputError) in try write(UnsafeRawBufferPointer(bytes)) }
  }

  func pad(to alignment: Int64) throws(OutputError) {
    let missing = (alignment - offset % alignment) % alignment
    if missing > 0 { try write([UInt8](repeating: 0, count: Int(missing))) }
  }

  /// Asks the system to begin writing the bytes from an offset on to disk, so that synchronizing the file takes less
  /// time. This is a hint, which may fail.
  func beginWriting(from start: Int64) { _ = galley_begin_writing(descriptor, start, offset - start) }

  /// Waits until everything written is on disk, so that it survives a crash of the machine.
  package func synchronize() throws(OutputError) {
    // Releases the reserved space that was not used.
    if reserved > Self.reservation { ftruncate(descriptor, off_t(offset)) }
    guard fsync(descriptor) == 0 else { throw OutputError(path, errno: errno) }
  }
}
