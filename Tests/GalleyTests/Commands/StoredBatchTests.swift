import Foundation
import GalleyTestSupport
import Glibc
import PoolClient
import Testing
import ZeroMQ

/// Tests of runs that are interrupted and resumed. Results in the journal are not computed again, and the tables are
/// the same.
@Suite struct StoredBatchTests {
  private let scratch = Scratch()
  private static let count = 40_000

  private static func rows(_ count: Int) -> String {
    (0..<count).map { row in
      #"{"text":"\#((0..<row % 31).map { "word\($0 * row % 101)" }.joined(separator: " "))"}"#
    }.joined(separator: "\n") + "\n"
  }

  private func arguments(_ rows: String, _ output: String, width: String = "320,390") throws -> [String] {
    let cells = try scratch.file("cells.yaml", textCells)
    return [rows, "--cells", cells, "--width", width, "--output", scratch.path(output)]
  }

  /// Returns the tables of a run in one process.
  private func expected(_ rows: String) throws -> [String: Data] {
    try Galley.run(["layout"] + arguments(rows, "expected") + ["--in-process"]).expectSuccess()
    return try scratch.tables("expected")
  }

  /// Waits until the journals in a directory have a number of bytes. Returns false if the process ends before.
  private func waitForJournal(_ directory: String, bytes: Int, of process: Process) -> Bool {
    while process.isRunning {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      let size = files.filter { $0.hasSuffix(".journal") }.map {
        ((try? FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)"))?[.size] as? Int) ?? 0
      }.reduce(0, +)
      if size >= bytes { return true }
      usleep(5000)
    }
    return false
  }

  /// Starts a coordinator with a spool.
  private func pool(workers: Int = 1) throws -> Pool {
    try Pool(scratch, ["--workers", "\(workers)", "--spool", scratch.path("spool")])
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func interruptedRunsCanBeResumed(signal: Int32) throws {
    let text = Self.rows(Self.count)
    let rows = try scratch.file("rows.jsonl", text)
    let expected = try expected(rows)
    let run = try Galley.start(["layout"] + arguments(rows, "out"))
    #expect(waitForJournal(scratch.path("out.journal"), bytes: 500_000, of: run.process))
    let end = run.end(by: signal)
    #expect(end.code == (signal == SIGINT ? 130 : SIGKILL))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))

    try Galley.run(["layout"] + arguments(rows, "out", width: "100") + ["--resume"]).expectFailure(
      1, "the interrupted run had other cells or variants; run again without --resume")

    let resumed = try Galley.run(["layout"] + arguments(rows, "out") + ["--resume", "--log-level", "info"])
      .expectSuccess()
    #expect(resumed.errors.contains("continues: ") && !resumed.errors.contains("continues: 0 rows"))
    #expect(try scratch.tables("out") == expected)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(left.filter { $0.hasPrefix("out") } == ["out"], "the journal and incomplete tables are removed")
  }

  @Test func anInterruptedSubmissionNamesTheBatchThatGoesOn() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    try pool.startWorker()
    let run = try pool.submit(try SlowBatch(scratch), "out")
    try pool.waitUntilPartlyDone()
    let outcome = run.end(by: SIGINT)
    let name = try #require(try pool.state().batches.first?.name)
    #expect(outcome.code == 130)
    #expect(outcome.errors.contains("batch \(name) goes on without this command; galley fetch \(name)"))
  }

  @Test func aSubmissionWhoseKeyIsRevokedNamesTheBatchThatGoesOn() throws {
    let keys = scratch.path("keys")
    try Galley.run(["keys", keys]).expectSuccess()
    try Galley.run(["keys", keys, "--add", "ann", "--role", "client"]).expectSuccess()
    let local = "ipc://\(scratch.path("local"))"
    let pool = try Pool(
      scratch, ["--listen", local, "--keys", keys, "--spool", scratch.path("spool")], at: "tcp://127.0.0.1:*")
    try pool.startWorker(at: local)
    let batch = try SlowBatch(scratch, rows: 5000)
    let run = try pool.start(
      ["submit"] + batch.arguments("out") + ["--connect", pool.endpoint, "--keys", keys + "/ann"])
    let client = try CoordinatorClient(try Context(), endpoint: local)
    try eventually { try client.status().batches.contains { $0.rowsDone > 0 } }
    try FileManager.default.removeItem(atPath: keys + "/allowed/ann.client.pub")
    pool.coordinator.signal(SIGHUP)
    let outcome = run.wait()
    outcome.expectFailure(1, "this key is not allowed there")
    let name = try #require(client.batches().first?.name)
    #expect(outcome.errors.contains("batch \(name) goes on without this command; galley fetch \(name)"))
  }

  @Test(arguments: [true, false])
  func aSubmissionThatIsInterruptedBeforeItsLastRowRemovesItsBatch(isDetached: Bool) throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    let rows = scratch.path("pipe")
    try #require(mkfifo(rows, 0o600) == 0)
    // The pipe stays open, as of a program that has more rows later.
    let descriptor = open(rows, O_RDWR)
    defer { close(descriptor) }
    let some = Array(Self.rows(20).utf8)
    #expect(write(descriptor, some, some.count) == some.count)
    let arguments = try arguments(rows, "out")
    let run = try Galley.start(
      ["submit"] + (isDetached ? arguments.dropLast(2) + ["--detach"] : arguments) + ["--connect", pool.endpoint])
    try eventually { try pool.state().batches.count == 1 }
    #expect(run.end(by: SIGINT).code == 130)
    try eventually { try pool.state().batches.isEmpty }
  }

  @Test func aStrictSubmissionRemovesTheBatchOfItsBadRow() throws {
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    try pool.startWorker()
    let rows = try scratch.file("bad.jsonl", Self.rows(3) + "nonsense\n")
    try Galley.run(["submit"] + arguments(rows, "out") + ["--strict", "--connect", pool.endpoint]).expectFailure(
      1, "bad.jsonl:4: is not JSON")
    try eventually { try pool.state().batches.isEmpty }
  }

  @Test func changedRowsAreLaidOutAgain() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(Self.count))
    let run = try Galley.start(["layout"] + arguments(rows, "out"))
    #expect(waitForJournal(scratch.path("out.journal"), bytes: 500_000, of: run.process))
    run.end(by: SIGKILL)
    let changed = try scratch.file(
      "rows.jsonl", Self.rows(Self.count).replacingOccurrences(of: "word17 ", with: "other words "))
    let expected = try expected(changed)
    try Galley.run(["layout"] + arguments(changed, "out") + ["--resume"]).expectSuccess()
    #expect(try scratch.tables("out") == expected)
  }

  @Test func aDetachedBatchSurvivesTheEndOfItsClientAndCoordinator() throws {
    let text = Self.rows(Self.count)
    let rows = try scratch.file("rows.jsonl", text)
    let expected = try expected(rows)
    var pool = try pool()
    let arguments = try arguments(rows, "unused")
    let submitted = try Galley.run(
      ["submit"] + arguments.dropLast(2) + ["--connect", pool.endpoint, "--detach", "--image-scale", "3", "--json"]
    ).expectSuccess()
    #expect(submitted.errors.contains("give --image-scale, --json to galley fetch"), "\(submitted.errors)")
    let name = submitted.output.trimmingCharacters(in: .whitespacesAndNewlines)
    for megabytes in [1, 2] {
      let size = text.utf8.count + megabytes * 1_000_000
      #expect(waitForJournal(scratch.path("spool"), bytes: size, of: pool.coordinator.process))
      pool.coordinator.end(by: SIGKILL)
      pool = try self.pool()
    }
    let fetched = try Galley.run(["fetch", name, "--output", scratch.path("fetched"), "--connect", pool.endpoint])
      .expectSuccess()
    #expect(fetched.output.contains(" frames, ") && fetched.output.contains(" fetched in "), "\(fetched.output)")
    #expect(!fetched.output.contains("rows/s"), "\(fetched.output)")
    #expect(try scratch.tables("fetched") == expected)
    let errors = pool.coordinator.end(by: SIGKILL).errors
    #expect(errors.contains("continues: ") && !errors.contains("continues: 0 rows"), "\(errors)")
    let again = try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool"))
    #expect(again == ["programs"], "a fetched batch is removed")
  }

  @Test func aClientContinuesAfterARestartOfTheCoordinator() throws {
    let text = Self.rows(Self.count)
    let rows = try scratch.file("rows.jsonl", text)
    let expected = try expected(rows)
    let first = try pool(workers: 2)
    let client = try Galley.start(["submit"] + arguments(rows, "submitted") + ["--connect", first.endpoint])
    #expect(waitForJournal(scratch.path("spool"), bytes: text.utf8.count + 500_000, of: client.process))
    first.coordinator.end(by: SIGKILL)
    let second = try pool(workers: 2)
    client.wait().expectSuccess()
    #expect(try scratch.tables("submitted") == expected)
    withExtendedLifetime(second) {}
  }

  @Test func storedBatchesAreCanceledByName() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(10))
    let arguments = try arguments(rows, "unused").dropLast(2)
    let first = try Pool(scratch)
    try Galley.run(["submit"] + arguments + ["--connect", first.endpoint, "--detach"]).expectFailure(
      1, "start it with --spool")
    first.coordinator.end(by: SIGKILL)
    let pool = try pool(workers: 0)
    let name = try Galley.run(["submit"] + arguments + ["--connect", pool.endpoint, "--detach"]).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try Galley.run(["status", "--connect", pool.endpoint]).output.contains("no worker is connected"))
    #expect(try Galley.run(["cancel", name, "--connect", pool.endpoint]).code == 0)
    let gone = try Galley.run(["cancel", name, "--connect", pool.endpoint])
    #expect(gone.code == 1 && gone.errors == "galley: the coordinator has no batch \(name)\n")
    let fetched = try Galley.run(["fetch", name, "--output", scratch.path("none"), "--connect", pool.endpoint])
    #expect(fetched.code == 1 && fetched.errors == "galley: the coordinator keeps no batch \(name)\n")
  }
}
