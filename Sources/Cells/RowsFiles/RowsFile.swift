import Buffers
import Glibc
import Hashing
import Processes

/// One input of rows, which is read from its beginning to its end, and decompressed while it is read if necessary.
final class RowsFile {
  private static let pollMilliseconds: Int32 = 100
  /// The number of bytes of content that are examined to recognize the format.
  private static let headBytes = 64 << 10
  /// The largest number of stored bytes that are read for these bytes of content.
  private static let storedHeadBytes = 256 << 10
  /// The number of compressed bytes that are read at a time.
  private static let compressedBytes = 256 << 10

  /// The name of the input in messages.
  let name: String
  /// The number of stored bytes when the input was opened; nil if it is not known.
  let size: Int?
  /// The number of stored bytes read so far.
  private(set) var bytesRead = 0
  /// The path by which a regular file is opened again; nil for an input that can be read only once.
  private let path: String?
  /// The descriptor of the file, or a negative number while the file is closed.
  private var descriptor: Int32
  /// The stored bytes that were read to recognize the format. They precede the bytes that are still to be read.
  private var head: ArraySlice<UInt8> = []
  private var decompressor: (any Decompressor)?
  /// The conversion of an array, if the content is one.
  private var array: JSONArrayLines?
  /// The stored bytes that were read last, and the number of those that are decompressed.
  private var stored = FlatBuffer<UInt8>()
  private var decompressed = 0
  /// Whether the decompressor may have more output, because it filled the buffer.
  private var hasMore = false
  /// Whether no more bytes are awaited.
  private let shouldStop: () -> Bool

  /// Opens an input.
  ///
  /// - Parameters:
  ///   - path: The path of a file, or `-` for standard input.
  ///   - shouldStop: A function that is called before each read, and while bytes are awaited.
  init(_ path: String, shouldStop: @escaping () -> Bool) throws(RowsError) {
    self.shouldStop = shouldStop
    name = Self.name(of: path)
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RowsError(name: name, errno: errno) }
    size = try Self.size(of: descriptor, name)
    self.path = path == "-" || size == nil ? nil : path
  }

  /// Reads rows from an open descriptor, which is closed at the end.
  ///
  /// - Parameter shouldStop: A function that is called before each read, and while bytes are awaited.
  init(
    descriptor: Int32, name: String, shouldStop: @escaping () -> Bool = { Interruption.isRequested }
  ) throws(RowsError) {
    self.shouldStop = shouldStop
    self.descriptor = descriptor
    self.name = name
    path = nil
    size = try Self.size(of: descriptor, name)
  }

  deinit { close() }

  static func name(of path: String) -> String { path == "-" ? "standard input" : path }

  /// The number of bytes of rows; nil if it is not known.
  var contentSize: Int? { decompressor == nil ? size : nil }

  var isCompressed: Bool { decompressor != nil }

  private static func size(of descriptor: Int32, _ name: String) throws(RowsError) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw RowsError(name: name, errno: errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw RowsError(name: name, reason: "is a directory") }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    // An open descriptor may be anywhere in its file.
    return max(0, Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR))))
  }

  private func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  // MARK: Recognizing the format

  /// Reads as much of the beginning as is needed to recognize whether the input has rows, and returns to the beginning.
  /// A file that can be opened again is closed until it is read.
  ///
  /// - Parameters:
  ///   - isInteractive: Whether only what comes at once is examined, because whoever writes rows may wait for the results of
  ///     the first ones. Then lines that cannot be rows are bad rows.
  ///   - takesArray: Whether the elements of a JSON array are rows, too.
  /// - Throws: `RowsError` for another format, with the way to convert it.
  func checkFormat(isInteractive: Bool, takesArray: Bool = false) throws(RowsError) {
    // One row is sufficient. More bytes are not awaited, because the next row may arrive much later.
    while stored.count < RowsFormat.magicBytes, try readHead(isInteractive: isInteractive) {}
    decompressor = RowsFormat.decompressor(for: Array(stored.values))
    let content = try contentHead(isInteractive: isInteractive)
    if takesArray && RowsFormat.isArray(content) {
      array = JSONArrayLines()
    } else if let reason = RowsFormat.refusal(of: content, name: path ?? "-", onlyByMagic: isInteractive && path == nil)
    {
      throw RowsError(name: name, reason: reason)
    }
    decompressor = RowsFormat.decompressor(for: Array(stored.values))
    bytesRead = 0
    if path == nil { head = Array(stored.values)[...] } else { close() }
    stored = FlatBuffer()
    decompressed = 0
  }

  private func contentHead(isInteractive: Bool) throws(RowsError) -> [UInt8] {
    guard let decompressor else {
      while stored.count < Self.headBytes, try readHead(isInteractive: isInteractive) {}
      return Array(stored.values)
    }
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.headBytes, alignment: 1)
    defer { room.deallocate() }
    var content: [UInt8] = []
    while !RowsFormat.isDecided(by: content), content.count < Self.headBytes {
      let step = try decompress(into: room, decompressor)
      content += room.prefix(step.written)
      guard step.read == 0, step.written == 0 else { continue }
      guard stored.count < Self.storedHeadBytes, try readMore(behind: content, isInteractive: isInteractive)
      else { break }
    }
    return content
  }

  /// Appends the next stored bytes unless the format is decided by those so far. Returns whether there are more.
  private func readHead(isInteractive: Bool) throws(RowsError) -> Bool {
    let content = Array(stored.values)
    guard !RowsFormat.isDecided(by: content) else { return false }
    return try readMore(behind: content, isInteractive: isInteractive)
  }

  /// Appends the next stored bytes. Returns false at the end, and where a reader that is interactive would wait for more
  /// than the first bytes of a line or the bytes by which compressed data are recognized.
  ///
  /// - Parameter content: What the stored bytes are when they are decompressed.
  private func readMore(behind content: [UInt8], isInteractive: Bool) throws(RowsError) -> Bool {
    let waits =
      !isInteractive || content.withoutByteOrderMark.allSatisfy { $0 <= 0x20 }
      || stored.count < RowsFormat.compressionMagicBytes && !stored.values.contains(0x0a)
    return try appendStored(Self.headBytes, nil, within: waits ? nil : RowsReader.waitMilliseconds) ?? 0 > 0
  }

  // MARK: Reading

  /// The descriptor that is readable when `read` has bytes; nil if it has them without waiting.
  var awaitedDescriptor: Int32? {
    path == nil && descriptor >= 0 && head.isEmpty && decompressed == stored.count && !hasMore ? descriptor : nil
  }

  /// Reads the next bytes of rows. Returns their number, which is 0 at the end; nil if there are none within the time.
  ///
  /// - Parameters:
  ///   - room: The memory for the bytes.
  ///   - hash: The hash that is updated with the bytes as they are stored.
  ///   - milliseconds: The time to wait for bytes; nil for any time.
  func read(
    into room: UnsafeMutableRawBufferPointer, _ hash: SHA256, within milliseconds: Int32? = nil
  ) throws(RowsError) -> Int? {
    if descriptor < 0, let path {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw RowsError(name: name, errno: errno) }
    }
    let count = try readContent(into: room, hash, within: milliseconds)
    if array != nil, let count {
      array?.convert(UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
      if count == 0 && array?.isComplete == false {
        throw RowsError(name: name, reason: "is a JSON array that ends too early")
      }
    }
    return count
  }

  /// Reads the next bytes of rows or of an array of rows.
  private func readContent(
    into room: UnsafeMutableRawBufferPointer, _ hash: SHA256, within milliseconds: Int32?
  ) throws(RowsError) -> Int? {
    guard let decompressor else { return try readStored(into: room, hash, within: milliseconds) }
    while true {
      if decompressed == stored.count && !hasMore {
        stored.removeAll()
        decompressed = 0
        guard let count = try appendStored(Self.compressedBytes, hash, within: milliseconds) else { return nil }
        guard count > 0 else {
          guard decompressor.isComplete else { throw damage("it ends too early", decompressor) }
          return 0
        }
      }
      let step = try decompress(into: room, decompressor)
      guard step.read > 0 || step.written > 0 || hasMore else {
        throw damage("the decoder makes no progress", decompressor)
      }
      hasMore = step.written == room.count
      if step.written > 0 { return step.written }
    }
  }

  private func decompress(
    into room: UnsafeMutableRawBufferPointer, _ decompressor: any Decompressor
  ) throws(RowsError) -> (read: Int, written: Int) {
    let input = UnsafeRawBufferPointer(rebasing: stored.bytes[decompressed...])
    do throws(DecompressionError) {
      let step = try decompressor.decompress(input, into: room)
      decompressed += step.read
      return step
    } catch { throw damage(error.reason, decompressor) }
  }

  /// Reads the next bytes of the file behind `stored`, up to a limit. Returns their number, which is 0 at the end; nil if there are
  /// none within the time.
  private func appendStored(_ most: Int, _ hash: SHA256?, within milliseconds: Int32?) throws(RowsError) -> Int? {
    stored.reserve(most)
    let room = UnsafeMutableRawBufferPointer(start: stored.base + stored.count, count: most)
    guard let count = try readStored(into: room, hash, within: milliseconds) else { return nil }
    _ = stored.extend(by: count)
    return count
  }

  private func damage(_ reason: String, _ decompressor: any Decompressor) -> RowsError {
    RowsError(name: name, reason: "is damaged \(decompressor.format) data: \(reason)")
  }

  private func readStored(
    into room: UnsafeMutableRawBufferPointer, _ hash: SHA256?, within milliseconds: Int32?
  ) throws(RowsError) -> Int? {
    guard let count = try readBlock(into: room, within: milliseconds) else { return nil }
    bytesRead += count
    // A file that has become longer is read to its end.
    if count == 0, let size, bytesRead < size { throw RowsError(name: name, truncatedTo: bytesRead, of: size) }
    hash?.update(UnsafeRawBufferPointer(rebasing: room[..<count]))
    return count
  }

  private func readBlock(
    into room: UnsafeMutableRawBufferPointer, within milliseconds: Int32?
  ) throws(RowsError) -> Int? {
    if !head.isEmpty {
      let count = min(head.count, room.count)
      room.copyBytes(from: head.prefix(count))
      head = head.dropFirst(count)
      if head.isEmpty { head = [] }
      return count
    }
    while true {
      // Input may pause for any length of time. The timeout lets a stop end the wait nevertheless.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&waiting, 1, milliseconds ?? Self.pollMilliseconds) == 0 || shouldStop() {
        if shouldStop() { throw RowsError(name: name, reason: "reading was interrupted") }
        if milliseconds != nil { return nil }
      }
      let count = Glibc.read(descriptor, room.baseAddress, room.count)
      if count >= 0 { return count }
      // Another process that shares the input can take its bytes first.
      guard errno == EINTR || errno == EAGAIN else { throw RowsError(name: name, errno: errno) }
    }
  }
}
