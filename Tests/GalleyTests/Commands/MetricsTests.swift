import Foundation
import GalleyTestSupport
import PoolProtocol
import Testing

/// Tests of the metrics that a real coordinator reports of batches that real workers lay out.
@Suite struct MetricsTests {
  private let scratch = Scratch()

  private func submit(_ rows: Int, to pool: Pool, _ output: String) throws -> Galley.Outcome {
    let cells = try scratch.file(
      "cells.yaml", "version: 1\ncells: {A: {layout: {type: node, calculatedSize: [100, 50]}}}")
    let rows = try scratch.file("rows.jsonl", String(repeating: "{}\n", count: rows))
    return try Galley.run(
      ["submit", rows, "--cells", cells, "--width", "320,390", "--output", scratch.path(output), "--connect"]
        + [pool.endpoint])
  }

  @Test func theStatusHasTheMetricsOfAllBatches() throws {
    let pool = try Pool(scratch, ["--workers", "2"])
    for batch in 0..<3 { #expect(try submit(1_000, to: pool, "\(batch)").code == 0) }
    let metrics = try pool.state().metrics
    #expect(metrics.uptime > 0)
    #expect(metrics.batchesAccepted == 3 && metrics.batchesDone == 3 && metrics.batchTime.count == 3)
    #expect(metrics.batchesFailed == 0 && metrics.batchesCancelled == 0)
    #expect(metrics.rowsDone == 3_000 && metrics.rowBytesReceived == 9_000)
    #expect(metrics.jobsDone >= 3 && metrics.layoutTime.count == metrics.jobsDone)
    #expect(metrics.queueTime.count == metrics.jobsDone)
    // Two variants of each row have a width and a height of 4 bytes at least.
    #expect(metrics.resultBytesSent > 3_000 * 2 * 8)
    #expect(metrics.lostWorkers == 0 && metrics.retries == 0)
  }

  /// The second batch has no texts, so that the cache of its program is not used.
  @Test func theShareOfACacheIsThatOfAllProgramsOfAWorker() throws {
    let pool = try Pool(scratch, ["--workers", "1"])
    let cells = try scratch.file(
      "texts.yaml",
      "version: 1\nfonts: {f: {family: Roboto, size: 12}}\n"
        + "cells: {A: {layout: {type: text, text: \"{t}\", font: f}}}\n")
    let rows = try scratch.file("texts.jsonl", "{\"t\":\"one\"}\n{\"t\":\"two\"}\n")
    let texts = try Galley.run([
      "submit", rows, "--cells", cells, "--width", "320", "--output", scratch.path("texts"), "--connect", pool.endpoint,
    ])
    #expect(texts.code == 0, "\(texts.errors)")
    let share = try #require(try pool.state().workers.first).cacheHitRate
    #expect(share < 1)
    #expect(try submit(100, to: pool, "nodes").code == 0)
    let worker = try #require(try pool.state().workers.first)
    #expect(worker.rows == 102 && worker.cacheHitRate == share)
  }

  @Test func theTextAndTheJSONHaveTheSameFigures() throws {
    let pool = try Pool(scratch, ["--workers", "1"])
    #expect(try submit(100, to: pool, "tables").code == 0)
    let text = try Galley.run(["status", "--connect", pool.endpoint]).output
    #expect(text.contains("s ago: 1 batches accepted, 1 done, 0 failed, 0 cancelled; "), "\(text)")
    #expect(text.contains(" jobs and 100 rows done, 0 jobs tried again, 0 workers lost\n"), "\(text)")
    #expect(text.contains(#/\n  queue time p50 [0-9.]+ ms, p99 [0-9.]+ ms; layout time p50 /#), "\(text)")
    let json = try JSON(parsing: Data(Galley.run(["status", "--connect", pool.endpoint, "--json"]).output.utf8))
    let metrics = try #require(json["metrics"])
    #expect(metrics["rowsDone"] == .number(100) && metrics["batchesDone"] == .number(1))
    let buckets = try #require(metrics["batchTime"]?["buckets"]?.array)
    #expect(buckets.map { $0["le"] } == TimeHistogram.bounds.map { .number($0) })
    #expect(buckets.last?["count"] == .number(1) && metrics["batchTime"]?["count"] == .number(1))
    for figure in ["sum", "p50", "p90", "p99"] {
      guard case .number(let seconds)? = metrics["batchTime"]?[figure] else {
        Issue.record("the JSON has no \(figure)")
        continue
      }
      #expect(seconds > 0 && seconds < 60)
    }
  }

  @Test func aWorkerThatIsKilledIsCounted() throws {
    let pool = try Pool(scratch)
    let worker = try pool.start(["worker", "--connect", pool.endpoint])
    try eventually { try pool.state().workerCount == 1 }
    worker.signal(SIGKILL)
    try eventually { try pool.state().metrics.lostWorkers == 1 }
    let other = try pool.start(["worker", "--connect", pool.endpoint])
    try eventually { try pool.state().workerCount == 1 }
    other.signal(SIGTERM)
    try eventually { try pool.state().workerCount == 0 }
    #expect(try pool.state().metrics.lostWorkers == 1)
  }
}
