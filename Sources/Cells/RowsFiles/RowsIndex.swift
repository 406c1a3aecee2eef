import Buffers
import CLinux
import Foundation

/// The places of rows in files, by which any row is read without reading those before it.
///
/// The index is built while rows are read by it already: `build` goes through the files once, and `read` waits for the
/// rows that it needs.
public final class RowsIndex: @unchecked Sendable {
  /// The number of rows for each place that is stored, so that the index of ten million rows takes 4 MB.
  static let interval = 64
  /// The bytes of a file that are read at a time.
  private static let blockBytes = 1 << 20

  /// A file whose rows are found: the file itself if it is plain, or its rows in memory of the kernel.
  private struct File {
    let name: String
    let descriptor: Int32
    /// The number of bytes of a plain file when it was opened.
    let size: Int
    /// The reader of rows that are compressed or come from a pipe.
    let reader: RowsReader?
  }

  /// A place from which rows are read.
  private struct Place {
    let file: Int
    let offset: Int
    /// The index of the first row behind the offset.
    let row: Int
  }

  /// The files as the user named them.
  public let name: String
  private let files: [File]
  /// Guards everything below, and is signaled when rows were found.
  private let condition = NSCondition()
  private var places: [Place] = []
  private var rows = 0
  private var isComplete = false
  private var failure: RowsError?

  /// Opens files and checks their formats.
  ///
  /// - Parameter paths: The files in the order of their rows; `-` for standard input.
  public init(_ paths: [String]) throws(RowsError) {
    name = RowsReader.name(of: paths)
    var files: [File] = []
    for path in paths {
      let reader = try RowsReader(path)
      let isPlain = path != "-" && reader.contentSize != nil
      let descriptor = isPlain ? open(path, O_RDONLY | O_CLOEXEC) : galley_memory_file("galley rows")
      guard descriptor >= 0 else {
        let error = RowsError(name: reader.name, errno: errno)
        for file in files { close(file.descriptor) }
        throw error
      }
      files.append(
        File(
          name: reader.name, descriptor: descriptor, size: isPlain ? reader.contentSize ?? 0 : 0,
          reader: isPlain ? nil : reader))
    }
    self.files = files
  }

  deinit { for file in files { close(file.descriptor) } }

  /// The number of rows of all files, or nil if they are not all found yet.
  public var rowCount: Int? {
    condition.withLock { isComplete && failure == nil ? rows : nil }
  }

  // MARK: Building

  /// Finds all rows. It is called once, on a thread of its own.
  ///
  /// - Throws: `RowsError` for a file that cannot be read, as `read` does from then on.
  public func build() throws(RowsError) {
    defer {
      condition.withLock {
        isComplete = true
        condition.broadcast()
      }
    }
    do throws(RowsError) {
      for index in files.indices { try build(index) }
    } catch {
      condition.withLock { failure = error }
      throw error
    }
  }

  private func build(_ index: Int) throws(RowsError) {
    var scan = RowScan()
    let file = files[index]
    if let reader = file.reader {
      var offset = 0
      while let chunk = try reader.next(bytes: Self.blockBytes) {
        let written = chunk.lines.withBytes { write(file.descriptor, $0.baseAddress, $0.count) }
        guard written == chunk.lines.count else { throw RowsError(name: file.name, errno: errno) }
        offset += written
        let found = chunk.lines.withBytes { scan.rows(in: $0) }
        note(found, index)
      }
    } else {
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 16)
      defer { block.deallocate() }
      var bytes = 0
      while true {
        let count = Foundation.read(file.descriptor, block.baseAddress, block.count)
        guard count >= 0 else { throw RowsError(name: file.name, errno: errno) }
        if count == 0 { break }
        bytes += count
        note(scan.rows(in: UnsafeRawBufferPointer(rebasing: block[..<count])), index)
      }
      guard bytes >= file.size else { throw RowsError(name: file.name, truncatedTo: bytes, of: file.size) }
    }
    note(scan.lastRow(), index)
  }

  /// Notes the offsets of further rows.
  private func note(_ offsets: [Int], _ file: Int) {
    condition.withLock {
      for offset in offsets {
        // Rows of two files are never behind one place.
        if rows % Self.interval == 0 || places.last?.file != file {
          places.append(Place(file: file, offset: offset, row: rows))
        }
        rows += 1
      }
      condition.broadcast()
    }
  }

  // MARK: Reading

  /// Calls a function with rows in their order. It waits until they are found. Rows behind the last one are left out.
  /// `JSONParser.padding` bytes behind a row are readable.
  ///
  /// - Throws: `RowsError` for a file that cannot be read, and what `body` throws.
  public func read(_ range: Range<Int>, _ body: (Int, ByteString) throws -> Void) throws {
    var next = range.lowerBound
    while next < range.upperBound, let place = try place(of: next) {
      // A descriptor of its own has a position of its own.
      let descriptor = open("/proc/self/fd/\(files[place.file].descriptor)", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0, lseek(descriptor, off_t(place.offset), SEEK_SET) >= 0 else {
        throw RowsError(name: files[place.file].name, errno: errno)
      }
      let reader = try RowsReader(
        descriptor: descriptor, name: files[place.file].name, isAtStart: place.offset == 0)
      var row = place.row
      let before = next
      while next < min(range.upperBound, place.end), let chunk = try reader.next(bytes: Self.readBytes) {
        try chunk.forEachRow { bytes, _ in
          if row == next, next < min(range.upperBound, place.end) {
            try body(row, bytes)
            next += 1
          }
          row += 1
        }
      }
      // The row was there when the index was built.
      guard next > before else {
        throw RowsError(
          name: files[place.file].name,
          reason: "was truncated after it was opened: row \(next) is missing; run again when it is complete")
      }
    }
  }

  /// The bytes that are read at a time where single rows are needed.
  private static let readBytes = 64 << 10

  /// Returns the place from which a row is read, and the index of the first row that is in another file; nil if there is
  /// no such row.
  private func place(of row: Int) throws -> (file: Int, offset: Int, row: Int, end: Int)? {
    try condition.withLock {
      while row >= rows && !isComplete { condition.wait() }
      if row >= rows, let failure { throw failure }
      guard row < rows else { return nil }
      let next = partitionPoint(places.count) { places[$0].row <= row }
      let place = places[next - 1]
      let end = places[next...].first { $0.file != place.file }?.row
      return (place.file, place.offset, place.row, end ?? .max)
    }
  }
}

/// Finds where rows begin in the bytes of a file that come in blocks.
struct RowScan {
  /// The offset of the next block.
  private var offset = 0
  private var lineStart = 0
  /// Whether the line has only spaces so far.
  private var isBlank = true

  /// Returns the offsets of the rows whose ends are in the next bytes of the file.
  mutating func rows(in block: UnsafeRawBufferPointer) -> [Int] {
    var found: [Int] = []
    var position = 0
    while position < block.count, let start = block.baseAddress {
      let newline = memchr(start + position, 0x0a, block.count - position).map { UnsafeRawPointer($0) - start }
      let end = newline ?? block.count
      if isBlank { isBlank = isBlank(block, position..<end) }
      guard newline != nil else { break }
      if !isBlank { found.append(lineStart) }
      position = end + 1
      (lineStart, isBlank) = (offset + position, true)
    }
    offset += block.count
    return found
  }

  /// Returns the offset of the last row if it has no end of a line.
  mutating func lastRow() -> [Int] { isBlank ? [] : [lineStart] }

  /// Returns whether a part of a line is blank. The byte order mark before the first line is no part of it.
  private func isBlank(_ block: UnsafeRawBufferPointer, _ part: Range<Int>) -> Bool {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    return part.allSatisfy { index in
      let byte = block[index]
      return byte == 0x20 || byte == 0x09 || byte == 0x0d
        || offset + index < mark.count && byte == mark[offset + index]
    }
  }
}
