import ArgumentParser
import Foundation
import GalleyWorker
import LayoutPool
import LoadTest
import ZeroMQ

extension LoadTestCommand {
  private struct RateSweep: Encodable {
    /// Milliseconds.
    let p99: Double
    /// Batches a second; nil if no rate passed.
    let highestRate: Double?
    let runs: [LoadReport]
  }

  private struct WorkerSweep: Encodable {
    struct Run: Encodable {
      let workers: Int
      let report: LoadReport
    }

    let runs: [Run]
  }

  /// Tries rates, a line each, until the highest is found whose 99th percentile is below so many milliseconds.
  func findHighestRate(p99 limit: Double, _ load: Load) throws {
    let context = try Context()
    var search = RateSearch(start: rate ?? 1)
    var runs: [LoadReport] = []
    show(LoadTable.header("rate"))
    while let rate = search.next {
      // A batch that takes longer has failed the rate already.
      let report = try LoadRun.run(
        load, context, endpoint: connect ?? "", pace: .open(batchesPerSecond: rate),
        clients: clients ?? Load.maxClients, span: span(grace: limit / 1000))
      runs.append(report)
      show(LoadTable.line(decimal(rate, 2), report))
      if Interruption.isRequested { break }
      if let failure = report.failures.keys.first { throw RunFailure(message: "a batch failed: \(failure)") }
      if report.badRows > 0 { throw RunFailure(message: "\(report.badRows) rows are bad; galley check tells which") }
      search.note(rate, passed: report.meets(p99: limit))
    }
    let highest = search.highestPassing
    if json { return print(try Self.encode(RateSweep(p99: limit, highestRate: highest, runs: runs))) }
    if let highest {
      print("highest rate with p99 below \(decimal(limit, 1)) ms: \(decimal(highest, 2)) batches/s")
    } else if !Interruption.isRequested {
      throw RunFailure(
        message: "no rate has its p99 below \(decimal(limit, 1)) ms; try a larger --p99 or smaller --batch-rows")
    }
  }

  /// Runs a closed loop on pools of 1, 2, … workers, a line each.
  func comparePools(upTo most: Int, _ load: Load) throws {
    let clients = self.clients ?? 2 * most
    var runs: [WorkerSweep.Run] = []
    show(LoadTable.header("workers") + "   times one")
    for workers in 1...most where !Interruption.isRequested {
      let pool = try LocalPool(workers: workers, command: WorkerCommand.commandLine, log: log.log())
      defer { pool.stop() }
      try Self.wait(for: workers, in: pool)
      let report = try LoadRun.run(
        load, pool.context, endpoint: pool.endpoint, pace: .closed, clients: clients, span: span(grace: Self.grace))
      runs.append(WorkerSweep.Run(workers: workers, report: report))
      let times = report.rowsPerSecond / (runs.first?.report.rowsPerSecond ?? 1)
      show(LoadTable.line("\(workers)", report) + "  \(decimal(times, 2))")
    }
    if json { print(try Self.encode(WorkerSweep(runs: runs))) }
    let failures = runs.flatMap(\.report.failures.keys)
    if let failure = failures.first { throw RunFailure(message: "a batch failed: \(failure)") }
    if runs.contains(where: { !$0.report.isGood }) && !Interruption.isRequested { throw ExitCode(ExitStatus.failed) }
  }

  /// Seconds that the workers of a pool have to connect.
  private static let startTime = 10.0

  private static func wait(for workers: Int, in pool: LocalPool) throws {
    let client = try StatusClient(pool.context, endpoint: pool.endpoint)
    let begin = ContinuousClock.now
    while try client.status().workerProcesses.count < workers {
      if let failure = pool.failure { throw failure }
      guard begin.duration(to: .now).seconds < startTime else {
        throw RunFailure(message: "\(workers) workers did not start within \(Int(startTime)) seconds")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// A line of a table, at once; with --json the table is JSON at the end.
  private func show(_ line: String) {
    if json { return }
    print(line)
    fflush(nil)
  }
}
