import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables

/// The columns that a row is written to.
extension JobLayout {
  /// Appends the row whose frames are in `state.frames`.
  func append(_ size: Size, to job: JobColumns, number: UInt64) {
    let row = job.columns.width.count
    job.columns.width.append(Float(size.width))
    job.columns.height.append(Float(size.height))
    job.columns.frameCount.append(UInt32(truncatingIfNeeded: state.frames.count - 1))
    let cell = job.number(ofName: binder.cellName)
    job.columns.cell.append(cell)
    job.columns.errorLength.append(0)
    job.columns.missingGlyphs.append(state.missing.count)
    job.columns.margins.append(state.margins.bits)
    if state.missing.count > 0 { state.missing.append(row: row, to: job.columns) }
    appendID(job, number)
    if state.lines.texts.count > 0 {
      state.lines.append(to: job, firstFrame: job.columns.node.count, fonts: program.fonts.names)
    }
    for index in 1..<max(state.frames.count, 1) { append(state.frames[index], at: index - 1, row: row, job) }
  }

  private func append(_ frame: Frame, at index: Int, row: Int, _ job: JobColumns) {
    writeName(of: frame, at: index)
    for resource in binder.resources(of: frame.element) {
      job.columns.resourceRow.append(UInt32(truncatingIfNeeded: row))
      job.columns.resourceFrame.append(UInt32(truncatingIfNeeded: job.columns.node.count))
      job.columns.resourceURLLength.append(UInt32(truncatingIfNeeded: resource.url.count))
      job.columns.resourceURLBytes.append(contentsOf: resource.url.bytes)
      if resource.hasDetails { append(details: resource, job) }
    }
    let node = job.number(ofName: ByteString(start: state.name.base, count: state.name.count))
    job.columns.node.append(node)
    job.columns.type.append(binder.type(of: frame.element).rawValue)
    // Frame 0 is the cell's own, which is not a record.
    job.columns.parent.append(frame.parent - 1)
    job.columns.frameRect.append(
      x: Float(frame.rect.origin.x), y: Float(frame.rect.origin.y), width: Float(frame.rect.size.width),
      height: Float(frame.rect.size.height))
    job.columns.lines.append(UInt16(truncatingIfNeeded: frame.detail))
    job.columns.truncated.append(frame.detail & Self.truncatedBit != 0 ? 1 : 0)
  }

  private func append(details resource: BoundResource, _ job: JobColumns) {
    job.columns.detailResource.append(UInt32(truncatingIfNeeded: job.columns.resourceRow.count - 1))
    job.columns.detailType.append(resource.type.rawValue)
    job.columns.detailPixelWidth.append(resource.pixelWidth)
    job.columns.detailPixelHeight.append(resource.pixelHeight)
  }

  func appendBadRow(_ error: CellError, _ variant: Int, line: UInt64, number: UInt64) {
    state.columns[variant].appendBadRow(
      id: binder.id.isEmpty ? String(number) : binder.id.string, cell: binder.cellName,
      error: "\(LinePosition(file: file, line: line)): \(error.description)")
  }

  private func appendID(_ job: JobColumns, _ number: UInt64) {
    let length = job.columns.idBytes.count
    if binder.id.isEmpty {
      job.columns.idBytes.buffer.append(decimal: Int(truncatingIfNeeded: number))
    } else {
      job.columns.idBytes.append(contentsOf: binder.id.bytes)
    }
    job.columns.idLength.append(UInt32(truncatingIfNeeded: job.columns.idBytes.count - length))
  }

  /// Calls `body` with the columns of each variant that the last job gave, which are valid during the call.
  public func withTables(_ body: ([JobTable]) throws -> Void) rethrows {
    try withExtendedLifetime(state) { try body(state.columns.map { JobTable($0) }) }
  }

  /// Returns what the last job gave, one part per variant.
  public func encodedColumns() -> [OwnedBytes] {
    variants.indices.map { variant in withColumns(of: variant) { OwnedBytes($0) } }
  }
}
