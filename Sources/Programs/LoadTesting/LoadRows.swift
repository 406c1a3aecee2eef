import BatchLayout
import Buffers
import CLinux
import Glibc
import RowsFiles

/// Rows in memory from which batches are cut, over and over.
public struct LoadRows: Sendable {
  /// Bytes of rows that are kept.
  private static let limit = 1 << 30
  private static let chunkBytes = 1 << 20

  private var bytes: [UInt8] = []
  /// Where each row ends, its newline included.
  private var ends: [Int] = []

  public var count: Int { ends.count }

  /// Reads all rows.
  public init(_ reader: RowsReader) throws {
    while let chunk = try reader.next(bytes: Self.chunkBytes) {
      chunk.forEachRow { row, _ in add(row) }
      guard bytes.count <= Self.limit else {
        throw LoadTestError(
          "\(reader.name): has more than \(Self.limit >> 20) MiB of rows; a part of them is load enough")
      }
    }
    guard !ends.isEmpty else { throw LoadTestError("\(reader.name): has no rows") }
  }

  private mutating func add(_ row: ByteString) {
    bytes += row.bytes
    bytes.append(UInt8(ascii: "\n"))
    ends.append(bytes.count)
  }

  /// A reader of a run of rows of the endless feed that these rows make, repeated.
  func reader(of rows: Range<Int>) throws -> RowsReader {
    let descriptor = galley_memory_file("rows")
    guard descriptor >= 0 else {
      throw LoadTestError("cannot make rows in memory: \(String(cString: strerror(errno)))")
    }
    do { for run in runs(of: rows) { try write(bytes[run], to: descriptor) } } catch {
      close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    // The reader closes it.
    return try RowsReader(descriptor: descriptor, name: "rows of a batch")
  }

  /// Where the rows lie, from the first to the last.
  func runs(of rows: Range<Int>) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var next = rows.lowerBound
    while next < rows.upperBound {
      let first = next % count
      let last = min(first + rows.upperBound - next, count)
      runs.append((first == 0 ? 0 : ends[first - 1])..<ends[last - 1])
      next += last - first
    }
    return runs
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        guard count > 0 else {
          throw LoadTestError("cannot make rows in memory: \(String(cString: strerror(errno)))")
        }
        done += count
      }
    }
  }
}

/// A load test cannot go on; the message says why.
public struct LoadTestError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
