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
}
