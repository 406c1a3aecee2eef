import Buffers
import GalleyTestSupport
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of the texts and lines in results: what no table may have is refused.
@Suite struct JobLinesTests {
  /// Returns the reason for which a result with a text is refused after a change.
  private func flaw(_ change: (JobSchema<UnsafeMutablePointer<ColumnBuffer>>) -> Void) -> String? {
    let job = JobColumns()
    job.appendRow(frames: 1)
    job.appendText("né🙂")
    change(job.columns)
    return job.flaw
  }

  @Test func textsThatAreNotUTF8AreRefused() {
    #expect(flaw { _ in } == nil)
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
    while let text = texts.next() {
      strings += [text.characters, text.truncation]
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
