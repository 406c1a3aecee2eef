import BatchLayout
import Buffers
import PoolMessages
import ZeroMQ

/// The lines of a job: part of a chunk that a client sent, in memory or in the batch's journal; or all of the chunk, which
/// is not cut yet.
struct JobBytes {
  /// Where the chunk is.
  enum Source {
    case memory(Frame)
    case journal(JournalFile, JournalFile.Place)
  }

  let source: Source
  let start: Int
  let count: Int
  let firstLine: UInt64
  let firstRow: UInt64
  let rows: UInt32
  /// The name of the file that the lines are from, where the batch has several; else empty.
  var file = ""
  /// Whether jobs that it is cut into get a hash.
  let isKept: Bool
  /// Of its file, the number of its first line and its lines, by which what is done of it is known again.
  var hash: UInt64 = 0

  /// The lines as a frame, without copying those in memory.
  func load() throws(JournalError) -> Frame {
    switch source {
    case .memory(let chunk):
      Frame(bytes: UnsafeRawBufferPointer(rebasing: chunk.bytes[start..<start + count]), keeping: chunk)
    case .journal(let file, let place):
      try file.read(JournalFile.Place(offset: place.offset + start, count: count))
    }
  }

  /// Where the lines are for a peer; nil when they have to go by the socket.
  func shown(in lane: CoordinatorLane?) -> PoolSharedBytes? {
    guard case .memory(let chunk) = source else { return nil }
    return lane?.show(chunk, start..<start + count)
  }

  var slice: JobSlice { JobSlice(firstRow: firstRow, rows: rows, bytes: count) }

  /// Number of the first line that holds a row.
  func firstLineWithRow() throws(JournalError) -> UInt64 {
    try load().withBytes { bytes in
      var lines = Lines(ByteString(bytes))
      var line = firstLine
      while let (text, _) = lines.next(), text.row(inLine: line) == nil { line &+= 1 }
      return line
    }
  }

  /// Whether there are as many rows as was claimed.
  func hasItsRows() throws(JournalError) -> Bool {
    try load().withBytes { bytes in
      var cutter = Cutter(self, ByteString(bytes))
      return cutter.next(until: { _, _, _ in false })?.rows ?? 0 == rows
    }
  }

  /// Cuts a chunk into jobs of about so many bytes and of about one size, at line ends. Nil when it is seen not to have
  /// the rows it claims, for which one that is not cut is not searched.
  ///
  /// - Parameter done: rows in the runs that were jobs before, by the first of them: cut again like that.
  func cut(
    jobBytes: Int, done: (UInt64) -> UInt32? = { _ in nil }
  ) throws(JournalError) -> [JobBytes]? {
    let pieces = max((count + jobBytes / 2) / jobBytes, 1)
    if pieces == 1 && rows > 0 && !isKept { return [self] }
    let pieceBytes = (count + pieces - 1) / pieces
    return try load().withBytes { bytes in
      var jobs: [JobBytes] = []
      var cutter = Cutter(self, ByteString(bytes))
      while let job = cutter.next(until: { first, rows, bytes in
        if let wanted = done(first) { return rows == wanted }
        return bytes >= pieceBytes || done(first + UInt64(rows)) != nil
      }) {
        jobs.append(job)
      }
      let found = jobs.reduce(0) { $0 + UInt64($1.rows) }
      return found == UInt64(rows) ? jobs : nil
    }
  }

  /// The job in two halves by rows; nil when it does not have the rows it claims.
  func halved() throws(JournalError) -> (JobBytes, JobBytes)? {
    try load().withBytes { bytes in
      var cutter = Cutter(self, ByteString(bytes))
      let half = rows / 2
      guard half > 0, let first = cutter.next(until: { _, rows, _ in rows >= half }),
        let second = cutter.next(until: { _, _, _ in false }), first.rows + second.rows == rows
      else { return nil }
      return (first, second)
    }
  }

  /// Walks the lines of a job and cuts it into smaller ones.
  private struct Cutter: ~Copyable {
    private let whole: JobBytes
    private let bytes: ByteString
    private var lines: Lines
    private var place = 0
    private var line: UInt64
    private var row: UInt64

    init(_ whole: JobBytes, _ bytes: ByteString) {
      self.whole = whole
      self.bytes = bytes
      lines = Lines(bytes)
      line = whole.firstLine
      row = whole.firstRow
    }

    /// The lines from here until enough rows or bytes are in, told with the first row's number; nil at the end.
    mutating func next(until isEnough: (UInt64, UInt32, Int) -> Bool) -> JobBytes? {
      let start = place
      let firstLine = line
      var rows: UInt32 = 0
      while let (text, end) = lines.next() {
        if text.row(inLine: line) != nil { rows += 1 }
        line &+= 1
        place = end
        if rows > 0 && isEnough(row, rows, place - start) { break }
      }
      guard place > start else { return nil }
      defer { row &+= UInt64(rows) }
      return JobBytes(
        source: whole.source, start: whole.start + start, count: place - start, firstLine: firstLine, firstRow: row,
        rows: rows, file: whole.file, isKept: whole.isKept,
        hash: whole.isKept ? hash(bytes.slice(start, place), firstLine) : 0)
    }

    private func hash(_ lines: ByteString, _ firstLine: UInt64) -> UInt64 {
      Checksum.of(UnsafeRawBufferPointer(lines.bytes), seed: Checksum.of(whole.file, seed: firstLine))
    }
  }
}
