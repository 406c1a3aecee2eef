import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables

/// The columns that a row is written to.
extension JobLayout {
  /// Appends the row whose frames are in `frames`.
  func append(_ size: Size, to box: JobColumnsBox, number: UInt64) {
    let row = box.job.columns.width.count
    box.job.columns.width.append(Float(size.width))
    box.job.columns.height.append(Float(size.height))
    box.job.columns.frameCount.append(UInt32(truncatingIfNeeded: frames.count - 1))
    let cell = box.job.number(ofName: binder.cellName)
    box.job.columns.cell.append(cell)
    box.job.columns.errorLength.append(0)
    box.job.columns.missingGlyphs.append(state.missing.count)
    box.job.columns.margins.append(state.margins.bits)
    if state.missing.count > 0 { state.missing.append(row: row, to: box.job.columns) }
    appendID(box, number)
    if state.lines.texts.count > 0 { appendLines(to: box, firstFrame: box.job.columns.node.count) }
    for index in 1..<max(frames.count, 1) { append(frames[index], at: index - 1, row: row, box) }
  }

  private func append(_ frame: Frame, at index: Int, row: Int, _ box: JobColumnsBox) {
    writeName(of: frame, at: index)
    for resource in binder.resources(of: frame.element) {
      box.job.columns.resourceRow.append(UInt32(truncatingIfNeeded: row))
      box.job.columns.resourceFrame.append(UInt32(truncatingIfNeeded: box.job.columns.node.count))
      box.job.columns.resourceURLLength.append(UInt32(truncatingIfNeeded: resource.url.count))
      box.job.columns.resourceURLBytes.append(contentsOf: resource.url.bytes)
      if resource.hasDetails { append(details: resource, box) }
    }
    let node = box.job.number(ofName: ByteString(start: state.name.base, count: state.name.count))
    box.job.columns.node.append(node)
    box.job.columns.type.append(binder.type(of: frame.element).rawValue)
    // Frame 0 is the cell's own, which is not a record.
    box.job.columns.parent.append(frame.parent - 1)
    box.job.columns.x.append(Float(frame.rect.origin.x))
    box.job.columns.y.append(Float(frame.rect.origin.y))
    box.job.columns.frameWidth.append(Float(frame.rect.size.width))
    box.job.columns.frameHeight.append(Float(frame.rect.size.height))
    box.job.columns.lines.append(UInt16(truncatingIfNeeded: frame.detail))
    box.job.columns.truncated.append(frame.detail & Self.truncatedBit != 0 ? 1 : 0)
  }

  private func append(details resource: BoundResource, _ box: JobColumnsBox) {
    box.job.columns.detailResource.append(UInt32(truncatingIfNeeded: box.job.columns.resourceRow.count - 1))
    box.job.columns.detailType.append(resource.type.rawValue)
    box.job.columns.detailPixelWidth.append(resource.pixelWidth)
    box.job.columns.detailPixelHeight.append(resource.pixelHeight)
  }

  func appendBadRow(_ error: CellError, _ variant: Int, line: UInt64, number: UInt64) {
    state.columns[variant].job.appendBadRow(
      id: binder.id.isEmpty ? String(number) : binder.id.string, cell: binder.cellName,
      error: "\(LinePosition.text(file: file, line: line)): \(error.description)")
  }

  private func appendID(_ box: JobColumnsBox, _ number: UInt64) {
    let length = box.job.columns.idBytes.count
    if binder.id.isEmpty {
      box.job.columns.idBytes.buffer.append(decimal: Int(truncatingIfNeeded: number))
    } else {
      box.job.columns.idBytes.append(contentsOf: binder.id.bytes)
    }
    box.job.columns.idLength.append(UInt32(truncatingIfNeeded: box.job.columns.idBytes.count - length))
  }
}

/// An object around the columns of a job: an array cannot hold values that cannot be copied.
final class JobColumnsBox {
  /// Nothing else accesses the columns while a row is appended. The checks for that at run time are left out, because there
  /// would be one for each value that is appended.
  @exclusivity(unchecked) var job = JobColumns()
}

extension JobLayout {
  /// Returns what the last job gave, one part per variant.
  public func encodedColumns() -> [OwnedBytes] {
    variants.indices.map { variant in withColumns(of: variant) { OwnedBytes($0) } }
  }
}
