import TableFormats

/// The lines and texts of a run of rows in one variant, as the stream has them.
final class StreamTexts {
  private let lines = TableBatch(StreamLineColumns.init)
  private let texts: TableBatch<StreamTextColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private let runs = TableBatch(TextRunColumns<Int32, UnsafeMutablePointer<ColumnBuffer>>.init)
  private let spans = TableBatch(TextSpanColumns<Int32, Int32, UnsafeMutablePointer<ColumnBuffer>>.init)

  init() { texts = TableBatch(lists: [runs, spans], StreamTextColumns.init) }

  /// Fills the columns with the lines and texts of rows.
  func fill(_ part: JobPart) {
    fillLines(part)
    fillTexts(part)
  }

  /// The lines and the texts as the lists of rows.
  var lists: [RecordBatch] { [lines, texts] }

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
