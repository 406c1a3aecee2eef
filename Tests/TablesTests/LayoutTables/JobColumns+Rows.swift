import LayoutTables
import TableFormats

extension JobColumns {
  /// Appends a good row without frames, whose id is `x` and whose height is 20, but not its margins.
  func appendRowWithoutFrames(width: Float) {
    columns.width.append(width)
    columns.height.append(20)
    columns.frameCount.append(0)
    let cell = number(ofName: "Cell")
    columns.cell.append(cell)
    columns.idLength.append(1)
    columns.idBytes.append(UInt8(ascii: "x"))
    columns.errorLength.append(0)
    columns.missingGlyphs.append(0)
  }

  /// Appends a good row with frames named `Cell`, but not its margins.
  func appendRow(frames: Int) {
    appendRowWithoutFrames(width: 100)
    columns.frameCount[columns.frameCount.count - 1] = UInt32(frames)
    let node = number(ofName: "Cell")
    for _ in 0..<frames {
      columns.node.append(node)
      columns.type.append(0)
      columns.parent.append(-1)
      columns.frameRect.append(x: 1, y: 1, width: 1, height: 1)
      columns.lines.append(0)
      columns.truncated.append(0)
    }
  }
}
