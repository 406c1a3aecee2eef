import Buffers
import CellTemplates
import Glibc
import Hashing
import Processes

/// A reader of rows from files or standard input, which returns chunks of whole lines and counts the lines and rows. It
/// does not parse the rows.
///
/// The numbers of rows continue from file to file; the numbers of lines start again in each file. No chunk has lines of
/// two files.
public final class RowsReader {
  /// The largest number of files that are listed by name where a text names all files.
  private static let namedFiles = 3

  /// The files as the user named them.
  public let name: String
  private let files: [RowsFile]
  private var current = 0
  private var bytesOfFilesBefore = 0
  private var line: UInt64 = 1
  private var row: UInt64 = 0
  private var pending = FlatBuffer<UInt8>(capacity: 64 << 10)
  /// Whether the bytes up to the next end of a line are skipped, because the line is longer than the limit for a row.
  private var skipsLine = false
  private var isFileAtEnd = false
  private var isAtEnd = false
  private let hash = SHA256()
  /// The bytes of blank lines beyond those of rows that compressed files may have. Some kilobytes can contain gigabytes of
  /// them, which would take minutes.
  static let blankBytes = 32 << 20
  /// The bytes of lines beyond the limit for a row that compressed files may have.
  static let skippedBytes = 256 << 20
  private var skipped = 0
  /// The bytes of blank lines less those of rows, in compressed files.
  private var excessBlankBytes = 0
  /// The number of pending bytes that have no end of a line.
  private var searched = 0
  /// The milliseconds within which further input counts as waiting, if the reader is interactive: it returns lines as soon
  /// as no more input is waiting, and not only when they fill a chunk.
  private let wait: Int32?
  /// The milliseconds of interactive readers of files and bodies.
  static let waitMilliseconds: Int32 = 1

  /// Opens files and checks their formats.
  ///
  /// - Parameters:
  ///   - paths: The files in the order of their rows; `-` for standard input.
  ///   - isInteractive: Whether `next` returns lines as soon as no more input is waiting, and no lines where the next one
  ///     is not complete.
  ///   - shouldStop: A function that is called before each read, and while bytes are awaited. When it returns true, the read ends
  ///     with a `RowsError`, and can be repeated.
  /// - Throws: `RowsError` for a file that cannot be read or is in another format.
  public init(
    _ paths: [String], isInteractive: Bool = false, shouldStop: @escaping () -> Bool = { Interruption.isRequested }
  ) throws(RowsError) {
    wait = isInteractive ? Self.waitMilliseconds : nil
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw RowsError(name: RowsFile.name(of: "-"), reason: "can be read only once; name - once")
    }
    name = Self.name(of: paths)
    var files: [RowsFile] = []
    for path in paths {
      let file = try RowsFile(path, shouldStop: shouldStop)
      try file.checkFormat(isInteractive: isInteractive)
      files.append(file)
    }
    self.files = files
  }

  /// Opens one file and checks its format.
  ///
  /// - Parameter path: The path of a file, or `-` for standard input.
  public convenience init(_ path: String) throws(RowsError) { try self.init([path]) }

  /// Reads from an open descriptor, which the reader closes when it is released.
  ///
  /// - Parameters:
  ///   - isAtStart: Whether the descriptor is at the start of its file. Only there a byte order mark is no part of the line. From
  ///     another place, the numbers of lines are not those of the file.
  ///   - wait: The milliseconds within which further input counts as waiting, if the reader is interactive; 0 for what has come.
  public init(
    descriptor: Int32, name: String, isAtStart: Bool = true, waitMilliseconds wait: Int32? = nil
  ) throws(RowsError) {
    (self.name, self.wait) = (name, wait)
    if !isAtStart { line = 2 }
    files = [try RowsFile(descriptor: descriptor, name: name)]
  }

  /// Reads rows from an open descriptor, which the reader closes when it is released. They may also be the elements of a
  /// JSON array, and be compressed.
  ///
  /// - Parameters:
  ///   - isInteractive: As in the initializer for paths.
  ///   - shouldStop: As in the initializer for paths.
  /// - Throws: `RowsError` for another format, and when `shouldStop` returns true.
  public init(
    body descriptor: Int32, name: String, isInteractive: Bool, shouldStop: @escaping () -> Bool
  ) throws(RowsError) {
    self.name = name
    wait = isInteractive ? Self.waitMilliseconds : nil
    let file = try RowsFile(descriptor: descriptor, name: name, shouldStop: shouldStop)
    try file.checkFormat(isInteractive: isInteractive, takesArray: true)
    files = [file]
  }

  /// Returns the name for several files together, such as `a.jsonl, b.jsonl.gz, c.jsonl and 3 more`.
  public static func name(of paths: [String]) -> String {
    let named = paths.prefix(namedFiles).map { RowsFile.name(of: $0) }.joined(separator: ", ")
    return paths.count > namedFiles ? "\(named) and \(paths.count - namedFiles) more" : named
  }

  /// The number of bytes of the files as they are stored, or nil if that is not known.
  public var size: Int? { Self.sum(files.map(\.size)) }

  /// The number of bytes of rows, or nil if that is not known before they are decompressed.
  public var contentSize: Int? { Self.sum(files.map(\.contentSize)) }

  private static func sum(_ sizes: [Int?]) -> Int? {
    sizes.reduce(0) { sum, size in sum.flatMap { sum in size.map { sum + $0 } } }
  }

  /// The number of bytes read so far, as they are stored.
  public var bytesRead: Int { bytesOfFilesBefore + (current < files.count ? files[current].bytesRead : 0) }

  /// The input as it was read. It is available at the end.
  public private(set) lazy var input = InputSummary(
    bytes: UInt64(bytesRead), hash: "sha256:" + hexadecimal(hash.finish()))

  /// The descriptor that is readable when there is input, if the reader is interactive and has none.
  public var awaitedDescriptor: Int32? {
    wait != nil && !isAtEnd && !isFileAtEnd ? files[current].awaitedDescriptor : nil
  }

  /// Returns the next lines, or nil after the last ones. A chunk has at least one line, unless its file has no more or the
  /// reader is interactive.
  ///
  /// - Parameters:
  ///   - wanted: The approximate number of bytes.
  ///   - copy: The function that copies the lines.
  public func next(
    bytes wanted: Int, copy: (UnsafeRawBufferPointer) -> OwnedBytes = { OwnedBytes(copying: $0) }
  ) throws(RowsError) -> RowsChunk<OwnedBytes>? {
    guard !isAtEnd else { return nil }
    if isFileAtEnd { beginNextFile() }
    var end = 0
    while !isFileAtEnd {
      // The chunk ends at the last newline so far. A line that exceeds the wanted size is read to its end.
      if pending.count >= wanted || searched < pending.count {
        if let newline = pending.values[searched...].lastIndex(of: 0x0a) { end = newline + 1 }
        if end > 0 && pending.count >= wanted { break }
        if end == 0 && pending.count >= Self.bytesOfLongLine { truncateLine() }
        searched = pending.count
      }
      guard try read(wanted) else { break }
    }
    if isFileAtEnd { end = pending.count }
    isAtEnd = isFileAtEnd && current + 1 >= files.count
    return try cut(end, copy)
  }

  private func beginNextFile() {
    bytesOfFilesBefore += files[current].bytesRead
    current += 1
    line = 1
    (skipsLine, isFileAtEnd) = (false, false)
  }

  /// One byte more than the limit, and those of a byte order mark: sufficient to recognize a line as too long.
  private static let bytesOfLongLine = Lines.maxLength + 4

  /// Shortens a line that is too long. The rest is skipped while it is read.
  private func truncateLine() {
    let rest = pending.count - Self.bytesOfLongLine
    pending.truncate(to: Self.bytesOfLongLine)
    keepRow(before: pending.base + pending.count, rest)
    skipsLine = true
  }

  /// Ensures that a shortened line is a row if it is one with further bytes, which are skipped: its beginning may be blank.
  private func keepRow(before skipped: UnsafePointer<UInt8>, _ count: Int) {
    if !ByteString(start: skipped, count: count).isBlankLine { pending[pending.count - 1] = UInt8(ascii: "x") }
  }

  /// Reads more bytes. Returns whether there were some, or the file has ended.
  private func read(_ wanted: Int) throws(RowsError) -> Bool {
    let room = max(wanted, 64 << 10)
    pending.reserve(room)
    let start = pending.base + pending.count
    let count = try files[current].read(
      into: UnsafeMutableRawBufferPointer(start: start, count: room), hash,
      within: wait)
    guard let count else { return false }
    isFileAtEnd = count == 0
    guard skipsLine else {
      _ = pending.extend(by: count)
      return true
    }
    let newline = memchr(start, 0x0a, count)
    let kept = newline.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self)) - UnsafePointer(start) } ?? count
    keepRow(before: start, kept)
    guard newline != nil else {
      try noteSkipped(count)
      return true
    }
    start.update(from: start + kept, count: count - kept)
    _ = pending.extend(by: count - kept)
    skipsLine = false
    return true
  }

  private func noteSkipped(_ bytes: Int) throws(RowsError) {
    guard files[current].isCompressed else { return }
    skipped += bytes
    guard skipped > Self.skippedBytes else { return }
    throw RowsError(
      name: files[current].name,
      reason:
        "has lines with \(Self.skippedBytes >> 20) MiB more than a row may have when it is decompressed; remove them")
  }

  private func noteBlank(_ blankBytes: Int, rowBytes: Int) throws(RowsError) {
    guard files[current].isCompressed else { return }
    excessBlankBytes += blankBytes - rowBytes
    guard excessBlankBytes > Self.blankBytes else { return }
    throw RowsError(
      name: files[current].name,
      reason:
        "has \(Self.blankBytes >> 20) MiB more of blank lines than of rows when it is decompressed; remove the blank lines"
    )
  }

  private func cut(
    _ end: Int, _ copy: (UnsafeRawBufferPointer) -> OwnedBytes
  ) throws(RowsError) -> RowsChunk<OwnedBytes> {
    let firstLine = line
    var rows: UInt32 = 0
    var rowBytes = 0
    var walk = Lines(ByteString(start: pending.base, count: end))
    while let (text, _) = walk.next() {
      if text.row(inLine: line) != nil {
        rows += 1
        rowBytes += text.count + 1
      }
      line += 1
    }
    defer { row += UInt64(rows) }
    try noteBlank(end - rowBytes, rowBytes: rowBytes)
    let lines = copy(UnsafeRawBufferPointer(start: pending.base, count: end))
    let rest = pending.count - end
    pending.base.update(from: pending.base + end, count: rest)
    pending.truncate(to: rest)
    searched = min(searched, rest)
    return RowsChunk(
      lines, firstLine: firstLine, firstRow: row, rows: rows, file: files.count > 1 ? files[current].name : "",
      end: isAtEnd ? input : nil)
  }
}

extension RowsChunk<OwnedBytes> {
  /// Calls `body` with each row and the number of its line. After the row there is the padding that parsing needs.
  public func forEachRow(_ body: (ByteString, UInt64) throws -> Void) rethrows {
    try lines.withBytes { [UInt8]($0) }.withPadding { text in
      var walk = Lines(text)
      var number = firstLine
      while let (line, _) = walk.next() {
        if let row = line.row(inLine: number) { try body(row, number) }
        number += 1
      }
    }
  }
}
