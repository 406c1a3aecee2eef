import BatchLayout
import Buffers
import ZeroMQ

/// The lines of a job: part of a chunk that a client sent, kept until the job is over.
struct JobBytes {
  let chunk: Frame
  let start: Int
  let count: Int
  let firstLine: UInt64
  let firstRow: UInt64
  let rows: UInt32

  var bytes: ByteString {
    guard let base = chunk.bytes.baseAddress else { return .empty }
    return ByteString(start: (base + start).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// The lines as a frame, without copying them.
  var frame: Frame {
    let bytes = self.bytes
    return Frame(bytes: UnsafeRawBufferPointer(bytes.bytes), keeping: chunk)
  }

  var slice: JobSlice { JobSlice(firstRow: firstRow, rows: rows, bytes: count) }

  /// Number of the first line that holds a row.
  var firstLineWithRow: UInt64 {
    var lines = Lines(bytes)
    var line = firstLine
    while let (text, _) = lines.next(), (line == 1 ? text.withoutByteOrderMark : text).isBlankLine { line &+= 1 }
    return line
  }

  /// Cuts a chunk into jobs of about so many bytes, at line ends. Nil when it does not have the rows it claims.
  static func cut(_ chunk: Frame, firstLine: UInt64, firstRow: UInt64, rows: UInt32, jobBytes: Int) -> [JobBytes]? {
    var jobs: [JobBytes] = []
    let whole = JobBytes(
      chunk: chunk, start: 0, count: chunk.count, firstLine: firstLine, firstRow: firstRow, rows: rows)
    var cutter = Cutter(whole)
    while let job = cutter.next(until: { bytes, _ in bytes >= jobBytes }) { jobs.append(job) }
    let found = jobs.reduce(0) { $0 + UInt64($1.rows) }
    return found == UInt64(rows) ? jobs : nil
  }

  /// The job in two halves by rows.
  func halved() -> (JobBytes, JobBytes)? {
    var cutter = Cutter(self)
    let half = rows / 2
    guard half > 0, let first = cutter.next(until: { _, rows in rows >= half }),
      let second = cutter.next(until: { _, _ in false })
    else { return nil }
    return (first, second)
  }

  /// Walks the lines of a job and cuts it into smaller ones.
  private struct Cutter: ~Copyable {
    private let whole: JobBytes
    private var lines: Lines
    private var place = 0
    private var line: UInt64
    private var row: UInt64

    init(_ whole: JobBytes) {
      self.whole = whole
      lines = Lines(whole.bytes)
      line = whole.firstLine
      row = whole.firstRow
    }

    /// The lines from here until enough bytes or rows are in; nil at the end.
    mutating func next(until isEnough: (Int, UInt32) -> Bool) -> JobBytes? {
      let start = place
      let firstLine = line
      var rows: UInt32 = 0
      while let (text, end) = lines.next() {
        let content = line == 1 ? text.withoutByteOrderMark : text
        if !content.isBlankLine { rows += 1 }
        line &+= 1
        place = end
        if rows > 0 && isEnough(place - start, rows) { break }
      }
      guard place > start else { return nil }
      defer { row &+= UInt64(rows) }
      return JobBytes(
        chunk: whole.chunk, start: whole.start + start, count: place - start, firstLine: firstLine, firstRow: row,
        rows: rows)
    }
  }
}
