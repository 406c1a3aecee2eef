import Buffers
import GalleyTestSupport
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of the texts and lines in results: what no table may have is refused.
@Suite struct JobLinesTests {
  /// Returns the reason for which a result with a text of four UTF-16 units, which has seven bytes, is refused after a change.
  private func flaw(_ change: (JobSchema<UnsafeMutablePointer<ColumnBuffer>>) -> Void) -> String? {
    let job = JobColumns()
    job.appendRow(frames: 1)
    job.appendText("né🙂")
    change(job.columns)
    return job.flaw
  }

  @Test func offsetsAreWithinTheUTF16UnitsOfTheirText() {
    #expect(flaw { _ in } == nil)
    #expect(flaw { $0.runEnd[0] = 5 } == "a run that is not within its text")
    #expect(flaw { $0.lineEnd[0] = 5 } == "a line that is not within its text")
    #expect(flaw { ($0.lineStart[0], $0.lineEnd[0]) = (3, 2) } == "a line that is not within its text")
    #expect(flaw { $0.spanEnd[0] = 5 } == "a span that is not within its text")
    #expect(flaw { ($0.spanStart[0], $0.spanEnd[0]) = (3, 2) } == "a span that is not within its text")
  }

  @Test func theEndsOfRunsAscend() {
    func flaw(ends: [UInt32]) -> String? {
      self.flaw { columns in
        columns.textRunCount[0] = UInt32(ends.count)
        columns.runEnd[0] = ends[0]
        for end in ends.dropFirst() {
          columns.runEnd.append(end)
          columns.runFont.append(0)
        }
      }
    }
    #expect(flaw(ends: [1, 1, 4]) == nil && flaw(ends: [2, 1, 4]) == "a run that is not within its text")
  }

  @Test func spansAreOfLinesOfTheirText() {
    #expect(flaw { $0.spanLine[0] = 1 } == "a span that is not within its text")
    #expect(flaw { $0.spanText[0] = 1 } == "spans or factors of no text")
  }

  @Test func linesAreOfTexts() {
    let job = JobColumns()
    job.appendRow(frames: 2)
    job.appendText("a")
    #expect(job.flaw == nil)
    for frames: [UInt32] in [[0, 1], [1, 0]] {
      (job.columns.textFrame[0], job.columns.lineFrame[0]) = (frames[0], frames[1])
      #expect(job.flaw != nil)
    }
  }

  @Test func textsThatAreNotUTF8AreRefused() {
    #expect(flaw { $0.textBytes[0] = 0xff } == "a text that is not UTF-8")
    // The first byte of the truncation string.
    #expect(flaw { $0.textBytes[7] = 0xff } == "a text that is not UTF-8")
    // The truncation string begins within the second character.
    let found = flaw { columns in
      (columns.textLength[0], columns.truncationLength[0]) = (2, 8)
      for ends in [columns.runEnd, columns.lineEnd, columns.spanEnd] { ends[0] = 1 }
    }
    #expect(found == "a text that is not UTF-8")
  }

  /// On Android, a line height below that of the font is a negative spacing for the lines of smaller fonts, too.
  @Test func onlyTheHeightOfALineCanBeNegative() {
    #expect(flaw { $0.lineRect.height[0] = -1.875 } == nil)
    #expect(flaw { $0.lineRect.width[0] = -1.875 }?.hasPrefix("a line that is no number") == true)
    #expect(flaw { $0.spanRect.height[0] = -1.875 }?.hasPrefix("a span that is no number") == true)
  }

  // MARK: Mutated results

  /// Returns the bytes of rows with strings of several scripts.
  private static func columns(seed: Int) -> [UInt8] {
    let texts = ["First frost", "né 🙂", "霜が降りた", ""]
    let job = JobColumns()
    for row in 0..<6 {
      if row == seed {
        job.appendBadRow(id: "ä", error: "line \(row): “bad”")
        continue
      }
      job.appendRow(frames: 1 + row % 2)
      job.appendText(texts[(row + seed) % texts.count])
      job.appendResource("https://a/\(texts[row % texts.count])")
    }
    return OwnedBytes(job).withBytes { Array($0) }
  }

  /// Returns what a result has that no table may have, or nil.
  private static func flaw(in job: JobTable) -> String? {
    let columns = job.columns
    var strings = job.names
    for (bytes, lengths) in [
      (columns.idBytes, columns.idLength), (columns.errorBytes, columns.errorLength),
      (columns.resourceURLBytes, columns.resourceURLLength),
    ] {
      var offset = 0
      for index in 0..<lengths.count { strings.append(bytes.next(lengths[index], at: &offset)) }
    }
    var texts = JobTexts(job)
    var line = 0
    while let text = texts.next() {
      strings += [text.characters, text.truncation]
      let units = text.characters.string.utf16.count
      var ends = text.runs.map { columns.runEnd[$0] } + text.spans.map { columns.spanEnd[$0] }
      while line < job.lineCount, Int(columns.lineFrame[line]) == text.frame {
        ends.append(columns.lineEnd[line])
        line += 1
      }
      if ends.contains(where: { Int($0) > units }) { return "an offset beyond its text" }
    }
    if strings.contains(where: { String(validating: $0.bytes, as: UTF8.self) == nil }) { return "a string" }
    let sizes = [
      columns.width, columns.height, columns.frameRect.width, columns.frameRect.height, columns.lineRect.width,
      columns.spanRect.width, columns.spanRect.height,
    ]
    return sizes.allSatisfy(\.areSizes) ? nil : "a size"
  }

  @Test(arguments: 0..<4) func acceptedMutatedResultsHaveOnlyWhatTablesMayHave(seed: Int) throws {
    let corpus = (0..<6).map { Self.columns(seed: $0) }
    for bytes in corpus { #expect(JobTableTests.isAccepted(bytes, rows: 6)) }
    var mutator = Mutator(seed: UInt64(seed), corpus: corpus)
    var accepted = 0
    for _ in 0..<Mutator.count {
      let bytes = mutator.next()
      bytes.withUnsafeBytes { raw in
        guard let job = try? JobTable(raw, rows: 6, typeCount: 20) else { return }
        accepted += 1
        #expect(Self.flaw(in: job) == nil)
      }
    }
    #expect(accepted > 0)
  }
}
