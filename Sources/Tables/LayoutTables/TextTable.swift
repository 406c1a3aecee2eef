import Buffers
import TableFormats

/// The writer of texts.arrow.
struct TextTable: ~Copyable {
  var file: TableFileWriter<TextColumns<UnsafeMutablePointer<ColumnBuffer>>>
  private let runs = TableBatch(TextRunColumns<UInt32, UnsafeMutablePointer<ColumnBuffer>>.init)
  private let spans = TableBatch(TextSpanColumns<UInt16, UInt32, UnsafeMutablePointer<ColumnBuffer>>.init)

  init(creating path: String) throws(OutputError) {
    file = try TableFileWriter(creating: path, lists: [runs, spans], TextColumns.init)
  }

  /// - Parameter firstRow: the number of the job's first row in the table.
  mutating func append(_ job: JobTable, firstRow: UInt64) throws(OutputError) {
    let nodeNumbers = Renumbering(job)
    let (names, columns) = (job.names, file.columns)
    var rows = FrameRows(job)
    var texts = JobTexts(job)
    while let text = texts.next() {
      columns.row.append(firstRow + UInt64(rows.row(of: text.frame)))
      columns.node.append(nodeNumbers.number(job.columns.node[text.frame], in: &file.names))
      columns.text.append(text.characters)
      columns.truncation.append(text.truncation)
      runs.columns.append(text, job, names)
      columns.runs.append(Int32(truncatingIfNeeded: runs.columns.start.count))
      spans.columns.append(text, job, names)
      columns.spans.append(Int32(truncatingIfNeeded: spans.columns.line.count))
      columns.factor.append(text.factor)
      try file.endRecords()
    }
  }
}

/// The texts of a job, one after the other.
struct JobTexts {
  /// A text of a job.
  struct Text {
    /// The index in the job of its frame.
    let frame: Int
    let characters: ByteString
    let truncation: ByteString
    /// The indices of its runs and of its spans in the job.
    let runs, spans: Range<Int>
    /// The factor of its font sizes.
    let factor: Float
  }

  private let job: JobTable
  private var index: Int
  private let end: Int
  private var byte: Int
  private var run: Int
  private var span: Int

  /// The texts of a whole job.
  init(_ job: JobTable) {
    self.job = job
    (index, end, byte, run, span) = (0, job.textCount, 0, 0, 0)
  }

  /// The texts of a run of rows.
  init(_ part: JobPart) {
    job = part.job
    (index, end) = (part[.texts].lowerBound, part[.texts].upperBound)
    (byte, run, span) = (part[.textBytes].lowerBound, part[.textRuns].lowerBound, part[.textSpans].lowerBound)
  }

  /// Returns the next text, or nil after the last one.
  mutating func next() -> Text? {
    guard index < end else { return nil }
    let characters = job.columns.textBytes.next(job.columns.textLength[index], at: &byte)
    let truncation = job.columns.textBytes.next(job.columns.truncationLength[index], at: &byte)
    let runEnd = run + Int(job.columns.textRunCount[index])
    var spanEnd = span
    while spanEnd < job.columns.spanText.count, Int(job.columns.spanText[spanEnd]) == index { spanEnd += 1 }
    let text = Text(
      frame: Int(job.columns.textFrame[index]), characters: characters, truncation: truncation,
      runs: run..<runEnd, spans: span..<spanEnd, factor: job.factor(ofText: index))
    (run, span) = (runEnd, spanEnd)
    index += 1
    return text
  }
}

extension TextRunColumns
where Storage == UnsafeMutablePointer<ColumnBuffer>, Offset: FixedWidthInteger & BitwiseCopyable {
  /// Appends the runs of a text of a job, whose offsets are in UTF-16.
  func append(_ text: JobTexts.Text, _ job: JobTable, _ names: [ByteString]) {
    var runStart: UInt32 = 0
    for run in text.runs {
      let runEnd = job.columns.runEnd[run]
      start.append(Offset(truncatingIfNeeded: runStart))
      end.append(Offset(truncatingIfNeeded: runEnd))
      font.append(names[Int(job.columns.runFont[run])])
      runStart = runEnd
    }
  }
}

extension TextSpanColumns
where
  Storage == UnsafeMutablePointer<ColumnBuffer>, Line: FixedWidthInteger & BitwiseCopyable,
  Offset: FixedWidthInteger & BitwiseCopyable
{
  /// Appends the spans of a text of a job.
  func append(_ text: JobTexts.Text, _ job: JobTable, _ names: [ByteString]) {
    for span in text.spans {
      line.append(Line(truncatingIfNeeded: job.columns.spanLine[span]))
      start.append(Offset(truncatingIfNeeded: job.columns.spanStart[span]))
      end.append(Offset(truncatingIfNeeded: job.columns.spanEnd[span]))
      url.append(names[Int(job.columns.spanURL[span])])
      kind.append(names[Int(job.columns.spanKind[span])])
    }
    rect.append(job.columns.spanRect) { $0.bytes(text.spans) }
  }
}
