#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lines of a rows file. They end with LF or CRLF; the last one may have no end.
public struct Lines: ~Copyable {
  /// The largest number of bytes in a row. A longer line is an error of its row.
  public static let maxLength = 4 << 20

  private let bytes: ByteString
  private var offset = 0

  /// Creates an iterator that begins at the first line of `bytes`.
  public init(_ bytes: ByteString) { self.bytes = bytes }

  /// Returns the next line without its end, and the offset of the line after it.
  public mutating func next() -> (line: ByteString, end: Int)? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let rest = bytes.count - start
    var end = bytes.count
    if let newline = memchr(bytes.start + start, 0x0a, rest) {
      end = UnsafePointer(newline.assumingMemoryBound(to: UInt8.self)) - bytes.start
    }
    offset = min(end + 1, bytes.count)
    let contentEnd = end > start && bytes[end - 1] == 0x0d ? end - 1 : end
    return (bytes.slice(start, contentEnd), offset)
  }
}

extension ByteString {
  /// Returns the row in a line, or nil for a blank line. The byte order mark of UTF-8, which some programs write before
  /// the first line of a file, is not part of the row.
  ///
  /// - Parameter line: The number of the line in its file, from 1.
  @inline(__always)
  public func row(inLine line: UInt64) -> ByteString? {
    let content = line == 1 ? withoutByteOrderMark : self
    return content.isBlankLine ? nil : content
  }

  /// Whether the line has only spaces, tabs and carriage returns.
  @inline(__always)
  public var isBlankLine: Bool {
    for byte in bytes where byte != 0x20 && byte != 0x09 && byte != 0x0d { return false }
    return true
  }

  private var withoutByteOrderMark: ByteString {
    count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf ? slice(3, count) : self
  }
}

extension [UInt8] {
  /// The bytes behind the byte order mark, if there is one, otherwise all.
  package var withoutByteOrderMark: ArraySlice<UInt8> { starts(with: [0xef, 0xbb, 0xbf]) ? self[3...] : self[...] }
}

/// The position of a line, as errors state it.
public struct LinePosition: CustomStringConvertible, Sendable {
  /// The name of the file if the batch has several files; otherwise empty.
  public let file: String
  /// The number of the line in its file, from 1.
  public let line: UInt64

  public init(file: String, line: UInt64) { (self.file, self.line) = (file, line) }

  public var description: String { file.isEmpty ? "line \(line)" : "\(file) line \(line)" }
}
