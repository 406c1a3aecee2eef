import TableFormats

/// The writer of resources.arrow.
struct ResourceTable: ~Copyable {
  var file: TableFileWriter<ResourceColumns<UnsafeMutablePointer<ColumnBuffer>>>
  /// The number of device pixels in a point.
  private let scale: Double

  init(creating path: String, types: [String], scale: Double) throws(OutputError) {
    file = try TableFileWriter(creating: path, fixedNames: types, ResourceColumns.init)
    self.scale = scale
  }

  /// - Parameters:
  ///   - firstRow: the number of the job's first row in the table.
  ///   - top: the offset of that row in the list, in points.
  mutating func append(_ job: JobTable, firstRow: UInt64, top: Double) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    let columns = file.columns
    var nextURL = 0
    var rowTop = top
    var jobRow = 0
    for index in 0..<job.resourceCount {
      let resourceRow = Int(job.columns.resourceRow[index])
      while jobRow < resourceRow {
        rowTop += Double(job.columns.height[jobRow])
        jobRow += 1
      }
      let frame = Int(job.columns.resourceFrame[index])
      let (width, height) = (job.columns.frameRect.width[frame], job.columns.frameRect.height[frame])
      columns.row.append(firstRow + UInt64(resourceRow))
      columns.node.append(nodeNumbers.number(job.columns.node[frame], in: &file.names))
      columns.url.append(job.columns.resourceURLBytes.next(job.columns.resourceURLLength[index], at: &nextURL))
      let detail = job.detail(ofResource: index)
      columns.type.append(Int8(bitPattern: detail.type))
      columns.y.append(rowTop + Double(job.columns.frameRect.y[frame]))
      columns.pixelWidth.append(pixelCount(stated: detail.pixelWidth, covering: width, scale: scale))
      columns.pixelHeight.append(pixelCount(stated: detail.pixelHeight, covering: height, scale: scale))
      columns.width.append(width)
      columns.height.append(height)
      try file.endRecords()
    }
  }
}

/// Returns the number of whole pixels that cover a length in points.
///
/// - Parameters:
///   - stated: The number that the row states, or 0.
///   - scale: The number of device pixels in a point.
func pixelCount(stated: UInt32, covering points: Float, scale: Double) -> UInt32 {
  if stated > 0 { return stated }
  let pixels = (Double(points) * scale - 0.001).rounded(.up)
  return pixels > 0 ? UInt32(min(pixels, Double(UInt32.max))) : 0
}
