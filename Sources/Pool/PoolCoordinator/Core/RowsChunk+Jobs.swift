import Buffers
import Hashing
import PoolProtocol
import PoolScheduler

/// The lines of a chunk in memory, which are cut into jobs.
extension RowsChunk<OwnedBytes> {
  var slice: JobSlice { JobSlice(firstRow: firstRow, rows: rows, bytes: lines.count) }

  /// The XXH3 of the lines, of the name of their file and of the number of the first line, by which stored results of the
  /// same lines are recognized.
  var hash: UInt64 {
    lines.withBytes { Checksum.of($0, seed: Checksum.of(file, seed: firstLine)) }
  }

  /// The number of the first line that holds a row.
  var firstLineWithRow: UInt64 {
    lines.withBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var line = firstLine
      while let (text, _) = lines.next(), text.row(inLine: line) == nil { line &+= 1 }
      return line
    }
  }

  /// Whether the lines have as many rows as the chunk states.
  var hasItsRows: Bool {
    var cutter = Cutter(self)
    return cutter.next(until: { _, _, _ in false })?.rows ?? 0 == rows
  }

  /// Cuts a chunk at line ends into jobs of similar sizes of about `jobBytes`. Returns nil if the number of rows is not
  /// that of the chunk.
  ///
  /// - Parameters:
  ///   - counts: Whether the rows are counted even if the chunk is one job.
  ///   - stored: The stored results by their first row. Their rows become jobs of the same extent.
  func cut(jobBytes: Int, counts: Bool, stored: [UInt64: ResultRun<[JournalRange]>] = [:]) -> [Self]? {
    let count = lines.count
    let pieces = max((count + jobBytes / 2) / jobBytes, 1)
    if pieces == 1 && rows > 0 && !counts { return [self] }
    let pieceBytes = (count + pieces - 1) / pieces
    var jobs: [Self] = []
    var cutter = Cutter(self)
    while let job = cutter.next(until: { first, rows, bytes in
      if stored.isEmpty { return bytes >= pieceBytes }
      if let wanted = stored[first] { return rows == wanted.rows }
      return bytes >= pieceBytes || stored[first + UInt64(rows)] != nil
    }) {
      jobs.append(job)
    }
    let found = jobs.reduce(0) { $0 + UInt64($1.rows) }
    return found == UInt64(rows) ? jobs : nil
  }

  /// Returns parts with similar numbers of rows; nil if the number of rows is not that of the chunk.
  func split() -> [Self]? {
    var cutter = Cutter(self)
    // The sum with the number of parts could be too large, because a chunk can state any number of rows.
    let (whole, rest) = rows.quotientAndRemainder(dividingBy: partsOfSplit)
    let enough = rest > 0 ? whole + 1 : whole
    var parts: [Self] = []
    while let part = cutter.next(until: { _, count, _ in count >= enough }) {
      // Blank lines at the end belong to no part.
      if part.rows > 0 { parts.append(part) }
    }
    let found = parts.reduce(0) { $0 + UInt64($1.rows) }
    return found == UInt64(rows) && parts.count > 1 ? parts : nil
  }
}

/// The number of parts of a split job. A larger number ends fewer workers until a row is alone.
private let partsOfSplit: UInt32 = 16

/// Cuts lines into runs in one pass.
private struct Cutter: ~Copyable {
  private let whole: RowsChunk<OwnedBytes>
  private var lines: Lines
  private var offset = 0
  private var line: UInt64
  private var row: UInt64

  init(_ whole: RowsChunk<OwnedBytes>) {
    self.whole = whole
    lines = Lines(ByteString(whole.lines.bytes))
    (line, row) = (whole.firstLine, whole.firstRow)
  }

  /// Returns the next lines, until `isEnough` returns true for the first row, the number of rows and the bytes; nil at the
  /// end.
  mutating func next(until isEnough: (UInt64, UInt32, Int) -> Bool) -> RowsChunk<OwnedBytes>? {
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
    return RowsChunk(
      whole.lines.slice(start..<offset), firstLine: firstLine, firstRow: row, rows: rows, file: whole.file)
  }
}
