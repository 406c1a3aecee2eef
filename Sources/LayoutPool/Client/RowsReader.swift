import BatchLayout
import Buffers
import Glibc
import ZeroMQ

/// Reads rows from a file or standard input in chunks of whole lines, and counts lines and rows on the way. The rows
/// themselves are not parsed here.
public final class RowsReader {
  /// A run of whole lines.
  public struct Chunk {
    public let lines: Frame
    public let firstLine: UInt64
    public let firstRow: UInt64
    public let rows: UInt32
    public let isLast: Bool
  }

  private static let pollMilliseconds: Int32 = 100

  /// As the user named it.
  public let name: String
  /// Bytes of the file, or nil when that is not known.
  public let size: Int?
  public private(set) var bytesRead = 0
  private let descriptor: Int32
  private var line: UInt64 = 1
  private var row: UInt64 = 0
  private var pending = FlatBuffer<UInt8>(capacity: 64 << 10)
  /// The rest of a line that is longer than any row may be is passed over.
  private var skipsLine = false
  private var isAtEnd = false
  private let hash = SHA256()

  /// - Parameter path: `-` for standard input.
  public convenience init(_ path: String) throws(RowsError) {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    let name = path == "-" ? "standard input" : path
    guard descriptor >= 0 else { throw RowsError(name: name, errno: errno) }
    try self.init(descriptor: descriptor, name: name)
  }

  /// Reads from an open descriptor, which it closes at its end.
  public init(descriptor: Int32, name: String) throws(RowsError) {
    self.descriptor = descriptor
    self.name = name
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw RowsError(name: name, errno: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw RowsError(name: name, reason: "is a directory") }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  /// Hash of all that was read; to be asked for at the end.
  public private(set) lazy var inputHash = "sha256:" + hexadecimal(hash.finish())

  /// The next lines, about `wanted` bytes of them and at least one line; nil after the last.
  ///
  /// - Parameter frame: makes the frame of a copy of them.
  public func next(
    bytes wanted: Int, frame: (UnsafeRawBufferPointer) -> Frame = { Frame(copying: $0) }
  ) throws(RowsError) -> Chunk? {
    guard !isAtEnd else { return nil }
    var searched = 0
    var end = 0
    while !isAtEnd {
      // A whole line beyond the wanted size, or the last newline before it.
      if pending.count >= wanted || searched < pending.count {
        if let newline = lastNewline(from: searched) { end = newline + 1 }
        if end > 0 && pending.count >= wanted { break }
        if end == 0 && pending.count > Lines.maxLength { truncateLine() }
        searched = pending.count
      }
      try read(wanted)
    }
    if isAtEnd { end = pending.count }
    return cut(end, frame)
  }

  private func lastNewline(from start: Int) -> Int? {
    var place = pending.count
    while place > start {
      place -= 1
      if pending[place] == 0x0a { return place }
    }
    return nil
  }

  /// Of a line that is too long, one byte more than the limit is kept, which is enough to tell; the rest is passed
  /// over as it comes.
  private func truncateLine() {
    pending.truncate(to: Lines.maxLength + 1)
    skipsLine = true
  }

  private func read(_ wanted: Int) throws(RowsError) {
    let room = max(wanted, 64 << 10)
    pending.reserve(room)
    let start = pending.base + pending.count
    // Input may be idle for as long as it likes; an interruption is heard nevertheless.
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, Self.pollMilliseconds) == 0 || Interruption.isRequested {
      if Interruption.isRequested { throw RowsError(name: name, reason: "reading was interrupted") }
    }
    let count = Glibc.read(descriptor, start, room)
    if count < 0 {
      if errno == EINTR { return }
      throw RowsError(name: name, errno: errno)
    }
    isAtEnd = count == 0
    bytesRead += count
    hash.update(UnsafeRawBufferPointer(start: start, count: count))
    guard skipsLine else {
      _ = pending.extend(by: count)
      return
    }
    guard let newline = memchr(start, 0x0a, count) else { return }
    let kept = UnsafePointer(newline.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(start)
    start.update(from: start + kept, count: count - kept)
    _ = pending.extend(by: count - kept)
    skipsLine = false
  }

  private func cut(_ end: Int, _ frame: (UnsafeRawBufferPointer) -> Frame) -> Chunk {
    let chunkLine = line
    let chunkRow = row
    var rows: UInt32 = 0
    var lines = Lines(ByteString(start: pending.base, count: end))
    while let (text, _) = lines.next() {
      if !(line == 1 ? text.withoutByteOrderMark : text).isBlankLine { rows += 1 }
      line += 1
    }
    row += UInt64(rows)
    let copy = frame(UnsafeRawBufferPointer(start: pending.base, count: end))
    let rest = pending.count - end
    pending.base.update(from: pending.base + end, count: rest)
    pending.truncate(to: rest)
    return Chunk(lines: copy, firstLine: chunkLine, firstRow: chunkRow, rows: rows, isLast: isAtEnd)
  }
}

/// Rows cannot be read.
public struct RowsError: Error, Equatable {
  public let name: String
  public let reason: String

  init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }

  init(name: String, errno code: Int32) {
    self.init(name: name, reason: "cannot be read: \(String(cString: strerror(code)))")
  }
}
