import Buffers
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

  /// Appends the text of the last frame: a run and a line with all its characters, which are a link, and a truncation string.
  func appendText(_ text: String) {
    let (frame, units) = (UInt32(columns.node.count - 1), UInt32(text.utf16.count))
    let truncation = "…"
    columns.textFrame.append(frame)
    columns.textLength.append(UInt32(text.utf8.count))
    columns.truncationLength.append(UInt32(truncation.utf8.count))
    columns.textBytes.buffer.append(text)
    columns.textBytes.buffer.append(truncation)
    let (font, url, kind) = (number(ofName: "body"), number(ofName: "https://a/1"), number(ofName: ""))
    columns.textRunCount.append(1)
    columns.runEnd.append(units)
    columns.runFont.append(font)
    columns.lineFrame.append(frame)
    columns.lineStart.append(0)
    columns.lineEnd.append(units)
    columns.lineRect.append(x: 0, y: 0, width: 9, height: 20)
    columns.lineBaseline.append(15)
    columns.lineTraits.append(0)
    columns.spanText.append(UInt32(columns.textFrame.count - 1))
    columns.spanLine.append(0)
    columns.spanStart.append(0)
    columns.spanEnd.append(units)
    columns.spanRect.append(x: 0, y: 0, width: 9, height: 20)
    columns.spanURL.append(url)
    columns.spanKind.append(kind)
  }

  /// Appends a resource of the last frame.
  func appendResource(_ url: String) {
    columns.resourceRow.append(UInt32(columns.width.count - 1))
    columns.resourceFrame.append(UInt32(columns.node.count - 1))
    columns.resourceURLLength.append(UInt32(url.utf8.count))
    columns.resourceURLBytes.buffer.append(url)
  }

  /// The reason for which the rows are refused as a result, or nil if they are accepted.
  var flaw: String? {
    do {
      try OwnedBytes(self).withBytes { _ = try JobTable($0, rows: columns.width.count, typeCount: 20) }
      return nil
    } catch {
      return (error as? JobTable.Malformed)?.reason
    }
  }
}
