import Buffers
import TableFormats

/// The texts and lines of a job, which only jobs with lines have.
extension JobTable {
  func checkLines() throws(Malformed) {
    guard columns.textLength.sum + columns.truncationLength.sum == columns.textBytes.count,
      columns.textRunCount.sum == columns.runEnd.count, columns.textSpanCount.sum == columns.spanLine.count
    else { throw Malformed(reason: "lengths of texts that do not add up") }
    guard [columns.runFont, columns.spanURL, columns.spanKind].allSatisfy({ $0.allSatisfy { $0 < UInt32(nameCount) } })
    else { throw Malformed(reason: "a font, URL or kind that is not there") }
    guard columns.spanX.areCoordinates, columns.spanY.areCoordinates, columns.spanWidth.areSizes,
      columns.spanHeight.areSizes
    else { throw Malformed(reason: "a span that is no number up to \(Int(Self.largestExtent)) points") }
    guard areOrdered(columns.textFrame, strictly: true), areOrdered(columns.lineFrame, strictly: false) else {
      throw Malformed(reason: "texts or lines that are not in the order of the frames")
    }
    guard columns.lineX.areCoordinates, columns.lineY.areCoordinates, columns.lineBaseline.areCoordinates,
      columns.lineWidth.areSizes, columns.lineHeight.areCoordinates
    else { throw Malformed(reason: "a line that is no number up to \(Int(Self.largestExtent)) points") }
    var text = 0
    for line in 0..<lineCount {
      while text < textCount, columns.textFrame[text] < columns.lineFrame[line] { text += 1 }
      guard text < textCount, columns.textFrame[text] == columns.lineFrame[line],
        columns.lineStart[line] <= columns.lineEnd[line], columns.lineEnd[line] <= columns.textLength[text]
      else { throw Malformed(reason: "a line of no text") }
    }
  }

  /// Returns the number of a line within its text, from 0.
  ///
  /// - Parameter previous: the number of the line before it in the job.
  func lineNumber(_ index: Int, after previous: Int) -> Int {
    index > 0 && columns.lineFrame[index - 1] == columns.lineFrame[index] ? previous + 1 : 0
  }

  /// Returns whether the indices of frames ascend and are within the job.
  private func areOrdered(_ frames: ReceivedColumn<UInt32>, strictly: Bool) -> Bool {
    var next: UInt32 = 0
    for index in 0..<frames.count {
      let frame = frames[index]
      guard frame >= next, Int(frame) < frameCount else { return false }
      next = strictly ? frame + 1 : frame
    }
    return true
  }
}

/// What a job states about the end and the direction of a line.
package struct LineTraits: OptionSet {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let ellipsis = LineTraits(rawValue: 1)
  package static let hyphen = LineTraits(rawValue: 2)
  package static let rightToLeft = LineTraits(rawValue: 4)
}
