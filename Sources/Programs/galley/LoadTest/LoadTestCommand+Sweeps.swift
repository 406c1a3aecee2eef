import ArgumentParser
import Foundation
import GalleyWorker
import LoadTesting
import PoolClient
import PoolCoordinator
import PoolProtocol
import Processes
import ZeroMQ

extension LoadTestCommand {
  private struct RateSweep: Encodable {
    /// The limit of the 99th percentile of latency in milliseconds.
    let p99: Double
    /// The highest rate that met the limit in batches per second; nil if none did.
    let highestRate: Double?
    let runs: [LoadReport]
  }

  private struct PoolRun: Encodable {
    let workers: Int
    let report: LoadReport
  }

  /// The least number of batches in the measured time for which a percentile has a meaning.
  static let minBatches = 10

  /// The lowest rate that is measured, in batches per second.
  var lowestRate: Double { Double(Self.minBatches) / duration }

  /// Searches the highest rate at which the 99th percentile of latency is below `limit` milliseconds, and prints a line
  /// for each rate.
  func findHighestRate(p99 limit: Double, _ load: Load) throws {
    let context = try Context()
    let progress = LoadTestProgress(quiet: log.quiet)
    var search = RateSearch(start: rate ?? lowestRate, lowest: lowestRate)
    var runs: [LoadReport] = []
    try show(LoadTable.header("rate"))
    while !Interruption.isRequested, let rate = search.next {
      // A batch that takes longer than the limit already fails the rate, so later ones need no grace period.
      let report = try LoadRun.run(
        load, context, endpoint: connect ?? "", keys: try keys.clientKeys(), pace: .open(batchesPerSecond: rate),
        clients: clients ?? Load.maxClients, span: span(grace: limit / 1000), report: { progress.show($0) })
      progress.end()
      runs.append(report)
      try show(LoadTable.line(decimal(rate, 2), report))
      if Interruption.isRequested { break }
      // Batches may fail at a rate that is too high. If no rate has passed yet, failures have another cause.
      if search.highestPassing == nil { try Self.checkForFailures(report) }
      search.record(rate, passed: report.meets(p99: limit))
    }
    try conclude(RateSweep(p99: limit, highestRate: search.highestPassing, runs: runs))
  }

  /// Throws if rows were bad or batches failed.
  private static func checkForFailures(_ report: LoadReport) throws {
    if report.badRows > 0 { throw RunFailure(message: "\(report.badRows) rows are bad; galley check lists them") }
    if let reason = report.failures.keys.first { throw RunFailure(message: "a batch failed: \(reason)") }
  }

  private func conclude(_ sweep: RateSweep) throws {
    let condition = "p99 below \(decimal(sweep.p99, 1)) ms"
    if json {
      try Self.print(sweep)
    } else if let highest = sweep.highestRate {
      let soFar = Interruption.isRequested ? " so far" : ""
      try Results.print("highest rate\(soFar) with \(condition): \(decimal(highest, 2)) batches/s")
    }
    if sweep.highestRate == nil && !Interruption.isRequested {
      throw RunFailure(
        message: "no rate has \(condition); try a larger --p99, smaller --batch-rows or a longer --duration")
    }
  }

  /// Runs a closed loop with pools of 1, 2, … workers, and prints a line for each pool.
  func comparePools(upTo most: Int, _ load: Load) throws {
    if keys.keys != nil { Messages.warning("--keys has no effect: the pools of --sweep-workers need no keys") }
    let clients = self.clients ?? 2 * most
    let progress = LoadTestProgress(quiet: log.quiet)
    var runs: [PoolRun] = []
    try show(LoadTable.header("workers", "times one"))
    for workers in 1...most where !Interruption.isRequested {
      let pool = try LocalPool(
        try LocalWorkers(command: WorkerCommand.commandLine(log)), count: workers,
        program: (load.request.programHash, try load.request.programParts()), spool: nil, log: makeLog())
      defer { pool.stop() }
      try Self.wait(for: workers, in: pool)
      let report = try LoadRun.run(
        load, pool.context, endpoint: pool.endpoint, pace: .closed, clients: clients, span: span(grace: Self.grace),
        report: { progress.show($0) })
      progress.end()
      runs.append(PoolRun(workers: workers, report: report))
      let one = runs[0].report.rowsPerSecond
      try show(LoadTable.line("\(workers)", report, one > 0 ? decimal(report.rowsPerSecond / one, 2) : "-"))
    }
    if json { try Self.print(["runs": runs]) }
    for run in runs { try Self.checkForFailures(run.report) }
    if runs.contains(where: { !$0.report.isGood }) && !Interruption.isRequested { throw ExitCode(ExitStatus.failed) }
  }

  /// The time in seconds within which the workers of a pool have to connect.
  private static let startTimeout = 10.0

  /// Waits until all workers of a pool are connected.
  private static func wait(for workers: Int, in pool: LocalPool) throws {
    let client = try CoordinatorClient(pool.context, endpoint: pool.endpoint)
    let begin = ContinuousClock.now
    while try client.status().workerProcesses.count < workers {
      if let failure = pool.failure { throw failure }
      guard begin.duration(to: .now).seconds < startTimeout else {
        throw RunFailure(message: "\(workers) workers did not start within \(Int(startTimeout)) seconds")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  /// Prints a line of the table immediately. With --json, nothing is printed before the end.
  private func show(_ line: String) throws {
    if json { return }
    try Results.print(line)
  }
}
