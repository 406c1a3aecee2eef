import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables
import TextMeasuring

/// The texts of a row as they are drawn, and their lines, from which the columns of its job are filled.
struct RowLines: ~Copyable {
  /// A text that has a frame.
  struct Text: BitwiseCopyable {
    /// The index of its frame among those of the row.
    var frame: UInt32
    /// The lengths in `bytes` of its characters and, after them, of its truncation string.
    var length: UInt32
    var truncationLength: UInt32
    var lineCount: UInt32
    var runCount: UInt32
    var spanCount: UInt32 = 0
    /// The factor of its font sizes.
    var factor: Float = 1
  }

  /// A run of a text.
  struct Run: BitwiseCopyable {
    /// The offset after its last unit, in UTF-16.
    var end: UInt32
    /// The index of its font among those of the cells file.
    var font: Int32
  }

  /// A part of a run in a line that has a URL, a kind or an attachment. Lengths are in points, positions those in the text.
  struct Span: BitwiseCopyable {
    var line: UInt16
    var part: TextSpan
    var x: Float
    var y: Float
    var height: Float
    /// The lengths in `spanBytes` of the URL and, after it, of the kind.
    var urlLength: UInt32
    var kindLength: UInt32
  }

  /// The texts in the order of their frames, and the lines, runs and spans of all texts in the same order.
  private(set) var texts = FlatBuffer<Text>(capacity: 8)
  private(set) var lines = FlatBuffer<TextLine>(capacity: 32)
  private(set) var runs = FlatBuffer<Run>(capacity: 8)
  private(set) var bytes = FlatBuffer<UInt8>(capacity: 512)
  private(set) var spans = FlatBuffer<Span>(capacity: 8)
  private(set) var spanBytes = FlatBuffer<UInt8>(capacity: 64)
  /// The parts of the current line that belong to spans.
  private var parts = FlatBuffer<TextSpan>(capacity: 4)

  mutating func removeAll() {
    spans.removeAll()
    spanBytes.removeAll()
    texts.removeAll()
    lines.removeAll()
    runs.removeAll()
    bytes.removeAll()
  }

  /// Appends a text. If it has lines, they are those of the last measurement.
  ///
  /// - Parameters:
  ///   - frame: the index of the frame among those of the row.
  ///   - width: the width of the frame, in points.
  ///   - placement: the position of the lines in the frame.
  ///   - factor: the factor of the font sizes that was chosen for the text.
  ///   - room: the width in points in which the text was cut, or nil for a text that was not cut.
  mutating func append(
    _ number: Int, _ boundRuns: UnsafeBufferPointer<TextRun>, _ boundSpans: UnsafeBufferPointer<BoundSpan>,
    truncation: ByteString, frame: Int, width: Double,
    _ placement: UnsafePointer<TextPlacement>, textScale: Double, factor: Double, hasLines: Bool,
    truncatedTo room: Double?,
    _ measurer: inout TextMeasurer
  ) {
    let (firstLine, firstSpan) = (lines.count, spans.count)
    if hasLines { measurer.appendLines(of: number, textScale: textScale, truncatedTo: room, to: &lines) }
    let paragraphs = measurer.paragraphs(of: number)
    var ranges = measurer.spanRanges(of: number, Self.ranges(of: boundSpans, measurer.runEnds(of: number)))
    for index in firstLine..<lines.count {
      let line = lines.base + index
      var stretch = 0.0
      // A line is large, so that it is copied only where its spans are found after it has its place.
      let drawn = boundSpans.isEmpty ? nil : line.pointee
      if placement.pointee.alignment == .justified {
        let next = index + 1 < lines.count ? lines[index + 1] : nil
        stretch = measurer.stretch(
          of: number, line.pointee, next: next, to: placement.pointee.inner(Size(width, .infinity)).width)
        if stretch > 0 { line.pointee.width += stretch * Double(measurer.spaceCount(of: number, line.pointee)) }
      }
      let isRightToLeft = line.pointee.traits.contains(.rightToLeft)
      line.pointee.x = Float(
        placement.pointee.x(
          ofLine: line.pointee.width, inFrame: width, indent: Double(line.pointee.x), line.pointee.exclusion,
          paragraphs,
          isRightToLeft: isRightToLeft))
      line.pointee.top += placement.pointee.insets.top
      line.pointee.baseline += placement.pointee.insets.top
      if let drawn {
        appendSpans(
          boundSpans, &ranges, of: number, drawn, at: index, line: index - firstLine, textScale: textScale,
          stretch: stretch, &measurer)
      }
    }
    let firstByte = bytes.count
    if measurer.isDrawnAsWritten(number) {
      for run in boundRuns { bytes.append(contentsOf: run.text.bytes) }
    } else {
      measurer.appendDrawnText(of: number, to: &bytes)
    }
    let length = bytes.count - firstByte
    bytes.append(contentsOf: truncation.bytes)
    for (run, end) in zip(boundRuns, measurer.runEnds(of: number)) {
      runs.append(Run(end: UInt32(truncatingIfNeeded: end), font: run.font))
    }
    texts.append(
      Text(
        frame: UInt32(truncatingIfNeeded: frame), length: UInt32(truncatingIfNeeded: length),
        truncationLength: UInt32(truncatingIfNeeded: truncation.count),
        lineCount: UInt32(truncatingIfNeeded: lines.count - firstLine),
        runCount: UInt32(truncatingIfNeeded: boundRuns.count),
        spanCount: UInt32(truncatingIfNeeded: spans.count - firstSpan), factor: Float(factor)))
  }

  /// Returns the offsets of the runs of spans, from the ends of all runs.
  private static func ranges(
    of spans: UnsafeBufferPointer<BoundSpan>, _ ends: UnsafeBufferPointer<Int32>
  ) -> [Range<Int32>] {
    spans.map { span in
      guard span.run < ends.count else { return 0..<0 }
      return (span.run > 0 ? ends[span.run - 1] : 0)..<ends[span.run]
    }
  }

  /// Appends the spans of a line.
  ///
  /// - Parameters:
  ///   - ranges: those of the runs of the spans.
  ///   - drawn: the line as the measurer returned it.
  ///   - index: the index of the line, which has its place, among those of the row.
  ///   - line: the number of the line in its text.
  private mutating func appendSpans(
    _ bound: UnsafeBufferPointer<BoundSpan>, _ ranges: inout SpanRanges, of number: Int, _ drawn: TextLine,
    at index: Int, line: Int, textScale: Double, stretch: Double, _ measurer: inout TextMeasurer
  ) {
    let placed = lines[index]
    parts.removeAll()
    measurer.appendSpans(of: number, drawn, &ranges, textScale: textScale, stretch: stretch, to: &parts)
    for part in parts.values {
      let span = bound[part.range]
      let (above, height) =
        part.attachment.map { ($0.above, $0.height) } ?? (placed.baseline - placed.top, placed.height)
      spans.append(
        Span(
          line: UInt16(truncatingIfNeeded: line), part: part, x: placed.x + Float(part.x),
          y: Float(placed.baseline - above), height: Float(height),
          urlLength: UInt32(truncatingIfNeeded: span.url.count),
          kindLength: UInt32(truncatingIfNeeded: span.kind.count)))
      spanBytes.append(contentsOf: span.url.bytes)
      spanBytes.append(contentsOf: span.kind.bytes)
    }
  }

  /// Replaces the values by those of another row.
  mutating func replace(with other: borrowing RowLines) {
    removeAll()
    texts.append(contentsOf: other.texts.values)
    lines.append(contentsOf: other.lines.values)
    runs.append(contentsOf: other.runs.values)
    bytes.append(contentsOf: other.bytes.values)
    spans.append(contentsOf: other.spans.values)
    spanBytes.append(contentsOf: other.spanBytes.values)
  }

  /// Appends the values to the columns of a job.
  ///
  /// - Parameters:
  ///   - firstFrame: the index of the row's first frame in the job.
  ///   - fonts: the names of the fonts of the cells file.
  func append(to job: JobColumns, firstFrame: Int, fonts: [String]) {
    let columns = job.columns
    var line = 0
    for text in texts.values {
      let frame = UInt32(truncatingIfNeeded: firstFrame) &+ text.frame
      columns.textFrame.append(frame)
      columns.textLength.append(text.length)
      columns.truncationLength.append(text.truncationLength)
      columns.textRunCount.append(text.runCount)
      if text.factor != 1 {
        columns.factorText.append(UInt32(truncatingIfNeeded: columns.textFrame.count - 1))
        columns.factor.append(text.factor)
      }
      for _ in 0..<text.spanCount { columns.spanText.append(UInt32(truncatingIfNeeded: columns.textFrame.count - 1)) }
      for index in line..<line + Int(text.lineCount) { append(lines.base + index, frame, to: columns) }
      line += Int(text.lineCount)
    }
    for run in runs.values {
      columns.runEnd.append(run.end)
      columns.runFont.append(job.number(ofFont: run.font, among: fonts))
    }
    columns.textBytes.append(contentsOf: bytes.values)
    var byte = 0
    for span in spans.values {
      let (urlEnd, end) = (byte + Int(span.urlLength), byte + Int(span.urlLength + span.kindLength))
      columns.spanLine.append(span.line)
      columns.spanStart.append(UInt32(truncatingIfNeeded: span.part.start))
      columns.spanEnd.append(UInt32(truncatingIfNeeded: span.part.end))
      // A line of Android can have a negative height.
      columns.spanRect.append(
        x: span.x, y: span.y, width: Float(max(span.part.width, 0)), height: max(span.height, 0))
      columns.spanURL.append(job.number(ofName: ByteString(start: spanBytes.base + byte, count: urlEnd - byte)))
      columns.spanKind.append(job.number(ofName: ByteString(start: spanBytes.base + urlEnd, count: end - urlEnd)))
      byte = end
    }
  }

  private func append(
    _ line: UnsafePointer<TextLine>, _ frame: UInt32, to columns: JobSchema<UnsafeMutablePointer<ColumnBuffer>>
  ) {
    columns.lineFrame.append(frame)
    columns.lineStart.append(UInt32(truncatingIfNeeded: line.pointee.start))
    columns.lineEnd.append(UInt32(truncatingIfNeeded: line.pointee.end))
    // Negative letter spacing can exceed the advances, and Android subtracts letter spacing at the ends of empty lines too.
    columns.lineRect.append(
      x: line.pointee.x, y: Float(line.pointee.top), width: Float(max(line.pointee.width, 0)),
      height: Float(line.pointee.height))
    columns.lineBaseline.append(Float(line.pointee.baseline))
    columns.lineTraits.append(line.pointee.traits.rawValue)
  }
}
