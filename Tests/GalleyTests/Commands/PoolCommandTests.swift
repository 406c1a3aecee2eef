import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of a coordinator, workers and clients as separate processes.
@Suite struct PoolCommandTests {
  private let scratch = Scratch()

  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  /// Returns the arguments of a run without the verb; without cells, those of the example.
  private func arguments(_ rows: String, cells: String? = nil, width: String = "390", _ output: String) -> [String] {
    [rows, "--cells", cells ?? scratch.path("examples/posts.yaml"), "--width", width, "--output", scratch.path(output)]
  }

  private func submit(_ arguments: [String]) throws -> Galley.Outcome {
    try Galley.run(["submit"] + arguments + ["--connect", endpoint])
  }

  @Test func batchesAreSubmittedToARunningCoordinator() throws {
    _ = try Galley.run(["examples", scratch.path("examples")])
    let rows = scratch.path("examples/posts.jsonl")
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    let worker = try Galley.start(["worker", "--connect", endpoint])
    defer { for process in [coordinator, worker] { process.end() } }
    try submit(arguments(rows, "submitted")).expectSuccess()
    try scratch.layOut(rows, scratch.path("examples/posts.yaml"), to: "local").expectSuccess()
    #expect(try scratch.tables("submitted") == scratch.tables("local"))
    let status = try Galley.run(["status", "--connect", endpoint])
    #expect(status.output.contains("1 workers, 0 batches"))
    let end = coordinator.end()
    #expect(end.code == 0)
    #expect(end.errors == "", "a coordinator without faults logs no warnings")
  }

  @Test(arguments: [
    (["--insecure"], "--insecure has no effect: all endpoints are ipc://PATH"),
    (["--keys", "keys"], "--keys has no effect: all endpoints are ipc://PATH"),
    (
      [
        "--listen", "tcp://127.0.0.1:*", "--keys", "keys", "--spool", "spool", "--spool-limit", "1MiB",
        "--key-spool-limit", "2MiB",
      ],
      "--key-spool-limit has no effect: the spool reaches --spool-limit"
    ),
  ])
  func optionsOfACoordinatorWithoutEffectAreAWarning(options: [String], message: String) throws {
    _ = try Galley.run(["keys", scratch.path("keys")])
    let directories = ["keys", "spool"]
    let pool = try Pool(scratch, options.map { directories.contains($0) ? scratch.path($0) : $0 })
    try eventually { pool.coordinator.errorsSoFar.contains(message) }
  }

  @Test func aTextCacheAboveTheLimitOfMemoryIsAWarning() throws {
    let worker = try Galley.run(
      ["worker", "--connect", endpoint, "--text-cache", "2000"], environment: ["GALLEY_WAIT": ""])
    #expect(worker.errors.contains("--text-cache 2000 is not below --memory-limit 1024"), "\(worker.errors)")
  }

  @Test func aPriorityCanBeNegative() throws {
    let outcome = try submit(arguments("none.jsonl", cells: "none.yaml", "tables") + ["--priority", "-1"])
    #expect(outcome.code == 1, "The command is right, and the files are missing: \(outcome.errors)")
  }

  /// `custom-worker` has a class QuoteCell written in Swift.
  @Test func aCustomWorkerLaysOutItsCellClasses() throws {
    let fonts = """
      version: 1
      fonts:
        body: {family: Roboto, size: 15, lineHeight: 20}
        small: {family: Roboto, size: 12, lineHeight: 16}
      cells:
      """
    // The fraction has no effect on the layout: whether heights hold in other widths is not known of cells in Swift either.
    let layout = """
      {type: inset, insets: 12, child: {type: stack, direction: vertical, spacing: 4, style: {minWidth: 0%}, children: [
          {type: text, id: quote, text: "{quote}", font: body},
          {type: text, id: author, text: "{author}", font: small, style: {alignSelf: end}}]}}
      """
    let plain = try scratch.file("plain.yaml", "\(fonts)\n  PlainCell: {layout: {type: spec}}\n")
    let written = try scratch.file("written.yaml", "\(fonts)\n  QuoteCell: {layout: \(layout)}\n")
    let quote = #"{"cell": "QuoteCell", "quote": "Simplicity is prerequisite for reliability.", "author": "Dijkstra"}"#
    let rows = try scratch.file("quotes.jsonl", "\(quote)\n\(quote)\n")
    let pool = try Pool(scratch)
    try pool.startWorker()
    try submit(arguments(rows, cells: plain, width: "300,390", "swift")).expectSuccess()
    try scratch.layOut(rows, written, width: "300,390", to: "yaml").expectSuccess()
    #expect(try scratch.tables("swift") == scratch.tables("yaml"))
    let misspelt = try scratch.file("misspelt.jsonl", #"{"cell": "QuotCell"}"# + "\n")
    let bad = try submit(arguments(misspelt, cells: plain, "bad") + ["--strict"])
    #expect(
      bad.errors.contains(#"cell "QuotCell" is not in the cells file (did you mean "QuoteCell"?)"#), "\(bad.errors)")
  }

  /// One row crashes its workers and one never ends. Both are isolated, and all other rows are laid out.
  @Test func rowsThatKillOrBlockTheirWorkersAreTheOnlyBadRows() throws {
    let cells = try scratch.file(
      "fonts.yaml", "version: 1\nfonts: {body: {family: Roboto, size: 15}, small: {family: Roboto, size: 12}}\n")
    var rows = (0..<10).map { #"{"cell": "QuoteCell", "id": "\#($0)", "quote": "To be", "author": "Hamlet"}"# }
    rows[2] = #"{"cell": "CrashCell"}"#
    rows[5] = #"{"cell": "EndlessCell"}"#
    rows[7] = #"{"cell": "FailingCell"}"#
    let file = try scratch.file("rows.jsonl", rows.joined(separator: "\n") + "\n")
    let pool = try Pool(scratch, ["--job-deadline", "1"])
    let custom = Galley.customWorker
    let loop =
      "while kill -0 \(pool.coordinator.process.processIdentifier) 2>/dev/null; do \(custom) --connect \(endpoint) --quiet 2>/dev/null; done"
    for _ in 0..<2 { try pool.start(["-c", loop], executable: "/bin/sh") }
    let outcome = try submit(arguments(file, cells: cells, "tables")).expectFailure(3, "3 of 10 rows are bad")
    #expect(outcome.errors.contains("rows.jsonl:3: laying it out ended 3 worker processes, one after the other"))
    #expect(outcome.errors.contains("rows.jsonl:6: laying it out ended 3 worker processes, one after the other"))
    #expect(outcome.errors.contains("rows.jsonl:8: its cell cannot be made: no such photo"), "\(outcome.errors)")
  }

  /// Other workers lay out its jobs.
  @Test func aStoppedWorkerDoesNotBlockTheBatch() throws {
    _ = try Galley.run(["examples", scratch.path("examples")])
    let line = try String(contentsOfFile: scratch.path("examples/posts.jsonl"), encoding: .utf8)
    let rows = try scratch.file("many.jsonl", String(repeating: line, count: 40))
    let pool = try Pool(scratch, ["--workers", "2", "--job-deadline", "1"])
    try eventually { pool.coordinator.children.count == 2 }
    let children = pool.coordinator.children
    let batch = try pool.start(["submit"] + arguments(rows, "stopped") + ["--connect", endpoint])
    // The worker has probably started a job by now.
    usleep(1_200_000)
    for child in children.prefix(1) { kill(child, SIGSTOP) }
    batch.wait().expectSuccess()
    try scratch.layOut(rows, scratch.path("examples/posts.yaml"), to: "local").expectSuccess()
    #expect(try scratch.tables("stopped") == scratch.tables("local"))
  }

  @Test func aSecondCoordinatorAtTheSameEndpointIsRefused() throws {
    let pool = try Pool(scratch)
    try Galley.run(["coordinator", "--listen", endpoint]).expectFailure(1, "another coordinator listens")
    #expect(pool.coordinator.end().code == 0)
  }

  @Test func anEndpointThatIsStatedTwiceLeavesNoLock() throws {
    let other = endpoint.replacing("ipc://", with: "ipc:///.")
    try Galley.run(["coordinator", "--listen", endpoint, "--listen", other]).expectFailure(
      1, "another coordinator listens")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory).isEmpty)
  }

  @Test func workersEndWithTheirCoordinator() throws {
    let pool = try Pool(scratch, ["--workers", "2"])
    try eventually { pool.coordinator.children.count == 2 }
    var alive = pool.coordinator.children
    pool.coordinator.end(by: SIGKILL)
    try eventually {
      alive = alive.filter { kill($0, 0) == 0 && !isZombie($0) }
      return alive.isEmpty
    }
  }

  private func isZombie(_ pid: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
    return status.contains(") Z")
  }
}
