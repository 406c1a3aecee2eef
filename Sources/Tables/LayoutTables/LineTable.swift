import Buffers
import TableFormats

/// The writer of lines.arrow.
struct LineTable: ~Copyable {
  static let batchSize = 262_144

  private var file: TableFileWriter<LineColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private var nodes = NameTable()

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: Self.batchSize, LineColumns.init)
  }

  var size: Int64 { file.size }
  var checksum: UInt64 { file.checksum }

  /// - Parameter firstRow: the number of the job's first row in the table.
  mutating func append(_ job: JobTable, firstRow: UInt64) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    var rows = FrameRows(job)
    var line = 0
    for index in 0..<job.lineCount {
      let frame = Int(job.columns.lineFrame[index])
      line = job.lineNumber(index, after: line)
      file.columns.row.append(firstRow + UInt64(rows.row(of: frame)))
      file.columns.node.append(nodeNumbers.number(job.columns.node[frame], in: &nodes))
      file.columns.line.append(UInt16(clamping: line))
      append(job, index)
      try file.endRecords()
    }
  }

  private func append(_ job: JobTable, _ index: Int) {
    let (from, to) = (job.columns, file.columns)
    to.start.append(from.lineStart[index])
    to.end.append(from.lineEnd[index])
    to.x.append(from.lineX[index])
    to.y.append(from.lineY[index])
    to.width.append(from.lineWidth[index])
    to.height.append(from.lineHeight[index])
    to.baseline.append(from.lineBaseline[index])
    let traits = LineTraits(rawValue: from.lineTraits[index])
    to.ellipsis.append(traits.contains(.ellipsis))
    to.hyphen.append(traits.contains(.hyphen))
    to.rightToLeft.append(traits.contains(.rightToLeft))
  }

  mutating func finish() throws(OutputError) {
    try file.write(names: nodes)
    try file.finish()
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
