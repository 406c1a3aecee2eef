import Glibc
import PoolMessages
import ZeroMQ

/// A file of records, each written whole behind the last. A record is
///
///     8 bytes  "galleyJ1"
///     4 bytes  bytes of its message
///     8 bytes  bytes of its frames together
///     8 bytes  XXH3 of the 20 bytes before
///     message (a `JournalRecord`), frames
///     8 bytes  XXH3 of message and frames
///
/// with little-endian numbers. A record that the end of the file cuts off was never said to be stored, and is cut off
/// for good; one that is damaged is passed over, so that those behind it are not lost.
final class JournalFile {
  static let headerSize = 28
  private static let magic: UInt64 = 0x314a_7965_6c6c_6167  // "galleyJ1"
  private static let trailerSize = 8

  let path: String
  private let descriptor: Int32
  private(set) var size: Int

  /// Where a frame lies.
  struct Place: Equatable {
    let offset: Int
    let count: Int
  }

  /// Creates a file, or opens one to read it with `forEachRecord` and go on with it.
  init(_ path: String, creating: Bool) throws(JournalError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CLOEXEC | (creating ? O_CREAT | O_EXCL : 0), 0o600)
    guard descriptor >= 0 else { throw JournalError(path, errno: errno) }
    size = max(lseek(descriptor, 0, SEEK_END), 0)
  }

  deinit { close(descriptor) }

  /// Writes a record; answers where its frames lie. When that fails nothing of it is left.
  func append(_ record: PoolJournalRecord, _ frames: [Frame] = []) throws(JournalError) -> [Place] {
    var record = record
    record.frames = frames.map { UInt64($0.count) }
    let message = Envelope.encode(record)
    let bulk = frames.reduce(0) { $0 + $1.count }
    let checksum = Checksum()
    message.withUnsafeBytes { checksum.update($0) }
    for frame in frames { checksum.update(frame.bytes) }
    let head = Frame(copying: Self.header(message: message.count, bulk: bulk) + message)
    var offset = size + head.count
    let places = frames.map { frame in
      defer { offset += frame.count }
      return Place(offset: offset, count: frame.count)
    }
    try write([head] + frames + [Frame(copying: Self.bytes(checksum.value))])
    return places
  }

  /// Writes plain bytes behind the last. When that fails nothing of them is left.
  func write(_ frames: [Frame]) throws(JournalError) {
    let count = frames.reduce(0) { $0 + $1.count }
    var written = 0
    while written < count {
      let result = frames.withVectors(from: written) {
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

  /// What was written survives the machine's end.
  func synchronize() throws(JournalError) {
    guard fdatasync(descriptor) == 0 else { throw JournalError(path, errno: errno) }
  }

  func read(_ place: Place) throws(JournalError) -> Frame {
    var failure: JournalError?
    let frame = Frame(size: place.count) { start in
      failure = self.read(UnsafeMutableRawBufferPointer(start: start, count: place.count), at: place.offset)
    }
    if let failure { throw failure }
    return frame
  }

  /// Reads all records from the beginning.
  ///
  /// - Parameter body: gets each good record and where its frames lie; nil for one that is damaged.
  func forEachRecord(_ body: (PoolJournalRecord?, [Place]) throws(JournalError) -> Void) throws(JournalError) {
    var offset: Int = 0
    while offset < size {
      guard let (message, bulk) = try header(at: offset),
        let end = Self.end(of: offset, message, bulk), end <= size
      else { break }
      let (record, places) = try self.record(at: offset + Self.headerSize, message, bulk)
      try body(record, places)
      offset = end
    }
    guard offset < size else { return }
    ftruncate(descriptor, offset)
    size = offset
  }

  /// Nil if it is damaged or not there.
  func firstRecord() throws(JournalError) -> PoolJournalRecord? {
    guard let (message, bulk) = try header(at: 0), let end = Self.end(of: 0, message, bulk), end <= size else {
      return nil
    }
    return try record(at: Self.headerSize, message, bulk).0
  }

  // MARK: Parts of a record

  private static func header(message: Int, bulk: Int) -> [UInt8] {
    let start = bytes(magic) + bytes(UInt32(truncatingIfNeeded: message)) + bytes(UInt64(bulk))
    return start + bytes(start.withUnsafeBytes { Checksum.of($0) })
  }

  private static func end(of offset: Int, _ message: Int, _ bulk: Int) -> Int? {
    let (count, overflows) = bulk.addingReportingOverflow(message + headerSize + trailerSize)
    return overflows ? nil : offset.addingReportingOverflow(count).overflow ? nil : offset + count
  }

  /// Bytes of a record's message and frames; nil when there is no header.
  private func header(at offset: Int) throws(JournalError) -> (message: Int, bulk: Int)? {
    guard size - offset >= Self.headerSize else { return nil }
    return try read(Place(offset: offset, count: Self.headerSize)).withBytes { Self.sizes(inHeader: $0) }
  }

  private static func sizes(inHeader bytes: UnsafeRawBufferPointer) -> (message: Int, bulk: Int)? {
    guard bytes.loadUnaligned(as: UInt64.self) == magic.littleEndian,
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 20, as: UInt64.self))
        == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[..<20]))
    else { return nil }
    let message = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let bulk = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
    guard bulk <= UInt64(Int.max) else { return nil }
    return (Int(message), Int(bulk))
  }

  private func record(
    at offset: Int, _ message: Int, _ bulk: Int
  ) throws(JournalError) -> (PoolJournalRecord?, [Place]) {
    try read(Place(offset: offset, count: message + bulk + Self.trailerSize)).withBytes { bytes in
      Self.record(bytes, at: offset, message, bulk)
    }
  }

  private static func record(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ message: Int, _ bulk: Int
  ) -> (PoolJournalRecord?, [Place]) {
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<(message + bulk)])
    guard
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: message + bulk, as: UInt64.self)) == Checksum.of(body),
      let record = Envelope.decode(PoolJournalRecord.self, UnsafeRawBufferPointer(rebasing: bytes[..<message]))
    else { return (nil, []) }
    var places: [Place] = []
    var start = offset + message
    for count in record.frames {
      guard count <= UInt64(bulk), start + Int(count) <= offset + message + bulk else { return (nil, []) }
      places.append(Place(offset: start, count: Int(count)))
      start += Int(count)
    }
    return (record, places)
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  // MARK: Bytes

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

extension [Frame] {
  /// The frames' bytes from a place in all of them together, as the kernel gathers them.
  fileprivate func withVectors(from start: Int, _ body: (UnsafeMutableBufferPointer<iovec>) -> Int) -> Int {
    withUnsafeTemporaryAllocation(of: iovec.self, capacity: count) { vectors in
      var (filled, skipped) = (0, start)
      for frame in self {
        let rest = frame.bytes.dropFirst(skipped)
        skipped -= frame.count - rest.count
        guard !rest.isEmpty else { continue }
        let bytes = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: rest))
        vectors[filled] = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        filled += 1
      }
      return withExtendedLifetime(self) { body(UnsafeMutableBufferPointer(rebasing: vectors[..<filled])) }
    }
  }
}

/// What a journal cannot do: the file and the reason.
public struct JournalError: Error, Equatable, CustomStringConvertible {
  public let path: String
  public let reason: String

  init(_ path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, errno code: Int32) { self.init(path, reason: String(cString: strerror(code))) }

  public var description: String { "\(path): \(reason)" }
}
