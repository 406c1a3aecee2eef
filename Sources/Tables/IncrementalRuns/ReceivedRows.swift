import Buffers
import CellTemplates
import Hashing
import LayoutTables
import TableFormats

/// The rows of a received job in one variant, which are moved to other columns one by one.
struct ReceivedRows {
  private let table: JobTable
  private var row = 0
  private var frame = 0
  private var resource = 0
  private var missing = 0
  private var idByte = 0
  private var errorByte = 0
  private var urlByte = 0
  private var missingByte = 0
  private var line = 0
  private var text = 0
  private var run = 0
  private var textByte = 0
  private var span = 0
  private var factor = 0
  private var detail = 0
  private let names: [ByteString]

  init(_ table: JobTable) {
    self.table = table
    names = table.names
  }

  /// The hash of the next row.
  var nextHash: RowHash { table.hash(of: row) }

  /// Appends the next row to columns.
  ///
  /// - Parameters:
  ///   - hasOwnID: Whether the row has an id of its own. The id of another row is its number.
  ///   - number: The number of the row in the run.
  ///   - position: The position of the row's line, for its error.
  mutating func moveNext(to job: JobColumns, hasOwnID: Bool, number: UInt64, position: String) {
    let index = job.columns.width.count
    let columns = table.columns
    job.columns.width.append(columns.width[row])
    job.columns.height.append(columns.height[row])
    job.columns.frameCount.append(columns.frameCount[row])
    let cell = job.number(ofName: names[Int(columns.cell[row])])
    job.columns.cell.append(cell)
    job.columns.missingGlyphs.append(columns.missingGlyphs[row])
    job.columns.margins.append(table.margins(of: row).bits)
    moveID(to: job, hasOwnID: hasOwnID, number: number)
    moveError(to: job, position: position)
    moveMissingGlyphs(to: job, index)
    moveFrames(to: job, index)
    row += 1
  }

  private mutating func moveID(to job: JobColumns, hasOwnID: Bool, number: UInt64) {
    let start = job.columns.idBytes.count
    let end = idByte + Int(table.columns.idLength[row])
    if hasOwnID {
      job.columns.idBytes.append(contentsOf: table.columns.idBytes.slice(idByte, end).bytes)
    } else {
      job.columns.idBytes.buffer.append(decimal: Int(truncatingIfNeeded: number))
    }
    job.columns.idLength.append(UInt32(truncatingIfNeeded: job.columns.idBytes.count - start))
    idByte = end
  }

  /// Appends the error of the row with its position in the run's rows instead of that among the rows that are laid out.
  private mutating func moveError(to job: JobColumns, position: String) {
    let end = errorByte + Int(table.columns.errorLength[row])
    let error = table.columns.errorBytes.slice(errorByte, end)
    errorByte = end
    let start = job.columns.errorBytes.count
    if !error.isEmpty {
      for byte in position.utf8 { job.columns.errorBytes.append(byte) }
      let colon = error.bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0
      job.columns.errorBytes.append(contentsOf: error.slice(colon, error.count).bytes)
    }
    job.columns.errorLength.append(UInt32(truncatingIfNeeded: job.columns.errorBytes.count - start))
  }

  private mutating func moveMissingGlyphs(to job: JobColumns, _ index: Int) {
    while missing < table.columns.missingRow.count, Int(table.columns.missingRow[missing]) == row {
      let length = table.columns.missingLength[missing]
      job.columns.missingRow.append(UInt32(truncatingIfNeeded: index))
      job.columns.missingLength.append(length)
      job.columns.missingBytes.append(
        contentsOf: table.columns.missingBytes.slice(missingByte, missingByte + Int(length)).bytes)
      missingByte += Int(length)
      missing += 1
    }
  }

  private mutating func moveFrames(to job: JobColumns, _ index: Int) {
    let columns = table.columns
    let count = Int(columns.frameCount[row])
    let firstFrame = job.columns.node.count
    for offset in 0..<count {
      let node = job.number(ofName: names[Int(columns.node[frame + offset])])
      job.columns.node.append(node)
    }
    job.columns.type.append(bytes: columns.type.bytes(from: frame, count: count))
    job.columns.parent.append(bytes: columns.parent.bytes(from: frame, count: count))
    job.columns.x.append(bytes: columns.x.bytes(from: frame, count: count))
    job.columns.y.append(bytes: columns.y.bytes(from: frame, count: count))
    job.columns.frameWidth.append(bytes: columns.frameWidth.bytes(from: frame, count: count))
    job.columns.frameHeight.append(bytes: columns.frameHeight.bytes(from: frame, count: count))
    job.columns.lines.append(bytes: columns.lines.bytes(from: frame, count: count))
    job.columns.truncated.append(bytes: columns.truncated.bytes(from: frame, count: count))
    while resource < columns.resourceRow.count, Int(columns.resourceRow[resource]) == row {
      let length = columns.resourceURLLength[resource]
      job.columns.resourceRow.append(UInt32(truncatingIfNeeded: index))
      job.columns.resourceFrame.append(
        UInt32(truncatingIfNeeded: firstFrame + Int(columns.resourceFrame[resource]) - frame))
      job.columns.resourceURLLength.append(length)
      if detail < columns.detailResource.count, Int(columns.detailResource[detail]) == resource {
        job.columns.detailResource.append(UInt32(truncatingIfNeeded: job.columns.resourceRow.count - 1))
        job.columns.detailType.append(columns.detailType[detail])
        job.columns.detailPixelWidth.append(columns.detailPixelWidth[detail])
        job.columns.detailPixelHeight.append(columns.detailPixelHeight[detail])
        detail += 1
      }
      job.columns.resourceURLBytes.append(
        contentsOf: columns.resourceURLBytes.slice(urlByte, urlByte + Int(length)).bytes)
      urlByte += Int(length)
      resource += 1
    }
    moveTexts(to: job, end: frame + count, firstFrame: firstFrame)
    frame += count
  }

  /// Appends the lines and texts of the row, whose frames end at `end`.
  private mutating func moveTexts(to job: JobColumns, end: Int, firstFrame: Int) {
    let columns = table.columns
    let (firstLine, firstText) = (line, text)
    while line < columns.lineFrame.count, Int(columns.lineFrame[line]) < end {
      job.columns.lineFrame.append(UInt32(truncatingIfNeeded: firstFrame + Int(columns.lineFrame[line]) - frame))
      line += 1
    }
    job.appendLines(columns, firstLine..<line)
    let (firstRun, firstByte) = (run, textByte)
    while text < columns.textFrame.count, Int(columns.textFrame[text]) < end {
      job.columns.textFrame.append(UInt32(truncatingIfNeeded: firstFrame + Int(columns.textFrame[text]) - frame))
      moveDetails(to: job, number: UInt32(truncatingIfNeeded: job.columns.textFrame.count - 1))
      textByte += Int(columns.textLength[text]) + Int(columns.truncationLength[text])
      run += Int(columns.textRunCount[text])
      text += 1
    }
    let texts = firstText..<text
    job.columns.textLength.append(bytes: columns.textLength.bytes(from: firstText, count: texts.count))
    job.columns.truncationLength.append(bytes: columns.truncationLength.bytes(from: firstText, count: texts.count))
    job.columns.textRunCount.append(bytes: columns.textRunCount.bytes(from: firstText, count: texts.count))
    job.columns.textBytes.append(contentsOf: columns.textBytes.slice(firstByte, textByte).bytes)
    job.columns.runEnd.append(bytes: columns.runEnd.bytes(from: firstRun, count: run - firstRun))
    for run in firstRun..<run {
      let font = job.number(ofName: names[Int(columns.runFont[run])])
      job.columns.runFont.append(font)
    }
  }

  /// Appends the factor and the spans of the text, whose number in the job is `number`.
  private mutating func moveDetails(to job: JobColumns, number: UInt32) {
    let columns = table.columns
    if factor < columns.factorText.count, Int(columns.factorText[factor]) == text {
      job.columns.factorText.append(number)
      job.columns.factor.append(columns.factor[factor])
      factor += 1
    }
    let first = span
    while span < columns.spanText.count, Int(columns.spanText[span]) == text {
      let (url, kind) = (names[Int(columns.spanURL[span])], names[Int(columns.spanKind[span])])
      let (urlNumber, kindNumber) = (job.number(ofName: url), job.number(ofName: kind))
      job.columns.spanText.append(number)
      job.columns.spanURL.append(urlNumber)
      job.columns.spanKind.append(kindNumber)
      span += 1
    }
    job.appendSpans(columns, first..<span)
  }
}

extension JobColumns {
  /// Appends the values of spans, apart from their texts, URLs and kinds.
  fileprivate func appendSpans(_ other: JobTable.Schema, _ spans: Range<Int>) {
    let (first, count) = (spans.lowerBound, spans.count)
    columns.spanLine.append(bytes: other.spanLine.bytes(from: first, count: count))
    columns.spanStart.append(bytes: other.spanStart.bytes(from: first, count: count))
    columns.spanEnd.append(bytes: other.spanEnd.bytes(from: first, count: count))
    columns.spanX.append(bytes: other.spanX.bytes(from: first, count: count))
    columns.spanY.append(bytes: other.spanY.bytes(from: first, count: count))
    columns.spanWidth.append(bytes: other.spanWidth.bytes(from: first, count: count))
    columns.spanHeight.append(bytes: other.spanHeight.bytes(from: first, count: count))
  }

  /// Appends the values of lines, apart from their frames.
  fileprivate func appendLines(_ other: JobTable.Schema, _ lines: Range<Int>) {
    let (first, count) = (lines.lowerBound, lines.count)
    columns.lineStart.append(bytes: other.lineStart.bytes(from: first, count: count))
    columns.lineEnd.append(bytes: other.lineEnd.bytes(from: first, count: count))
    columns.lineX.append(bytes: other.lineX.bytes(from: first, count: count))
    columns.lineY.append(bytes: other.lineY.bytes(from: first, count: count))
    columns.lineWidth.append(bytes: other.lineWidth.bytes(from: first, count: count))
    columns.lineHeight.append(bytes: other.lineHeight.bytes(from: first, count: count))
    columns.lineBaseline.append(bytes: other.lineBaseline.bytes(from: first, count: count))
    columns.lineTraits.append(bytes: other.lineTraits.bytes(from: first, count: count))
  }
}
