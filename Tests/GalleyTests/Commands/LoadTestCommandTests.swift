import Foundation
import FoundationXML
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `galley loadtest` with a small coordinator.
@Suite struct LoadTestCommandTests {
  private let scratch = Scratch()

  /// Writes a file of rows and a cells file with one small font.
  private func files() throws -> (rows: String, cells: String) {
    let cells = try scratch.file(
      "cells.yaml",
      "version: 1\nfonts: {f: {family: Roboto, size: 12}}\n"
        + "cells: {A: {layout: {type: text, text: \"{t}\", font: f}}}\n")
    return (try scratch.file("rows.jsonl", "{\"t\":\"one\"}\n{\"t\":\"two\"}\n{\"t\":\"three\"}\n"), cells)
  }

  /// Starts a coordinator with one worker.
  private func pool(_ arguments: [String] = []) throws -> Pool { try Pool(scratch, ["--workers", "1"] + arguments) }

  private func arguments(_ arguments: [String]) throws -> [String] {
    let files = try files()
    return ["loadtest", files.rows, "--cells", files.cells] + arguments
  }

  private func loadTest(_ pool: Pool, _ options: [String]) throws -> Galley.Outcome {
    try Galley.run(arguments(["--connect", pool.endpoint, "--duration", "0.8", "--warm-up", "0.2"] + options))
  }

  private func fields(_ outcome: Galley.Outcome) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
  }

  @Test func closedAndOpenLoopsAreMeasured() throws {
    let pool = try pool()
    let closed = try loadTest(pool, ["--clients", "2", "--batch-rows", "5,20", "--svg", scratch.path("load.svg")])
    #expect(closed.code == 0, "\(closed.errors) \(closed.output)")
    #expect(closed.output.contains("closed loop of 2 clients"))
    #expect(closed.output.contains("errors      none"))
    #expect(closed.output.contains("\nqueue time  p50 ") && closed.output.contains("\nlayout time p50 "))
    #expect(XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: scratch.path("load.svg")))).parse())
    let open = try loadTest(pool, ["--rate", "20", "--batch-rows", "5", "--json"])
    #expect(open.code == 0, "\(open.errors) \(open.output)")
    let fields = try fields(open)
    #expect(fields["loop"] as? String == "open")
    #expect(fields["latency"] is [String: Any])
    #expect((fields["processor"] as? [String: Any])?["workerProcesses"] as? Int == 1)
    let figures = try #require(fields["pool"] as? [String: Any])
    // The coordinator has counted the run before, and the difference is that of this run.
    #expect((1..<60).contains(figures["batchesDone"] as? Int ?? 0), "\(figures)")
    #expect((figures["queueTime"] as? [String: Any])?["p99"] is Double)
  }

  @Test func aSweepEndsWithTheHighestRateThatPassed() throws {
    let pool = try pool()
    let options = ["--duration", "0.1", "--warm-up", "0", "--sweep", "--p99", "50", "--json"]
    let sweep = try Galley.run(arguments(["--connect", pool.endpoint] + options))
    // Whether a rate passes depends on the machine.
    #expect([0, 1].contains(sweep.code), "\(sweep.errors)")
    let fields = try fields(sweep)
    #expect((fields["runs"] as? [Any])?.isEmpty == false)
    #expect((fields["highestRate"] == nil) == (sweep.code == 1))
  }

  @Test func poolsOfIncreasingSizeAreCompared() throws {
    let outcome = try Galley.run(
      arguments(["--sweep-workers", "2", "--duration", "0.5", "--warm-up", "0", "--keys", "none"])
    ).expectSuccess()
    #expect(outcome.errors.hasPrefix("galley: --keys has no effect: the pools of --sweep-workers need no keys\n"))
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasSuffix("times one") == true)
    #expect(lines.map(\.count).max() == lines.map(\.count).min())
  }

  @Test func aRunWithBadRowsFails() throws {
    let cells = try files().cells
    let rows = try scratch.file("bad.jsonl", "{\"t\":\"good\"}\n{\"u\":\"bad\"}\n")
    let pool = try pool()
    let outcome = try Galley.run([
      "loadtest", rows, "--cells", cells, "--connect", pool.endpoint, "--duration", "0.5", "--batch-rows", "2",
    ])
    #expect(outcome.code == 1, "\(outcome.output)")
    #expect(outcome.output.contains("bad rows: galley check lists them"))
  }

  @Test func anInterruptedRunPrintsItsMeasurementsAndCountsOpenBatches() throws {
    // Without a worker, the batches stay open.
    let pool = try Pool(scratch)
    let run = try Galley.start(
      arguments(["--connect", pool.endpoint, "--duration", "600", "--warm-up", "0", "--batch-rows", "5000"]))
    var isRunning = false
    for _ in 0..<200 where !isRunning {
      isRunning = try Galley.run(["status", "--connect", pool.endpoint]).output.contains("(load test ")
    }
    #expect(isRunning)
    run.process.interrupt()
    let outcome = run.wait()
    #expect(outcome.code == 130, "\(outcome.errors)")
    #expect(outcome.output.contains(" s measured, interrupted\nthroughput"), "\(outcome.output)")
    #expect(outcome.output.contains(" late: not complete when the run was interrupted; canceled"), "\(outcome.output)")
  }

  @Test func aRunWhoseCoordinatorHasEndedDoesNotAskItForAMinute() throws {
    let pool = try pool()
    let begin = ContinuousClock.now
    let run = try Galley.start(
      arguments(["--connect", pool.endpoint, "--duration", "1", "--warm-up", "0", "--batch-rows", "5000"]))
    try eventually { try pool.state().batches.contains { $0.input.hasPrefix("load test ") } }
    pool.coordinator.end(by: SIGKILL)
    let outcome = run.wait()
    #expect(outcome.code == 1, "\(outcome.errors)")
    #expect(outcome.output.contains("still has an unknown number of batches of this run"), "\(outcome.output)")
    // The grace time and the time without a reply have 10 seconds each.
    #expect(begin.duration(to: .now) < .seconds(50))
  }

  /// A spool keeps a batch whose client ends without canceling it.
  @Test(arguments: [SIGINT, SIGTERM]) func aRunLeavesNoBatchesInASpool(signal: Int32) throws {
    let pool = try pool(["--spool", scratch.path("spool")])
    let files = try files()
    let kept = try Galley.run([
      "submit", files.rows, "--cells", files.cells, "--width", "390", "--detach", "--connect", pool.endpoint,
    ]).output.trimmingCharacters(in: .newlines)
    func journals() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("spool")).filter { $0.hasSuffix(".journal") }
    }
    let run = try Galley.start(
      arguments(["--connect", pool.endpoint, "--duration", "600", "--batch-rows", "2000", "--clients", "16"]))
    try eventually { try journals().count > 4 }
    // timeout(1) sends a signal to the process and to its group.
    run.signal(signal)
    usleep(1000)
    run.signal(signal)
    let outcome = run.wait()
    #expect(outcome.code == 128 + signal, "\(outcome.errors)")
    #expect(!outcome.output.contains("still has"), "\(outcome.output)")
    // The batch of another client waits for it.
    try eventually { try journals() == ["\(kept).journal"] }
  }

  /// Its clients have sent that the batches are complete, and it ends when the coordinator has received that.
  @Test func aCompleteRunLeavesNoBatchesInASpool() throws {
    let pool = try pool(["--spool", scratch.path("spool")])
    let outcome = try loadTest(pool, ["--rate", "30", "--batch-rows", "5,50"])
    #expect(outcome.code == 0 && outcome.output.contains("errors      none"), "\(outcome.output)")
    #expect(try pool.state().batches.isEmpty)
  }

  @Test func aSweepDoesNotWaitForBatchesOfOthers() throws {
    let pool = try pool(["--spool", scratch.path("spool")])
    let files = try files()
    try Galley.run([
      "submit", files.rows, "--cells", files.cells, "--width", "390", "--detach", "--connect", pool.endpoint,
    ])
    // The first rate is far too high, so that its batches are canceled.
    let sweep = try Galley.run(
      arguments([
        "--connect", pool.endpoint, "--duration", "0.1", "--warm-up", "0", "--sweep", "--p99", "1", "--rate", "500",
        "--batch-rows", "2000", "--json",
      ]))
    #expect([0, 1].contains(sweep.code), "\(sweep.errors)")
    let runs = try #require(try fields(sweep)["runs"] as? [[String: Any]])
    #expect(runs.contains { ($0["late"] as? Int ?? 0) > 0 })
    #expect(runs.allSatisfy { $0["remainingBatches"] as? Int == 0 }, "\(sweep.output)")
    #expect(try Galley.run(["status", "--connect", pool.endpoint]).output.contains(" 1 batches"))
  }

  @Test func conditionsDecideAboutTheExitCode() throws {
    let pool = try pool()
    let passed = try loadTest(pool, ["--batch-rows", "5", "--fail-if", "errors>0", "--fail-if", "p99>1000s"])
    #expect(passed.code == 0, "\(passed.output)")
    #expect(passed.errors.hasPrefix("galley: warming up for 0.2 s\ngalley: measuring for 0.8 s\n"))
    let failed = try loadTest(pool, ["--batch-rows", "5", "--fail-if", "p50>0us", "--quiet"])
    #expect(failed.code == 1 && failed.output.contains("fail if     p50>0us: failed ("), "\(failed.output)")
    #expect(failed.errors.isEmpty)
  }

  @Test func aPlotReplacesNoInput() throws {
    let files = try files()
    for input in [files.rows, files.cells] {
      try Galley.run(arguments(["--connect", "ipc:///x", "--svg", input])).expectFailure(
        2, "--svg \(input) would replace \(input), which the command reads; give another file")
    }
  }

  @Test(arguments: [
    (["--connect", "ipc:///x", "--fail-if", "p98>5"], "a condition is one of p50, p90, p95, p99, p99.9, max, errors"),
    (["--connect", "ipc:///x", "--sweep", "--p99", "5", "--fail-if", "errors>0"], "--fail-if judges one run"),
    (["--connect", "ipc:///x", "--p99", "5"], "--sweep and --p99 go together"),
    (["--connect", "ipc:///x", "--sweep"], "--sweep and --p99 go together"),
    (["--duration", "1"], "--connect is missing"),
    (["--connect", "ipc:///x", "--sweep-workers", "2"], "leave --connect out"),
    (["--connect", "ipc:///x", "--batch-rows", "0"], "--batch-rows is from 1"),
    (["--connect", "ipc:///x", "--cells", "a.yaml"], "ROWS and --cells go together"),
    (["--connect", "ipc:///x", "--rate", "-1"], "--rate"),
    (["--connect", "ipc:///x", "--sweep", "--p99", "5", "--rate", "0.5"], "fewer than 10 batches"),
    (["--connect", "ipc:///x", "--clients", "0"], "--clients is from 1"),
    (["--connect", "ipc:///x", "--sweep", "--p99", "5", "--svg", "a.svg"], "--svg draws one run"),
    (["--connect", "ipc:///x", "--svg", ""], "--svg is a file, such as load.svg"),
  ])
  func usageErrorsAreReported(arguments: [String], message: String) throws {
    let outcome = try Galley.run(["loadtest"] + arguments).expectFailure(2, message)
    #expect(outcome.output.isEmpty)
  }
}
