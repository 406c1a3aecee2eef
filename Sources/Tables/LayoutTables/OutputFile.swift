import CLinux
import Glibc

/// What writing a table failed with: the file and the system's reason.
public struct OutputError: Error, Equatable {
  public let path: String
  public let reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, errno code: Int32) { self.init(path: path, reason: String(cString: strerror(code))) }
}

/// A file being written from its beginning to its end.
final class OutputFile {
  let path: String
  private let descriptor: Int32
  private(set) var offset: Int64 = 0
  /// The end of what the file system was asked to set aside; further on there is nothing to be asked for.
  private var reserved = OutputFile.reservation
  /// Bytes that are set aside at a time, from the first so many on: writing there costs the system a quarter less.
  private static let reservation: Int64 = 32 << 20

  init(creating path: String) throws(OutputError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputError(path, errno: errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(OutputError) {
    if offset + Int64(bytes.count) > reserved { reserve(upTo: offset + Int64(bytes.count)) }
    var written = 0
    while written < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      if count < 0 {
        if errno == EINTR { continue }
        throw OutputError(path, errno: errno)
      }
      written += count
    }
    offset += Int64(bytes.count)
  }

  /// The bytes of a regular file; nil for anything else, and for a file that is larger than the limit.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else {
      return nil
    }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { bytes, count in
      while count < bytes.count {
        let read = Glibc.read(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count)
        guard read > 0 else { break }
        count += read
      }
    }
  }

  /// It is a hint: where there is no room, writing will tell.
  private func reserve(upTo end: Int64) {
    let count = max(end - reserved, Self.reservation)
    reserved = galley_reserve(descriptor, reserved, count) == 0 ? reserved + count : .max
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    // withUnsafeBytes cannot carry a typed error out.
    let result = bytes.withUnsafeBytes { raw -> Result<Void, OutputError> in
      do throws(OutputError) { return .success(try write(raw)) } catch { return .failure(error) }
    }
    try result.get()
  }

  func pad(to alignment: Int64) throws(OutputError) {
    let missing = (alignment - offset % alignment) % alignment
    if missing > 0 { try write([UInt8](repeating: 0, count: Int(missing))) }
  }

  /// Has the system begin to write to disk what is written from a place on, so that little is left to wait for when the
  /// file is synchronized. It is a hint, which may fail.
  func beginWriting(from start: Int64) { _ = galley_begin_writing(descriptor, start, offset - start) }

  /// Makes sure that what is written survives a crash of the machine.
  func synchronize() throws(OutputError) {
    // Gives back what was set aside for more.
    if reserved > Self.reservation { ftruncate(descriptor, off_t(offset)) }
    guard fsync(descriptor) == 0 else { throw OutputError(path, errno: errno) }
  }
}
