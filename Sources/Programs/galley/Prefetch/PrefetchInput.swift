import Buffers
import CellTemplates
import Glibc

/// The lines of a file or of standard input, which are read as soon as they come, so that a program can write a query
/// and wait for the answer.
final class PrefetchInput {
  enum Line {
    /// The line without its end. It is valid until the next call, and `JSONParser.padding` bytes behind it are readable.
    case text(ByteString)
    case tooLong
  }

  /// The largest number of bytes in a line.
  static let maxLength = 64 << 10
  /// The number of bytes that are read at once.
  private static let capacity = 256 << 10

  /// The name of the input in messages.
  let name: String
  /// The number of the line that was returned last, from 1.
  private(set) var lineNumber: UInt64 = 0
  private(set) var isAtEnd = false
  private let descriptor: Int32
  private let buffer: UnsafeMutablePointer<UInt8>
  /// The bytes of the buffer that are not returned yet.
  private var unread = 0..<0
  /// The number of the first unread bytes that have no line feed.
  private var searchedCount = 0
  /// Whether the rest of a line is skipped because it is too long.
  private var isSkipping = false

  /// Opens a file.
  ///
  /// - Parameter path: The path of the file, or `-` for standard input.
  init(_ path: String) throws {
    name = path == "-" ? "standard input" : path
    buffer = .allocate(capacity: Self.capacity + JSONParser.padding)
    buffer.initialize(repeating: 0, count: Self.capacity + JSONParser.padding)
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
  }

  deinit {
    buffer.deallocate()
    if descriptor > STDIN_FILENO { close(descriptor) }
  }

  /// The position of the line that was returned last, such as `scroll.jsonl:3`.
  var position: String { "\(name):\(lineNumber)" }

  /// Whether bytes have come that are not read yet, or the input has ended.
  var hasWaitingBytes: Bool {
    var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) != 0
  }

  /// Returns the next line that is read completely and is not blank, or nil if more bytes must be read.
  func next() -> Line? {
    while let line = nextLine() {
      lineNumber += 1
      if isSkipping || line.count > Self.maxLength {
        isSkipping = false
        return .tooLong
      }
      if let content = line.row(inLine: lineNumber) { return .text(content) }
    }
    return nil
  }

  private func nextLine() -> ByteString? {
    let start = buffer + unread.lowerBound
    if let newline = memchr(start + searchedCount, 0x0a, unread.count - searchedCount) {
      let count = newline.assumingMemoryBound(to: UInt8.self) - start
      unread = unread.lowerBound + count + 1..<unread.upperBound
      searchedCount = 0
      return ByteString(start: start, count: count)
    }
    searchedCount = unread.count
    guard isAtEnd, !unread.isEmpty || isSkipping else { return nil }
    // The last line has no end.
    defer { unread = unread.upperBound..<unread.upperBound }
    searchedCount = 0
    return ByteString(start: start, count: unread.count)
  }

  /// Reads the bytes that have come, and waits if there are none.
  func read() throws {
    if unread.count > Self.maxLength {
      isSkipping = true
      unread = 0..<0
      searchedCount = 0
    }
    memmove(buffer, buffer + unread.lowerBound, unread.count)
    unread = 0..<unread.count
    while true {
      let count = Glibc.read(descriptor, buffer + unread.upperBound, Self.capacity - unread.upperBound)
      if count > 0 {
        unread = 0..<unread.upperBound + count
        return
      }
      if count == 0 {
        isAtEnd = true
        return
      }
      if errno == EAGAIN {
        // Another process has made the stream non-blocking.
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&input, 1, -1)
      } else if errno != EINTR {
        throw failure()
      }
    }
  }

  private func failure() -> RunFailure {
    RunFailure(message: "\(name): cannot be read: \(String(cString: strerror(errno)))")
  }
}
