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
    var line: UInt16 = 0
    for index in 0..<job.lineCount {
      let frame = Int(job.columns.lineFrame[index])
      let continues = index > 0 && Int(job.columns.lineFrame[index - 1]) == frame
      line = continues ? line &+ (line < .max ? 1 : 0) : 0
      file.columns.row.append(firstRow + UInt64(rows.row(of: frame)))
      file.columns.node.append(nodeNumbers.number(job.columns.node[frame], in: &nodes))
      file.columns.line.append(line)
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

/// What a job states about the end and the direction of a line.
struct LineTraits: OptionSet {
  let rawValue: UInt8
  static let ellipsis = LineTraits(rawValue: 1)
  static let hyphen = LineTraits(rawValue: 2)
  static let rightToLeft = LineTraits(rawValue: 4)
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
