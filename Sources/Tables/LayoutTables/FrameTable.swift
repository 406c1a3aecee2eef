import TableFormats

/// The writer of frames.arrow.
struct FrameTable: ~Copyable {
  /// The number of frames, and of lines, in a batch.
  static let batchSize = 262_144

  var file: TableFileWriter<FrameColumns<UnsafeMutablePointer<ColumnBuffer>>>

  init(creating path: String, types: [String]) throws(OutputError) {
    file = try TableFileWriter(creating: path, batchSize: Self.batchSize, fixedNames: types, FrameColumns.init)
  }

  /// - Parameter firstRow: the number of the job's first row in the table.
  mutating func append(_ job: JobTable, firstRow: UInt64) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    let columns = file.columns
    var rows = FrameRows(job)
    var done = 0
    while done < job.frameCount {
      let count = min(job.frameCount - done, file.room)
      columns.row.append(count: count) { firstRow + UInt64(rows.row(of: done + $0)) }
      columns.node.append(count: count) { nodeNumbers.number(job.columns.node[done + $0], in: &file.names) }
      columns.type.append(bytes: job.columns.type.bytes(from: done, count: count))
      columns.parent.append(bytes: job.columns.parent.bytes(from: done, count: count))
      columns.rect.append(job.columns.frameRect) { $0.bytes(from: done, count: count) }
      columns.lines.append(bytes: job.columns.lines.bytes(from: done, count: count))
      columns.truncated.append(flags: job.columns.truncated.bytes(from: done, count: count))
      done += count
      try file.endRecords(count)
    }
  }
}
