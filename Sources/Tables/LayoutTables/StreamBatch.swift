import Buffers
import TableFormats

/// The columns of a run of rows in one variant, as the stream has them. It is an object, because an array cannot hold values that
/// cannot be copied.
final class StreamBatch {
  private let rows: TableBatch<StreamColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private let frames = TableBatch(StreamFrameColumns.init)
  private let resources = TableBatch(StreamResourceColumns.init)
  private let lines = TableBatch(StreamLineColumns.init)
  private let texts: TableBatch<StreamTextColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private let runs = TableBatch(TextRunColumns<Int32, UnsafeMutablePointer<ColumnBuffer>>.init)
  private let spans = TableBatch(TextSpanColumns<Int32, Int32, UnsafeMutablePointer<ColumnBuffer>>.init)
  private let hasFrames, hasLines: Bool
  /// The number of device pixels in a point.
  private let scale: Double
  private let variant: NameTable
  private let types: NameTable
  /// The columns as JSON objects.
  var objects: RecordObjects

  init(variant: String, types: [String], scale: Double, hasFrames: Bool, hasLines: Bool) {
    texts = TableBatch(lists: [runs, spans], StreamTextColumns.init)
    var lists: [RecordBatch] = hasFrames ? [frames, resources] : [resources]
    if hasLines { lists += [lines, texts] }
    rows = TableBatch(lists: lists) { StreamColumns(hasFrames: hasFrames, hasLines: hasLines, $0) }
    self.variant = NameTable([variant])
    self.types = NameTable(types)
    self.scale = scale
    (self.hasFrames, self.hasLines) = (hasFrames, hasLines)
    objects = RecordObjects(rows.formats.map(\.field))
  }

  /// Fills the columns and returns them. They are valid until the next call.
  ///
  /// - Parameter firstRow: The number of the job's first row in the input.
  func columns(of part: JobPart, firstRow: UInt64) -> [ArrowColumn] {
    rows.removeAll()
    fillRows(part, firstRow)
    if hasFrames { fillFrames(part) }
    fillResources(part)
    if hasLines {
      fillLines(part)
      fillTexts(part)
    }
    return rows.arrowColumns()
  }

  private func fillRows(_ part: JobPart, _ firstRow: UInt64) {
    let (job, columns) = (part.job.columns, rows.columns)
    var (nextID, nextError) = (part[.idBytes].lowerBound, part[.errorBytes].lowerBound)
    var frame: Int32 = 0
    var resource = part[.resources].lowerBound
    var (line, text) = (part[.lines].lowerBound, part[.texts].lowerBound)
    for row in part[.rows] {
      columns.variant.append(variant[0])
      columns.row.append(Int64(firstRow) + Int64(row))
      columns.id.append(job.idBytes.next(job.idLength[row], at: &nextID))
      columns.cell.append(part.names[Int(job.cell[row])])
      columns.width.append(job.width[row])
      columns.height.append(job.height[row])
      let error = job.errorBytes.next(job.errorLength[row], at: &nextError)
      columns.error.append(error.isEmpty ? nil : error)
      frame += Int32(job.frameCount[row])
      columns.frames?.append(frame)
      while resource < part[.resources].upperBound, Int(job.resourceRow[resource]) <= row { resource += 1 }
      columns.resources.append(Int32(resource - part[.resources].lowerBound))
      columns.missingGlyphs.append(Int32(job.missingGlyphs[row]))
      let packed = part.job.margins(of: row)
      let margins = packed.margins
      columns.marginNarrower.append(margins?.narrower)
      columns.marginWider.append(margins?.wider)
      columns.holdsForWidth.append(packed.holdsForWidth)
      let frameEnd = part[.frames].lowerBound + Int(frame)
      while line < part[.lines].upperBound, Int(job.lineFrame[line]) < frameEnd { line += 1 }
      columns.lines?.append(Int32(line - part[.lines].lowerBound))
      while text < part[.texts].upperBound, Int(job.textFrame[text]) < frameEnd { text += 1 }
      columns.texts?.append(Int32(text - part[.texts].lowerBound))
    }
  }

  private func fillFrames(_ part: JobPart) {
    let (job, columns) = (part.job.columns, frames.columns)
    for frame in part[.frames] {
      columns.node.append(part.names[Int(job.node[frame])])
      columns.type.append(types[Int(job.type[frame])])
      columns.lines.append(Int32(job.lines[frame]))
    }
    columns.parent.append(bytes: job.parent.bytes(part[.frames]))
    columns.rect.append(job.frameRect) { $0.bytes(part[.frames]) }
    columns.truncated.append(flags: job.truncated.bytes(part[.frames]))
  }

  private func fillResources(_ part: JobPart) {
    let (job, columns) = (part.job.columns, resources.columns)
    var nextURL = part[.resourceURLBytes].lowerBound
    for resource in part[.resources] {
      let frame = Int(job.resourceFrame[resource])
      columns.node.append(part.names[Int(job.node[frame])])
      columns.url.append(job.resourceURLBytes.next(job.resourceURLLength[resource], at: &nextURL))
      let (type, width, height) = part.job.detail(ofResource: resource)
      columns.type.append(types[Int(type)])
      columns.y.append(job.frameRect.y[frame])
      columns.pixelWidth.append(
        Int32(clamping: pixelCount(stated: width, covering: job.frameRect.width[frame], scale: scale)))
      columns.pixelHeight.append(
        Int32(clamping: pixelCount(stated: height, covering: job.frameRect.height[frame], scale: scale)))
    }
  }

  private func fillLines(_ part: JobPart) {
    let (job, columns) = (part.job.columns, lines.columns)
    var line = 0
    for index in part[.lines] {
      let frame = job.lineFrame[index]
      line = part.job.lineNumber(index, after: line)
      columns.node.append(part.names[Int(job.node[Int(frame)])])
      columns.line.append(Int32(truncatingIfNeeded: line))
      columns.start.append(Int32(bitPattern: job.lineStart[index]))
      columns.end.append(Int32(bitPattern: job.lineEnd[index]))
      let traits = LineTraits(rawValue: job.lineTraits[index])
      columns.ellipsis.append(traits.contains(.ellipsis))
      columns.hyphen.append(traits.contains(.hyphen))
      columns.rightToLeft.append(traits.contains(.rightToLeft))
    }
    columns.rect.append(job.lineRect) { $0.bytes(part[.lines]) }
    columns.baseline.append(bytes: job.lineBaseline.bytes(part[.lines]))
  }

  private func fillTexts(_ part: JobPart) {
    let (job, columns) = (part.job, texts.columns)
    var texts = JobTexts(part)
    while let text = texts.next() {
      columns.node.append(part.names[Int(job.columns.node[text.frame])])
      columns.text.append(text.characters)
      columns.truncation.append(text.truncation)
      runs.columns.append(text, job, part.names)
      columns.runs.append(Int32(truncatingIfNeeded: runs.columns.start.count))
      spans.columns.append(text, job, part.names)
      columns.spans.append(Int32(truncatingIfNeeded: spans.columns.line.count))
      columns.factor.append(text.factor)
    }
  }
}
