import Buffers
import CLinux
import Glibc
import Processes
import RowsFiles

/// The rows of a load test in memory. Repeated endlessly, they form the feed from which batches are taken.
public struct LoadRows: Sendable {
  /// The limit of rows in bytes.
  private static let limit = 1 << 30
  private static let chunkBytes = 1 << 20

  private var bytes: [UInt8] = []
  /// The offset of the end of each row, after its line feed.
  private var ends: [Int] = []

  public var count: Int { ends.count }

  /// Reads all rows.
  ///
  /// - Throws: `LoadTestError` if there are none or too many, `RowsError` if they cannot be read.
  public init(_ reader: RowsReader) throws {
    while let chunk = try reader.next(bytes: Self.chunkBytes) {
      chunk.forEachRow { row, _ in add(row) }
      guard bytes.count <= Self.limit else {
        throw LoadTestError(
          "\(reader.name): has more than \(Self.limit >> 20) MiB of rows; use a part of them")
      }
    }
    guard !ends.isEmpty else { throw LoadTestError("\(reader.name): has no rows") }
  }

  private mutating func add(_ row: ByteString) {
    bytes += row.bytes
    bytes.append(UInt8(ascii: "\n"))
    ends.append(bytes.count)
  }

  /// Returns a reader of a range of rows of the endless feed.
  func reader(of rows: Range<Int>) throws -> RowsReader {
    let descriptor = galley_memory_file("rows")
    guard descriptor >= 0 else {
      throw LoadTestError("a file in memory cannot be written: \(String(cString: strerror(errno)))")
    }
    do { for range in byteRanges(of: rows) { try write(bytes[range], to: descriptor) } } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    // The reader closes the descriptor. The byte order mark of the file is not among the rows.
    return try RowsReader(descriptor: descriptor, name: "rows of a batch", isAtStart: false)
  }

  /// Returns the byte ranges of a range of rows of the endless feed, in order.
  func byteRanges(of rows: Range<Int>) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var next = rows.lowerBound
    while next < rows.upperBound {
      let first = next % count
      let last = min(first + rows.upperBound - next, count)
      ranges.append((first == 0 ? 0 : ends[first - 1])..<ends[last - 1])
      next += last - first
    }
    return ranges
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws {
    let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    guard code == 0 else {
      throw LoadTestError("a file in memory cannot be written: \(String(cString: strerror(code)))")
    }
  }
}

/// An error that ends a load test.
public struct LoadTestError: Error, Equatable, CustomStringConvertible {
  /// The reason, as a phrase without a full stop.
  public let description: String

  init(_ description: String) { self.description = description }
}
