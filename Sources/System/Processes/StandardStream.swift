import Glibc

/// A standard stream to which this process writes text.
public enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes a text completely. Returns the error number of the system, or 0.
  @discardableResult
  public func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes completely. Returns the error number of the system, or 0.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Glibc.write(rawValue, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // Another process has made the stream non-blocking.
        var stream = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&stream, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Whether the stream is a terminal.
  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Whether text may be colored: on a terminal that has colors, unless the user has set `NO_COLOR` (no-color.org).
  public var isColored: Bool {
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
  }
}
