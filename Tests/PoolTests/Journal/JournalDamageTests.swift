import SeededRandom
import Testing

/// Tests of batches whose journals have a damaged bit or are cut off somewhere.
@Suite struct JournalDamageTests {
  private static let chunks = 5
  private static let rowsOfChunk: UInt64 = 4
  private static let rows = UInt64(chunks) * rowsOfChunk

  /// The number of jobs with results, and whether all rows were sent.
  struct Progress: Sendable, CustomStringConvertible {
    let results: Int
    let isComplete: Bool
    var description: String { "\(results) results, \(isComplete ? "complete" : "incomplete")" }
  }

  static let progress = [
    Progress(results: 0, isComplete: true), Progress(results: 2, isComplete: true),
    Progress(results: chunks, isComplete: true), Progress(results: 3, isComplete: false),
  ]

  private func journal(_ progress: Progress) -> JournalRun {
    .write(
      chunks: Self.chunks, rowsOfChunk: Self.rowsOfChunk, results: progress.results, isComplete: progress.isComplete)
  }

  /// Checks what is delivered from a journal that was changed.
  private func check(_ run: JournalRun, _ change: String) {
    guard let end = run.end else {
      Issue.record("\(change): the fetch does not end; logs: \(run.logs)")
      return
    }
    for (index, row) in run.rows.enumerated() where row != nil && row != UInt64(index) {
      Issue.record("\(change): row \(index) has the result of row \(String(describing: row))")
    }
    let hasLostRows = run.rows.contains(nil)
    if end == "done" {
      #expect(hasLostRows || run.rows.count == Int(Self.rows), "\(change): rows are missing in silence")
      #expect(!hasLostRows || !run.logs.isEmpty, "\(change): nothing is logged")
    } else {
      #expect(!run.logs.isEmpty, "\(change): nothing is logged")
    }
  }

  @Test(arguments: progress) func aFlippedBitNeverLosesRowsInSilence(progress: Progress) {
    let written = journal(progress)
    var random = SplitMix(seed: 18)
    for _ in 0..<120 {
      var bytes = written.journal
      let index = random.below(bytes.count)
      bytes[index] ^= UInt8(1 << random.below(8))
      let run = JournalRun.recover(bytes)
      let change = "a flipped bit in byte \(index) of \(bytes.count), \(progress)"
      check(run, change)
      guard progress.isComplete, let record = written.records.lastIndex(where: { $0.offset <= index }) else { continue }
      if record == 0 {
        #expect(run.isSetAside && run.end?.contains(".journal.damaged") == true, "\(change): \(run.end ?? "")")
      } else {
        #expect(run.end == "done", "\(change): \(run.end ?? "")")
        #expect(run.rows.count == Int(Self.rows), "\(change)")
        // Rows without lines have results if all were done. Results without which rows are left are computed again.
        if progress.results == Self.chunks || !written.records[record].hasRows {
          #expect(!run.rows.contains(nil), "\(change): \(run.rows)")
        }
      }
    }
  }

  @Test(arguments: progress) func aJournalThatIsCutOffNeverLosesRowsInSilence(progress: Progress) {
    let written = journal(progress)
    for size in stride(from: 0, to: written.journal.count, by: 17) {
      check(JournalRun.recover(Array(written.journal[..<size])), "cut off after \(size) bytes, \(progress)")
    }
  }

  @Test(arguments: progress) func severalDamagedBytesNeverLoseRowsInSilence(progress: Progress) {
    let written = journal(progress)
    var random = SplitMix(seed: 19)
    for _ in 0..<100 {
      var bytes = written.journal
      for _ in 0..<1 + random.below(4) {
        let start = random.below(bytes.count)
        for index in start..<min(start + random.below(200), bytes.count) { bytes[index] = UInt8(random.below(256)) }
      }
      check(JournalRun.recover(bytes), "several damaged bytes, \(progress)")
    }
  }

  @Test func whatIsWrittenBehindADamagedEndIsReadAgain() {
    let written = journal(Progress(results: 2, isComplete: true))
    var bytes = written.journal
    let last = written.records[written.records.count - 1].offset
    bytes[last] ^= 1
    let once = JournalRun.recover(bytes)
    #expect(once.end == "done" && once.rows.count == Int(Self.rows) && once.journal.count > bytes.count)
    #expect(Array(once.journal[..<bytes.count]) == bytes, "the damaged bytes stay as they are")
    let again = JournalRun.recover(once.journal)
    #expect(again.end == "done" && again.rows == once.rows && again.journal == once.journal)
  }
}
