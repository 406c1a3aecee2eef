import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of pools in which every worker fails, or every worker that lays out a certain row.
@Suite struct FailingWorkersTests {
  private let scratch = Scratch()

  /// The row is isolated like one that crashes its worker.
  @Test func aRowThatExhaustsMemoryIsTheOnlyBadRow() throws {
    let cells = try scratch.file(
      "fonts.yaml", "version: 1\nfonts: {body: {family: Roboto, size: 15}, small: {family: Roboto, size: 12}}\n")
    var rows = (0..<6).map { #"{"cell":"QuoteCell","id":"\#($0)","quote":"To be","author":"Hamlet"}"# }
    rows[3] = #"{"cell":"GreedyCell"}"#
    let file = try scratch.file("rows.jsonl", rows.joined(separator: "\n") + "\n")
    let pool = try Pool(scratch)
    // The limit of the address space in KiB is many times what a worker needs.
    let loop = "ulimit -v 4000000; while :; do '\(Galley.customWorker)' --connect '\(pool.endpoint)' 2>/dev/null; done"
    try pool.start(["-c", loop], executable: "/bin/sh")
    let outcome = try Galley.run([
      "submit", file, "--cells", cells, "--width", "390", "--output", scratch.path("tables"), "--connect",
      pool.endpoint,
    ]).expectFailure(3, "1 of 6 rows is bad")
    #expect(outcome.errors.contains("rows.jsonl:4: laying it out ended 3 worker processes, one after the other"))
    let heights = try #require(try scratch.tables("tables")["w390/heights.arrow"])
    #expect(heights.range(of: Data("line 4: laying it out ended".utf8)) != nil)
  }

  /// Nobody starts another one in the place of a worker that was started by hand.
  @Test func aWorkerThatEndsAtItsMemoryLimitIsAWarning() throws {
    let cells = try scratch.file(
      "fonts.yaml", "version: 1\nfonts: {body: {family: Roboto, size: 15}, small: {family: Roboto, size: 12}}\n")
    let file = try scratch.file("rows.jsonl", #"{"cell":"HeavyCell","quote":"To be","author":"Hamlet"}"# + "\n")
    let pool = try Pool(scratch)
    let worker = try pool.start(
      ["--connect", pool.endpoint, "--memory-limit", "64", "--text-cache", "1"], executable: Galley.customWorker)
    try Galley.run([
      "submit", file, "--cells", cells, "--width", "390", "--output", scratch.path("tables"), "--connect",
      pool.endpoint,
    ]).expectSuccess()
    let ended = worker.wait()
    #expect(ended.code == 0)
    #expect(ended.errors.contains("it has more than 64 MiB of memory (--memory-limit): raise the limit"))
    try eventually { pool.coordinator.errorsSoFar.contains(" left: it has ended by itself; its log has the reason") }
  }

  /// Every worker fails at its start, because an environment variable sets an option out of range.
  @Test func aBatchFailsWhenAllWorkersFail() throws {
    let cells = try scratch.file("cells.yaml", "version: 1\ncells: {A: {layout: {type: spec}}}\n")
    let outcome = try Galley.run(
      ["layout", "-", "--cells", cells, "--width", "390", "--output", scratch.path("tables"), "--workers", "12"],
      input: "{}\n", environment: ["GALLEY_TEXT_CACHE": "0"])
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.hasSuffix(
        "galley: 24 worker processes ended without finishing a job between them; the last: exit code 2\n"),
      "\(outcome.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(left == ["cells.yaml"])
  }
}
