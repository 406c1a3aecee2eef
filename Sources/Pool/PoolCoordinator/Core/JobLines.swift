import Buffers
import Hashing
import PoolProtocol
import PoolScheduler

/// A run of whole lines in memory: the content of a job.
struct JobLines {
  let bytes: OwnedBytes
  /// The range of the bytes in those that the client sent together.
  let range: Range<Int>
  let header: LinesHeader
  /// The XXH3 of the lines, of the name of their file and of the number of the first line, by which stored results of the
  /// same lines are recognized; zero where results are not stored.
  var hash: UInt64 = 0

  init(_ bytes: OwnedBytes, _ header: LinesHeader) {
    (self.bytes, self.range, self.header) = (bytes, 0..<bytes.count, header)
  }

  private init(_ bytes: OwnedBytes, _ range: Range<Int>, _ header: LinesHeader) {
    (self.bytes, self.range, self.header) = (bytes, range, header)
  }

  /// The lines alone.
  var content: OwnedBytes { bytes.slice(range) }

  /// The XXH3 of the lines alone.
  var checksum: UInt64 { content.checksum }

  var slice: JobSlice { JobSlice(firstRow: header.firstRow, rows: header.rows, bytes: range.count) }

  /// The number of the first line that holds a row.
  var firstLineWithRow: UInt64 {
    content.withBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var line = header.firstLine
      while let (text, _) = lines.next(), text.row(inLine: line) == nil { line &+= 1 }
      return line
    }
  }

  /// Whether the number of rows equals that in the chunk's header.
  var hasItsRows: Bool {
    content.withBytes { bytes in
      var cutter = Cutter(self, ByteString(bytes))
      return cutter.next(until: { _, _, _ in false })?.header.rows ?? 0 == header.rows
    }
  }

  /// Cuts a chunk at line ends into jobs of similar sizes of about `jobBytes`. Returns nil if the number of rows differs from
  /// the chunk's header. Rows are counted only if the chunk is cut.
  ///
  /// - Parameters:
  ///   - hashes: Whether the jobs get a hash.
  ///   - stored: The stored results by their first row. Their rows become jobs of the same extent.
  func cut(jobBytes: Int, hashes: Bool, stored: [UInt64: ResultRun<[JournalRange]>] = [:]) -> [JobLines]? {
    let count = range.count
    let pieces = max((count + jobBytes / 2) / jobBytes, 1)
    if pieces == 1 && header.rows > 0 && !hashes { return [self] }
    let pieceBytes = (count + pieces - 1) / pieces
    return content.withBytes { bytes in
      var jobs: [JobLines] = []
      var cutter = Cutter(self, ByteString(bytes), hashes: hashes)
      while let job = cutter.next(until: { first, rows, bytes in
        if stored.isEmpty { return bytes >= pieceBytes }
        if let wanted = stored[first] { return rows == wanted.rows }
        return bytes >= pieceBytes || stored[first + UInt64(rows)] != nil
      }) {
        jobs.append(job)
      }
      let found = jobs.reduce(0) { $0 + UInt64($1.header.rows) }
      return found == UInt64(header.rows) ? jobs : nil
    }
  }

  /// The number of parts of a split job. A larger number ends fewer workers until a row is alone.
  private static let partsOfSplit: UInt32 = 16

  /// Returns parts with similar numbers of rows; nil if the number of rows differs from the chunk's header.
  func split(hashes: Bool) -> [JobLines]? {
    content.withBytes { bytes in
      var cutter = Cutter(self, ByteString(bytes), hashes: hashes)
      // The sum with the number of parts could be too large, because the header can state any number of rows.
      let (whole, rest) = header.rows.quotientAndRemainder(dividingBy: Self.partsOfSplit)
      let rows = rest > 0 ? whole + 1 : whole
      var parts: [JobLines] = []
      while let part = cutter.next(until: { _, count, _ in count >= rows }) {
        // Blank lines at the end belong to no part.
        if part.header.rows > 0 { parts.append(part) }
      }
      let found = parts.reduce(0) { $0 + UInt64($1.header.rows) }
      return found == UInt64(header.rows) && parts.count > 1 ? parts : nil
    }
  }

  /// Cuts lines into runs in one pass.
  private struct Cutter: ~Copyable {
    private let whole: JobLines
    private let bytes: ByteString
    private let hashes: Bool
    private var lines: Lines
    private var offset = 0
    private var line: UInt64
    private var row: UInt64

    init(_ whole: JobLines, _ bytes: ByteString, hashes: Bool = false) {
      (self.whole, self.bytes, self.hashes) = (whole, bytes, hashes)
      lines = Lines(bytes)
      (line, row) = (whole.header.firstLine, whole.header.firstRow)
    }

    /// Returns the next lines, until `isEnough` returns true for the first row, the number of rows and the bytes; nil at the
    /// end.
    mutating func next(until isEnough: (UInt64, UInt32, Int) -> Bool) -> JobLines? {
      let start = offset
      let firstLine = line
      var rows: UInt32 = 0
      while let (text, end) = lines.next() {
        if text.row(inLine: line) != nil { rows += 1 }
        line &+= 1
        offset = end
        if rows > 0 && isEnough(row, rows, offset - start) { break }
      }
      guard offset > start else { return nil }
      defer { row &+= UInt64(rows) }
      let base = whole.range.lowerBound
      var job = JobLines(
        whole.bytes, base + start..<base + offset,
        LinesHeader(firstLine: firstLine, firstRow: row, rows: rows, file: whole.header.file))
      if hashes { job.hash = hash(bytes.slice(start, offset), firstLine) }
      return job
    }

    private func hash(_ lines: ByteString, _ firstLine: UInt64) -> UInt64 {
      Checksum.of(UnsafeRawBufferPointer(lines.bytes), seed: Checksum.of(whole.header.file, seed: firstLine))
    }
  }
}
