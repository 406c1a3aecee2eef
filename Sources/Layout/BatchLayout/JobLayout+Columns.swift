import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables

/// What a row gives, as columns.
extension JobLayout {
  /// Appends the row whose frames are in `frames`.
  func append(_ size: Size, to box: ColumnsBox, number: UInt64) {
    let row = box.columns.width.count
    box.columns.width.append(Float(size.width))
    box.columns.height.append(Float(size.height))
    box.columns.frameCount.append(UInt32(truncatingIfNeeded: frames.count - 1))
    box.columns.cell.append(box.columns.names.number(of: binder.cellName))
    box.columns.errorLength.append(0)
    box.columns.missingGlyphs.append(missing.count)
    if missing.count > 0 { missing.append(row: row, to: &box.columns) }
    appendID(box, number)
    for index in 1..<max(frames.count, 1) { append(frames[index], at: index - 1, row: row, box) }
  }

  private func append(_ frame: Frame, at place: Int, row: Int, _ box: ColumnsBox) {
    name.removeAll()
    binder.appendName(of: frame.element, place: place, to: &name)
    if let bytes = binder.url(of: frame.element) {
      box.columns.resourceRow.append(UInt32(truncatingIfNeeded: row))
      box.columns.resourceFrame.append(UInt32(truncatingIfNeeded: box.columns.node.count))
      box.columns.resourceURLLength.append(UInt32(truncatingIfNeeded: bytes.count))
      box.columns.resourceURLBytes.append(contentsOf: bytes.bytes)
    }
    box.columns.node.append(box.columns.names.number(of: ByteString(start: name.base, count: name.count)))
    box.columns.type.append(binder.type(of: frame.element).rawValue)
    // Frame 0 is the cell's own, which is no record.
    box.columns.parent.append(frame.parent - 1)
    box.columns.x.append(Float(frame.rect.origin.x))
    box.columns.y.append(Float(frame.rect.origin.y))
    box.columns.frameWidth.append(Float(frame.rect.size.width))
    box.columns.frameHeight.append(Float(frame.rect.size.height))
    box.columns.lines.append(UInt16(truncatingIfNeeded: frame.detail))
    box.columns.truncated.append(frame.detail & Self.truncatedBit != 0 ? 1 : 0)
  }

  func appendBadRow(_ error: CellError, _ variant: Int, line: UInt64, number: UInt64) {
    columns[variant].columns.appendBadRow(
      id: binder.id.isEmpty ? String(number) : binder.id.string, cell: binder.cellName,
      error: "\(Job.place(file: file, line: line)): \(error.description)")
  }

  private func appendID(_ box: ColumnsBox, _ number: UInt64) {
    let length = box.columns.idBytes.count
    if binder.id.isEmpty {
      box.columns.idBytes.append(decimal: Int(truncatingIfNeeded: number))
    } else {
      box.columns.idBytes.append(contentsOf: binder.id.bytes)
    }
    box.columns.idLength.append(UInt32(truncatingIfNeeded: box.columns.idBytes.count - length))
  }
}

/// Columns in an array need an object around them.
final class ColumnsBox {
  @exclusivity(unchecked) var columns = JobColumns()
}
