import Buffers
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
  }

  /// A run of a text.
  struct Run: BitwiseCopyable {
    /// The offset after its last unit, in UTF-16.
    var end: UInt32
    /// The index of its font among those of the cells file.
    var font: Int32
  }

  /// The texts in the order of their frames, and the lines and runs of all texts in the same order.
  private(set) var texts = FlatBuffer<Text>(capacity: 8)
  private(set) var lines = FlatBuffer<TextLine>(capacity: 32)
  private(set) var runs = FlatBuffer<Run>(capacity: 8)
  private(set) var bytes = FlatBuffer<UInt8>(capacity: 512)

  mutating func removeAll() {
    texts.removeAll()
    lines.removeAll()
    runs.removeAll()
    bytes.removeAll()
  }

  /// Appends a text whose lines the measurer has recorded.
  ///
  /// - Parameters:
  ///   - frame: the index of the frame among those of the row.
  ///   - width: the width of the frame, in points.
  ///   - placement: the position of the lines in the frame.
  ///   - room: the width in points in which the text was cut, or nil for a text that was not cut.
  mutating func append(
    _ number: Int, _ boundRuns: UnsafeBufferPointer<TextRun>, truncation: ByteString, frame: Int, width: Double,
    _ placement: TextPlacement, textScale: Double, truncatedTo room: Double?, _ measurer: inout TextMeasurer
  ) {
    let firstLine = lines.count
    measurer.appendLines(of: number, textScale: textScale, truncatedTo: room, to: &lines)
    for line in lines.base + firstLine..<lines.base + lines.count {
      let isRightToLeft = line.pointee.traits.contains(.rightToLeft)
      line.pointee.x = Float(
        placement.x(
          ofLine: line.pointee.width, inFrame: width, indent: Double(line.pointee.x), isRightToLeft: isRightToLeft))
      line.pointee.top += placement.insets.top
      line.pointee.baseline += placement.insets.top
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
        runCount: UInt32(truncatingIfNeeded: boundRuns.count)))
  }

  /// Replaces the values by those of another row.
  mutating func replace(with other: borrowing RowLines) {
    removeAll()
    texts.append(contentsOf: other.texts.values)
    lines.append(contentsOf: other.lines.values)
    runs.append(contentsOf: other.runs.values)
    bytes.append(contentsOf: other.bytes.values)
  }

  /// Appends the values to the columns of a job.
  ///
  /// - Parameters:
  ///   - firstFrame: the index of the row's first frame in the job.
  ///   - fonts: the number of each font's name in the job.
  func append(to columns: JobSchema<UnsafeMutablePointer<ColumnBuffer>>, firstFrame: Int, fonts: (Int32) -> UInt32) {
    var line = 0
    for text in texts.values {
      let frame = UInt32(truncatingIfNeeded: firstFrame) &+ text.frame
      columns.textFrame.append(frame)
      columns.textLength.append(text.length)
      columns.truncationLength.append(text.truncationLength)
      columns.textRunCount.append(text.runCount)
      for index in line..<line + Int(text.lineCount) { append(lines[index], frame, to: columns) }
      line += Int(text.lineCount)
    }
    for run in runs.values {
      columns.runEnd.append(run.end)
      columns.runFont.append(fonts(run.font))
    }
    columns.textBytes.append(contentsOf: bytes.values)
  }

  private func append(
    _ line: TextLine, _ frame: UInt32, to columns: JobSchema<UnsafeMutablePointer<ColumnBuffer>>
  ) {
    columns.lineFrame.append(frame)
    columns.lineStart.append(UInt32(truncatingIfNeeded: line.start))
    columns.lineEnd.append(UInt32(truncatingIfNeeded: line.end))
    columns.lineX.append(line.x)
    columns.lineY.append(Float(line.top))
    columns.lineWidth.append(Float(line.width))
    columns.lineHeight.append(Float(line.height))
    columns.lineBaseline.append(Float(line.baseline))
    columns.lineTraits.append(line.traits.rawValue)
  }
}
