import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of a coordinator, workers and clients as separate processes.
@Suite struct PoolCommandTests {
  private let scratch = Scratch()

  private var endpoint: String { "ipc://\(scratch.path("pool"))" }

  private func submit(_ output: String, _ rows: String) throws -> Galley.Outcome {
    try Galley.run(["examples", scratch.path("examples")])
    return try Galley.run([
      "submit", rows, "--cells", scratch.path("examples/posts.yaml"), "--width", "390", "--output",
      scratch.path(output), "--connect", endpoint,
    ])
  }

  @Test func batchesAreSubmittedToARunningCoordinator() throws {
    _ = try Galley.run(["examples", scratch.path("examples")])
    let rows = scratch.path("examples/posts.jsonl")
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    let worker = try Galley.start(["worker", "--connect", endpoint])
    defer { for process in [coordinator, worker] { process.end() } }
    try submit("submitted", rows).expectSuccess()
    let local = try Galley.run([
      "layout", rows, "--cells", scratch.path("examples/posts.yaml"), "--width", "390", "--output",
      scratch.path("local"), "--in-process",
    ])
    #expect(local.code == 0)
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
    let coordinator = try Pool(scratch, options.map { directories.contains($0) ? scratch.path($0) : $0 }).coordinator
    try eventually { coordinator.errorsSoFar.contains(message) }
  }

  @Test func aTextCacheAboveTheLimitOfMemoryIsAWarning() throws {
    let worker = try Galley.run(
      ["worker", "--connect", endpoint, "--text-cache", "2000"], environment: ["GALLEY_WAIT": ""])
    #expect(worker.errors.contains("--text-cache 2000 is not below --memory-limit 1024"), "\(worker.errors)")
  }

  @Test func aPriorityCanBeNegative() throws {
    let outcome = try Galley.run([
      "submit", "none.jsonl", "--cells", "none.yaml", "--width", "390", "--output", scratch.path("tables"), "--connect",
      endpoint, "--priority", "-1",
    ])
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
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint])
    let worker = try Galley.start(["--connect", endpoint, "--wait"], executable: Galley.customWorker)
    defer { for process in [coordinator, worker] { process.end() } }
    try Galley.run([
      "submit", rows, "--cells", plain, "--width", "300,390", "--output", scratch.path("swift"), "--connect", endpoint,
    ]).expectSuccess()
    try Galley.run([
      "layout", rows, "--cells", written, "--width", "300,390", "--output", scratch.path("yaml"), "--in-process",
    ]).expectSuccess()
    #expect(try scratch.tables("swift") == scratch.tables("yaml"))
    let misspelt = try scratch.file("misspelt.jsonl", #"{"cell": "QuotCell"}"# + "\n")
    let bad = try Galley.run([
      "submit", misspelt, "--cells", plain, "--width", "390", "--output", scratch.path("bad"), "--connect", endpoint,
      "--strict",
    ])
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
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint, "--job-deadline", "1"])
    let custom = Galley.customWorker
    let loop =
      "while kill -0 \(coordinator.process.processIdentifier) 2>/dev/null; do \(custom) --connect \(endpoint) --quiet 2>/dev/null; done"
    let workers = try (0..<2).map { _ in try Galley.start(["-c", loop], executable: "/bin/sh") }
    defer {
      coordinator.end()
      for worker in workers {
        for child in worker.children { kill(child, SIGKILL) }
        _ = worker.wait()
      }
    }
    let outcome = try Galley.run([
      "submit", file, "--cells", cells, "--width", "390", "--output", scratch.path("tables"), "--connect", endpoint,
    ])
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("3 of 10 rows are bad"), "\(outcome.errors)")
    #expect(outcome.errors.contains("rows.jsonl:3: laying it out ended 3 worker processes, one after the other"))
    #expect(outcome.errors.contains("rows.jsonl:6: laying it out ended 3 worker processes, one after the other"))
    #expect(outcome.errors.contains("rows.jsonl:8: its cell cannot be made: no such photo"), "\(outcome.errors)")
  }

  /// Other workers lay out its jobs.
  @Test func aStoppedWorkerDoesNotBlockTheBatch() throws {
    _ = try Galley.run(["examples", scratch.path("examples")])
    let line = try String(contentsOfFile: scratch.path("examples/posts.jsonl"), encoding: .utf8)
    let rows = try scratch.file("many.jsonl", String(repeating: line, count: 40))
    let coordinator = try Galley.start([
      "coordinator", "--listen", endpoint, "--workers", "2", "--job-deadline", "1",
    ])
    var children: [pid_t] = []
    for _ in 0..<100 where children.count < 2 {
      usleep(50_000)
      children = coordinator.children
    }
    defer { coordinator.end() }
    let batch = try Galley.start([
      "submit", rows, "--cells", scratch.path("examples/posts.yaml"), "--width", "390", "--output",
      scratch.path("stopped"), "--connect", endpoint,
    ])
    // The worker has probably started a job by now.
    usleep(1_200_000)
    for child in children.prefix(1) { kill(child, SIGSTOP) }
    batch.wait().expectSuccess()
    let local = try Galley.run([
      "layout", rows, "--cells", scratch.path("examples/posts.yaml"), "--width", "390", "--output",
      scratch.path("local"), "--in-process",
    ])
    #expect(local.code == 0)
    #expect(try scratch.tables("stopped") == scratch.tables("local"))
  }

  @Test func aSecondCoordinatorAtTheSameEndpointIsRefused() throws {
    let first = try Galley.start(["coordinator", "--listen", endpoint])
    usleep(300_000)
    try Galley.run(["coordinator", "--listen", endpoint]).expectFailure(1, "another coordinator listens")
    #expect(first.end().code == 0)
  }

  @Test func anEndpointThatIsStatedTwiceLeavesNoLock() throws {
    let other = endpoint.replacing("ipc://", with: "ipc:///.")
    try Galley.run(["coordinator", "--listen", endpoint, "--listen", other]).expectFailure(
      1, "another coordinator listens")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory).isEmpty)
  }

  @Test func workersEndWithTheirCoordinator() throws {
    let coordinator = try Galley.start(["coordinator", "--listen", endpoint, "--workers", "2"])
    var workers: [pid_t] = []
    for _ in 0..<50 where workers.count < 2 {
      usleep(50_000)
      workers = coordinator.children
    }
    #expect(workers.count == 2)
    coordinator.end(by: SIGKILL)
    var alive = workers
    for _ in 0..<100 where !alive.isEmpty {
      usleep(20_000)
      alive = alive.filter { kill($0, 0) == 0 && !isZombie($0) }
    }
    #expect(alive.isEmpty)
  }

  private func isZombie(_ pid: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
    return status.contains(") Z")
  }
}
