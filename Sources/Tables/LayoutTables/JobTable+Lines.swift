/// The texts and lines of a job, which only jobs with lines have.
extension JobTable {
  func checkLines() throws(Malformed) {
    guard columns.textLength.sum + columns.truncationLength.sum == columns.textBytes.count,
      columns.textRunCount.sum == columns.runEnd.count
    else { throw Malformed(reason: "lengths of texts that do not add up") }
    guard columns.textBytes.storage.isUTF8 else { throw Malformed(reason: "a text that is not UTF-8") }
    guard [columns.runFont, columns.spanURL, columns.spanKind].allSatisfy({ $0.allSatisfy { $0 < UInt32(nameCount) } })
    else { throw Malformed(reason: "a font, URL or kind that is not there") }
    guard columns.spanRect.x.areCoordinates, columns.spanRect.y.areCoordinates, columns.spanRect.width.areSizes,
      columns.spanRect.height.areSizes, columns.factor.allSatisfy({ $0 > 0 && $0 <= 1 })
    else { throw Malformed(reason: "a span that is no number up to \(Int(Self.largestExtent)) points") }
    guard columns.spanText.ascend(below: textCount, strictly: false),
      columns.factorText.ascend(below: textCount, strictly: true)
    else { throw Malformed(reason: "spans or factors of no text") }
    guard columns.textFrame.ascend(below: frameCount, strictly: true),
      columns.lineFrame.ascend(below: frameCount, strictly: false)
    else {
      throw Malformed(reason: "texts or lines that are not in the order of the frames")
    }
    // A line of Android can have a negative height (text-rules 32).
    guard columns.lineRect.x.areCoordinates, columns.lineRect.y.areCoordinates, columns.lineBaseline.areCoordinates,
      columns.lineRect.width.areSizes, columns.lineRect.height.areCoordinates
    else { throw Malformed(reason: "a line that is no number up to \(Int(Self.largestExtent)) points") }
    try checkTexts()
  }

  /// Checks each text with its runs, lines and spans, whose numbers and order have been checked.
  private func checkTexts() throws(Malformed) {
    var texts = JobTexts(self)
    var line = 0
    while let text = texts.next() {
      guard text.characters.beginsWithCharacter, text.truncation.beginsWithCharacter else {
        throw Malformed(reason: "a text that is not UTF-8")
      }
      let length = text.characters.utf16Count
      var runStart: UInt32 = 0
      for run in text.runs {
        guard runStart <= columns.runEnd[run], columns.runEnd[run] <= length else {
          throw Malformed(reason: "a run that is not within its text")
        }
        runStart = columns.runEnd[run]
      }
      let firstLine = line
      while line < lineCount, Int(columns.lineFrame[line]) == text.frame {
        guard columns.lineStart[line] <= columns.lineEnd[line], columns.lineEnd[line] <= length else {
          throw Malformed(reason: "a line that is not within its text")
        }
        line += 1
      }
      for span in text.spans {
        guard firstLine + Int(columns.spanLine[span]) < line, columns.spanStart[span] <= columns.spanEnd[span],
          columns.spanEnd[span] <= length
        else { throw Malformed(reason: "a span that is not within its text") }
      }
    }
    guard line == lineCount else { throw Malformed(reason: "a line of no text") }
  }

  /// Returns the number of a line within its text, from 0.
  ///
  /// - Parameter previous: the number of the line before it in the job.
  func lineNumber(_ index: Int, after previous: Int) -> Int {
    index > 0 && columns.lineFrame[index - 1] == columns.lineFrame[index] ? previous + 1 : 0
  }

  /// Returns the type of what a resource fetches, and the size in pixels that its row states, or 0.
  func detail(ofResource resource: Int) -> (type: UInt8, pixelWidth: UInt32, pixelHeight: UInt32) {
    if let detail = columns.detailResource.firstIndex(of: UInt32(resource)) {
      return (columns.detailType[detail], columns.detailPixelWidth[detail], columns.detailPixelHeight[detail])
    }
    return (columns.type[Int(columns.resourceFrame[resource])], 0, 0)
  }

  /// Returns the factor of the sizes of a text's fonts.
  func factor(ofText text: Int) -> Float {
    columns.factorText.firstIndex(of: UInt32(text)).map { columns.factor[$0] } ?? 1
  }
}

/// What a job states about the end and the direction of a line, with the bits of `TextLine.Traits`.
package struct LineTraits: OptionSet {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let ellipsis = LineTraits(rawValue: 1)
  package static let hyphen = LineTraits(rawValue: 2)
  package static let rightToLeft = LineTraits(rawValue: 4)
}
