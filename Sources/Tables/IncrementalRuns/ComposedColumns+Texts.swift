import LayoutTables
import ListTables
import TableFormats

/// The lines and texts of rows that are taken from an earlier run.
extension ComposedColumns {
  /// Appends the lines and texts of rows whose frames were appended.
  ///
  /// - Parameters:
  ///   - firstRow: The index in the job of the first of the rows.
  ///   - firstFrame: The index in the job of its first frame.
  func append(
    textsOf rows: Range<Int>, _ cursors: TextCursors, firstRow: Int, firstFrame: Int
  ) throws(TableError) {
    var textFrames = TextFrames(self, row: firstRow, frame: firstFrame)
    let firstText = job.columns.textFrame.count
    try cursors.forEachText(of: rows) { (text) throws(TableError) in
      guard let frame = textFrames.next(row: firstRow + text.row - rows.lowerBound) else { throw damaged(cursors.path) }
      job.columns.textFrame.append(UInt32(truncatingIfNeeded: frame))
      job.columns.textLength.append(UInt32(truncatingIfNeeded: text.characters.count))
      job.columns.truncationLength.append(UInt32(truncatingIfNeeded: text.truncation.count))
      job.columns.textBytes.append(bytes: text.characters)
      job.columns.textBytes.append(bytes: text.truncation)
      job.columns.textRunCount.append(UInt32(truncatingIfNeeded: text.runs.count))
      try cursors.forEachRun(text.runs) { _, end, font in
        job.columns.runEnd.append(end)
        job.columns.runFont.append(number(of: font))
      }
      let index = UInt32(truncatingIfNeeded: job.columns.textFrame.count - 1)
      if text.factor != 1 {
        job.columns.factorText.append(index)
        job.columns.factor.append(text.factor)
      }
      try append(spans: text.spans, ofText: index, cursors)
    }
    try append(linesOf: rows, cursors, firstText: firstText)
  }

  private func append(spans: Range<Int>, ofText text: UInt32, _ cursors: TextCursors) throws(TableError) {
    try cursors.forEachSpan(spans) { columns, index, url, kind in
      job.columns.spanText.append(text)
      job.columns.spanLine.append(columns.line[index])
      job.columns.spanStart.append(columns.start[index])
      job.columns.spanEnd.append(columns.end[index])
      job.columns.spanRect.append(columns.rect) { $0.bytes(index..<index + 1) }
      job.columns.spanURL.append(number(of: url))
      job.columns.spanKind.append(number(of: kind))
    }
  }

  private func append(linesOf rows: Range<Int>, _ cursors: TextCursors, firstText: Int) throws(TableError) {
    var text = firstText - 1
    try cursors.forEachLines(of: rows) { (columns, indices) throws(TableError) in
      for index in indices {
        // The texts with lines have a line 0. Texts without lines have none, and are passed over by their frames' lines.
        if columns.line[index] == 0 { text = nextTextWithLines(after: text) }
        guard text >= firstText, text < job.columns.textFrame.count else { throw damaged(cursors.path) }
        job.columns.lineFrame.append(job.columns.textFrame[text])
        var traits: LineTraits = columns.ellipsis[index] ? .ellipsis : []
        if columns.hyphen[index] { traits.insert(.hyphen) }
        if columns.rightToLeft[index] { traits.insert(.rightToLeft) }
        job.columns.lineTraits.append(traits.rawValue)
      }
      job.columns.lineStart.append(bytes: columns.start.bytes(indices))
      job.columns.lineEnd.append(bytes: columns.end.bytes(indices))
      job.columns.lineRect.append(columns.rect) { $0.bytes(indices) }
      job.columns.lineBaseline.append(bytes: columns.baseline.bytes(indices))
    }
  }

  /// Returns the index of the next text whose frame has lines.
  private func nextTextWithLines(after text: Int) -> Int {
    var text = text + 1
    while text < job.columns.textFrame.count, job.columns.lines[Int(job.columns.textFrame[text])] == 0 { text += 1 }
    return text
  }

  /// The frames of texts in the job, which are asked for in the order of their rows.
  private struct TextFrames {
    private let columns: ComposedColumns
    private var row: Int
    private var frame: Int
    private var end: Int

    init(_ columns: ComposedColumns, row: Int, frame: Int) {
      (self.columns, self.row, self.frame) = (columns, row, frame)
      end = frame + Int(columns.job.columns.frameCount[row])
    }

    /// Returns the index of the next frame of a text of a row, or nil if the row has no further one.
    mutating func next(row wanted: Int) -> Int? {
      while row < wanted {
        row += 1
        frame = end
        end += Int(columns.job.columns.frameCount[row])
      }
      while frame < end, columns.job.columns.type[frame] != columns.textType { frame += 1 }
      guard frame < end else { return nil }
      frame += 1
      return frame - 1
    }
  }
}
