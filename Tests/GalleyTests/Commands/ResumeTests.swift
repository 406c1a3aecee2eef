import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `galley layout --resume` after a run that was killed, with its journal or a damaged one.
@Suite struct ResumeTests {
  private let scratch = Scratch()
  private let rows: String
  private let cells: String

  init() throws {
    rows = try scratch.file(
      "rows.jsonl",
      (0..<8000).map { row in
        let words = (0..<row % 53).map { "word\($0 * row % 101)" }.joined(separator: " ")
        return #"{"text":"\#(words)"}"# + "\n"
      }.joined())
    cells = try scratch.file("cells.yaml", textCells)
    try interrupt([])
  }

  private func arguments(width: String = "390", cells: String? = nil) -> [String] {
    [
      "layout", rows, "--cells", cells ?? self.cells, "--width", width, "--workers", "1", "--output",
      scratch.path("out"),
    ]
  }

  private func resume(_ arguments: [String]? = nil) throws -> Galley.Outcome {
    try Galley.run((arguments ?? self.arguments()) + ["--resume", "--log-level", "info"])
  }

  /// The journal of the run, or nil if there is none.
  private var journal: URL? {
    let directory = URL(fileURLWithPath: scratch.path("out.journal"))
    let files = (try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
    return files.first { $0.pathExtension == "journal" }
  }

  private var journalSize: Int {
    let path = journal?.path ?? ""
    return ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
  }

  /// Kills a run when it has added results to the journal. A run that ends before it is killed is repeated, because nothing says
  /// when this process gets a processor.
  private func interrupt(_ more: [String]) throws {
    for _ in 0..<20 {
      let size = journalSize
      let run = try Galley.start(arguments() + more)
      while run.process.isRunning && journalSize < size + 50_000 { usleep(2000) }
      if run.end(by: SIGKILL).code == SIGKILL { return }
      try FileManager.default.removeItem(atPath: scratch.path("out"))
    }
    Issue.record("no run was killed before its end")
  }

  @Test func filesOfOthersInTheDirectoryOfTheJournalAreKept() throws {
    for file in ["monday.journal", "programs/keep.sh"] { _ = try scratch.file("out.journal/\(file)", "dear diary") }
    #expect(try Galley.run(arguments()).code == 0)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("out.journal")).sorted()
    #expect(kept == ["monday.journal.damaged", "programs", "programs/keep.sh"])
  }

  @Test func theSpoolOfACoordinatorIsNotTheJournalOfARun() throws {
    try FileManager.default.removeItem(atPath: scratch.path("out.journal"))
    let pool = try Pool(scratch, ["--spool", scratch.path("out.journal"), "--workers", "1"])
    let batch = try Galley.run([
      "submit", rows, "--cells", cells, "--width", "390", "--detach", "--connect", pool.endpoint,
    ])
    #expect(pool.coordinator.end().code == 0)
    let files = try FileManager.default.subpathsOfDirectory(atPath: scratch.path("out.journal"))
    let outcome = try Galley.run(arguments())
    #expect(outcome.errors.hasSuffix(": is the spool of a coordinator; move it away, or choose another output\n"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: scratch.path("out.journal")) == files)
    #expect(batch.code == 0)
  }

  /// Checks that the tables are those of a run without an interruption.
  private func check(_ outcome: Galley.Outcome) throws {
    #expect(outcome.code == 0, "\(outcome.errors)")
    var uninterrupted = arguments() + ["--in-process"]
    uninterrupted[uninterrupted.firstIndex(of: scratch.path("out")) ?? 0] = scratch.path("expected")
    #expect(try Galley.run(uninterrupted).code == 0)
    #expect(try scratch.tables("out") == scratch.tables("expected"))
  }

  @Test func otherWidthsOrCellsAreRefusedAndTheRunCanStillBeResumed() throws {
    let other = try scratch.file("other.yaml", textCells.replacingOccurrences(of: "size: 15", with: "size: 16"))
    for arguments in [arguments(width: "320"), arguments(width: "390,320"), arguments(cells: other)] {
      let refused = try resume(arguments)
      #expect(refused.code == 1)
      #expect(
        refused.errors.hasSuffix("the interrupted run had other cells or variants; run again without --resume\n"),
        "\(refused.errors)")
    }
    let resumed = try resume()
    #expect(resumed.errors.contains("continues: ") && !resumed.errors.contains("continues: 0 rows"))
    try check(resumed)
  }

  @Test func aRunCanBeInterruptedAndResumedRepeatedly() throws {
    try interrupt(["--resume"])
    try check(resume())
    try resume().expectFailure(1, "\(scratch.path("out")): exists already; choose another directory")
  }

  @Test func theCompleteEntriesOfATornJournalAreUsed() throws {
    let journal = try #require(journal)
    truncate(journal.path, journalSize - 100)
    let resumed = try resume()
    #expect(
      resumed.errors.contains("continues: ") && !resumed.errors.contains("continues: 0 rows"), "\(resumed.errors)")
    try check(resumed)
  }

  @Test func aDamagedResultInTheJournalIsComputedAgain() throws {
    // The damage is before the last result, which may be incomplete.
    try damage(at: journalSize - 20_000)
    let resumed = try resume()
    #expect(
      resumed.errors.contains("continues: ") && !resumed.errors.contains("continues: 0 rows"), "\(resumed.errors)")
    try check(resumed)
  }

  @Test func aRunWithAnUnreadableJournalStartsAgain() throws {
    try damage(at: 40)
    let resumed = try resume()
    #expect(resumed.errors.contains(" is set aside as "), "\(resumed.errors)")
    try check(resumed)
  }

  private func damage(at offset: Int) throws {
    let journal = try #require(journal)
    var bytes = try Data(contentsOf: journal)
    bytes[offset] ^= 0x10
    try bytes.write(to: journal)
  }

  @Test func aRunWithoutAJournalStartsAgain() throws {
    try FileManager.default.removeItem(atPath: scratch.path("out.journal"))
    try check(resume())
  }
}
