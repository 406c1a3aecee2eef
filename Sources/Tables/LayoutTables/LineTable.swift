import TableFormats

/// The writer of lines.arrow.
struct LineTable: ~Copyable {
  var file: TableFileWriter<LineColumns<UnsafeMutablePointer<ColumnBuffer>>>

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: FrameTable.batchSize, LineColumns.init)
  }

  /// - Parameter firstRow: the number of the job's first row in the table.
  mutating func append(_ job: JobTable, firstRow: UInt64) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    var rows = FrameRows(job)
    let (from, columns) = (job.columns, file.columns)
    var line = 0
    var done = 0
    while done < job.lineCount {
      let count = min(job.lineCount - done, file.room)
      columns.row.append(count: count) { firstRow + UInt64(rows.row(of: Int(from.lineFrame[done + $0]))) }
      columns.node.append(count: count) {
        nodeNumbers.number(from.node[Int(from.lineFrame[done + $0])], in: &file.names)
      }
      columns.line.append(count: count) {
        line = job.lineNumber(done + $0, after: line)
        return UInt16(clamping: line)
      }
      columns.start.append(bytes: from.lineStart.bytes(from: done, count: count))
      columns.end.append(bytes: from.lineEnd.bytes(from: done, count: count))
      columns.rect.append(from.lineRect) { $0.bytes(from: done, count: count) }
      columns.baseline.append(bytes: from.lineBaseline.bytes(from: done, count: count))
      let traits = from.lineTraits.bytes(from: done, count: count)
      columns.ellipsis.append(flags: traits, LineTraits.ellipsis.rawValue)
      columns.hyphen.append(flags: traits, LineTraits.hyphen.rawValue)
      columns.rightToLeft.append(flags: traits, LineTraits.rightToLeft.rawValue)
      done += count
      try file.endRecords(count)
    }
  }
}

/// The rows of a job's frames, which are asked for in ascending order.
struct FrameRows {
  private let job: JobTable
  private var row = 0
  private var end: Int

  init(_ job: JobTable) {
    self.job = job
    end = job.rowCount > 0 ? Int(job.columns.frameCount[0]) : 0
  }

  /// Returns the index in the job of the row that has a frame.
  mutating func row(of frame: Int) -> Int {
    while frame >= end && row + 1 < job.rowCount {
      row += 1
      end += Int(job.columns.frameCount[row])
    }
    return row
  }
}
