import Glibc

/// A standard stream to which this process writes text.
public enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Opens a device for each of the descriptors 0 to 2 that is closed, because the next file that is opened would have the number and
  /// receive what is written to the stream. It is called before any file is opened. Reading the standard input and writing
  /// the standard output still fail.
  public static func replaceClosed() {
    // The system takes the lowest number that is free.
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes a text completely. Returns the error number of the system, or 0.
  @discardableResult
  public func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes several buffers completely, one after the other. Returns the error number of the system, or 0; `EINTR` if the
  /// user has interrupted the program before the end.
  public func write(_ buffers: [UnsafeRawBufferPointer]) -> Int32 {
    writeAll(buffers, to: rawValue) { Interruption.isRequested }
  }

  /// Writes bytes completely. Returns the error number of the system, or 0.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { writeAll(bytes, to: rawValue) }

  /// Whether the stream is a pipe whose reader has ended.
  public var hasLostReader: Bool {
    var stream = pollfd(fd: rawValue, events: 0, revents: 0)
    return poll(&stream, 1, 0) > 0 && stream.revents & Int16(POLLERR) != 0
  }

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether text may be colored: on a terminal that has colors, unless the user has set `NO_COLOR` (no-color.org).
  public var isColored: Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }
}
