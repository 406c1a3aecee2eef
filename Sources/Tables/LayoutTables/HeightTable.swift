import Buffers
import TableFormats

/// The writer of heights.arrow.
struct HeightTable: ~Copyable {
  var file: TableFileWriter<HeightColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private let hasFrames: Bool

  /// Rows, their bad ones, their frames and the sum of their heights so far.
  private(set) var rows: UInt64 = 0
  private(set) var bad: UInt64 = 0
  private(set) var frames: UInt64 = 0
  private(set) var totalHeight = 0.0
  /// The rows with margins so far, and those of them that are uncertain.
  private(set) var bounded: UInt64 = 0
  private(set) var uncertain: UInt64 = 0

  /// - Parameters:
  ///   - variant: the name of the variant, which the metadata of the schema state.
  ///   - hasFrames: whether the frames to which the rows refer are written.
  init(creating path: String, variant: String, hasFrames: Bool) throws(OutputError) {
    self.hasFrames = hasFrames
    file = try TableFileWriter(
      creating: path, metadata: [ArrowMetadataEntry(TableMetadata.variant, variant)], HeightColumns.init)
  }

  mutating func append(_ job: JobTable) throws(OutputError) {
    let cellNumbers = Renumbering(job)
    let columns = file.columns
    var (nextID, nextError) = (0, 0)
    for index in 0..<job.rowCount {
      columns.row.append(rows)
      columns.id.append(job.columns.idBytes.next(job.columns.idLength[index], at: &nextID))
      columns.cell.append(cellNumbers.number(job.columns.cell[index], in: &file.names))
      columns.width.append(job.columns.width[index])
      columns.height.append(job.columns.height[index])
      columns.y.append(totalHeight)
      columns.firstFrame.append(frames)
      let frameCount = hasFrames ? job.columns.frameCount[index] : 0
      columns.frameCount.append(frameCount)
      let error = job.columns.errorBytes.next(job.columns.errorLength[index], at: &nextError)
      columns.error.append(error.isEmpty ? nil : error)
      if !error.isEmpty { bad += 1 }
      columns.missingGlyphs.append(job.columns.missingGlyphs[index])
      let packed = job.margins(of: index)
      let margins = packed.margins
      columns.marginNarrower.append(margins?.narrower)
      columns.marginWider.append(margins?.wider)
      columns.holdsForWidth.append(packed.holdsForWidth)
      if let margins {
        bounded += 1
        if margins.isUncertain(within: BatchTables.Summary.uncertainty) { uncertain += 1 }
      }
      rows += 1
      frames += UInt64(frameCount)
      // Heights are added row by row, so that the sum does not depend on how the rows were split into jobs.
      totalHeight += Double(job.columns.height[index])
      try file.endRecords()
    }
  }
}
