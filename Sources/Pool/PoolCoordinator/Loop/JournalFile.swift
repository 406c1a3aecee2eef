import Buffers
import Glibc
import PoolEnvelopes
import PoolProtocol
import Processes

/// The file of a journal; see `JournalFormat`.
final class JournalFile {
  let path: String
  private let descriptor: Int32
  private(set) var size: Int
  /// Whether the directory may lose the file in a failure of the machine.
  private var isNew = false

  init(creating path: String) throws(JournalError) {
    self.path = path
    size = 0
    isNew = true
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else { throw JournalError(path, errno: errno) }
  }

  /// Opens a file.
  ///
  /// - Parameter known: The size of its records, if it is known. The next record overwrites bytes behind them.
  init(_ path: String, size known: Int? = nil) throws(JournalError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw JournalError(path, errno: errno) }
    let found = Int(lseek(descriptor, 0, SEEK_END))
    size = known ?? max(found, 0)
    guard found >= size else {
      throw JournalError(path, reason: "has \(max(found, 0)) bytes, but had \(size)")
    }
  }

  deinit { close(descriptor) }

  /// Appends a record. A failed write has no effect on the size of the journal.
  ///
  /// - Parameter synchronizes: Whether the record must survive a failure of the machine.
  /// - Returns: The ranges of its parts.
  func append(_ record: JournalRecord<OwnedBytes>, synchronizes: Bool = false) throws(JournalError) -> [JournalRange] {
    let encoded = JournalFormat.encode(record, at: size)
    let before = size
    try write(encoded.bytes)
    guard synchronizes else { return encoded.parts }
    do throws(JournalError) { try synchronize() } catch {
      // After a failed fsync, a second call does not write the pages, so the record is written again.
      cut(to: before)
      throw error
    }
    return encoded.parts
  }

  /// Reads all records, and removes an incomplete record at the end of the file. A file without records is left as it is.
  func contents() throws(JournalError) -> JournalContents {
    let (contents, whole) = try JournalFormat.scan(size: size) { range throws(JournalError) in try read(range) }
    if whole > 0 && whole < size { cut(to: whole) }
    return contents
  }

  /// Removes the bytes behind a size. If this fails, the next record overwrites them.
  private func cut(to size: Int) {
    ftruncate(descriptor, size)
    self.size = size
  }

  /// Returns the batch of the first record; nil if the record is damaged.
  func batch() throws(JournalError) -> BatchDescription? {
    try JournalFormat.scan(size: size, isFirstEnough: true) { range throws(JournalError) in try read(range) }
      .contents.batch?.description
  }

  /// Appends bytes. After a failure, the file has its previous size.
  func write(_ parts: [OwnedBytes]) throws(JournalError) {
    let code = withExtendedLifetime(parts) { writeAll(parts.map(\.bytes), to: descriptor, at: size) }
    guard code == 0 else {
      cut(to: size)
      throw JournalError(path, errno: code)
    }
    size += parts.byteCount
  }

  /// Waits until the written bytes survive a failure of the machine.
  func synchronize() throws(JournalError) {
    guard fdatasync(descriptor) == 0 else { throw JournalError(path, errno: errno) }
    guard isNew else { return }
    try Self.synchronizeDirectory(of: path)
    isNew = false
  }

  /// Waits until the names of the files beside a file survive a failure of the machine.
  static func synchronizeDirectory(of path: String) throws(JournalError) {
    let directory = open(
      String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw JournalError(path, errno: errno) }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw JournalError(path, errno: errno) }
  }

  /// The milliseconds since the file was written.
  var age: UInt64 {
    var status = stat()
    var now = timespec()
    guard fstat(descriptor, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    let seconds = now.tv_sec - status.st_mtim.tv_sec
    return UInt64(max(seconds, 0)) * 1000
  }

  func read(_ range: JournalRange) throws(JournalError) -> OwnedBytes {
    try OwnedBytes(filling: range.count) { (memory) throws(JournalError) in
      guard let count = readAll(into: memory, from: descriptor, at: range.lowerBound) else {
        throw JournalError(path, errno: errno)
      }
      guard count == range.count else { throw JournalError(path, reason: "ends too early") }
    }
  }
}
