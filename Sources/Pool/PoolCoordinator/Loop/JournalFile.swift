import Buffers
import Glibc
import PoolJournal
import PoolProtocol

/// The file of a journal; see `JournalFormat`.
final class JournalFile {
  let path: String
  private let descriptor: Int32
  private(set) var size: Int

  /// Creates a file, or opens one.
  init(_ path: String, creating: Bool) throws(JournalError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | (creating ? O_CREAT | O_EXCL : 0), 0o600)
    guard descriptor >= 0 else { throw JournalError(path, errno: errno) }
    size = max(lseek(descriptor, 0, SEEK_END), 0)
  }

  deinit { close(descriptor) }

  /// Writes a record behind the last. When that fails, nothing of it is left.
  ///
  /// - Returns: The ranges of its parts.
  func append(_ record: JournalRecord) throws(JournalError) -> [JournalRange] {
    let encoded = JournalFormat.encode(record, at: size)
    try write(encoded.bytes)
    return encoded.parts
  }

  /// Reads all records, and removes what the end of the file cuts off.
  func contents() throws(JournalError) -> JournalContents {
    let (contents, whole) = try JournalFormat.scan(size: size) { range throws(JournalError) in try read(range) }
    if whole < size {
      ftruncate(descriptor, whole)
      size = whole
    }
    return contents
  }

  /// Returns the batch of the first record; nil if that is damaged.
  func batch() throws(JournalError) -> BatchDescription? {
    try JournalFormat.firstBatch(size: size) { range throws(JournalError) in try read(range) }
  }

  /// Writes bytes behind the last. When that fails, nothing of them is left.
  func write(_ parts: [OwnedBytes]) throws(JournalError) {
    let count = parts.reduce(0) { $0 + $1.count }
    var written = 0
    while written < count {
      let result = parts.withVectors(from: written) {
        pwritev(descriptor, $0.baseAddress, Int32($0.count), size + written)
      }
      if result < 0 {
        if errno == EINTR { continue }
        let code = errno
        ftruncate(descriptor, size)
        throw JournalError(path, errno: code)
      }
      written += result
    }
    size += count
  }

  /// Waits until what was written survives a failure of the machine.
  func synchronize() throws(JournalError) {
    guard fdatasync(descriptor) == 0 else { throw JournalError(path, errno: errno) }
  }

  func read(_ range: JournalRange) throws(JournalError) -> OwnedBytes {
    var failure: JournalError?
    let bytes = OwnedBytes(count: range.count) { start in
      failure = read(UnsafeMutableRawBufferPointer(start: start, count: range.count), at: range.offset)
    }
    if let failure { throw failure }
    return bytes
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> JournalError? {
    var done = 0
    while done < buffer.count {
      let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, offset + done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 {
        return JournalError(path, reason: count == 0 ? "ends too early" : String(cString: strerror(errno)))
      }
      done += count
    }
    return nil
  }
}

extension [OwnedBytes] {
  /// Calls `body` with the bytes from an offset in all of them together, as the kernel gathers them.
  fileprivate func withVectors(from start: Int, _ body: (UnsafeMutableBufferPointer<iovec>) -> Int) -> Int {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
      var (filled, skipped) = (0, start)
      for part in self {
        let rest = part.bytes.dropFirst(skipped)
        skipped -= part.count - rest.count
        guard !rest.isEmpty else { continue }
        let bytes = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: rest))
        vectors[filled] = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        filled += 1
      }
      return withExtendedLifetime(self) { body(UnsafeMutableBufferPointer(rebasing: vectors[..<filled])) }
    }
  }
}

/// The reason why a journal cannot be read or written.
public struct JournalError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  init(_ path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  init(_ path: String, errno code: Int32) { self.init(path, reason: String(cString: strerror(code))) }

  public var description: String { "\(path): \(reason)" }
}
