import ArgumentParser
import Foundation
import GalleyWorker
import LoadTesting
import PoolClient
import PoolCoordinator
import PoolProtocol
import PoolSecurity
import Processes
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

  /// Batches in the measured time without which a percentile says nothing.
  static let leastBatches = 10

  /// Batches a second.
  var lowestRate: Double { Double(Self.leastBatches) / duration }

  /// Tries rates, a line each, until the highest is found whose 99th percentile is below so many milliseconds.
  func findHighestRate(p99 limit: Double, _ load: Load) throws {
    let context = try Context()
    var search = RateSearch(start: rate ?? lowestRate, lowest: lowestRate)
    var runs: [LoadReport] = []
    show(LoadTable.header("rate"))
    while !Interruption.isRequested, let rate = search.next {
      // A batch that takes longer has failed the rate already.
      let report = try LoadRun.run(
        load, context, endpoint: connect ?? "", keys: try keys.clientKeys(), pace: .open(batchesPerSecond: rate),
        clients: clients ?? Load.maxClients, span: span(grace: limit / 1000))
      runs.append(report)
      show(LoadTable.line(decimal(rate, 2), report))
      if Interruption.isRequested { break }
      // At a rate that is too high batches may fail; where none has passed, something else is wrong.
      if search.highestPassing == nil { try Self.refuse(report) }
      search.note(rate, passed: report.meets(p99: limit))
      settle(context)
    }
    try conclude(RateSweep(p99: limit, highestRate: search.highestPassing, runs: runs))
  }

  private static func refuse(_ report: LoadReport) throws {
    if report.badRows > 0 { throw RunFailure(message: "\(report.badRows) rows are bad; galley check tells which") }
    if let reason = report.failures.keys.first { throw RunFailure(message: "a batch failed: \(reason)") }
  }

  /// Seconds that a coordinator has to get over a rate.
  private static let settleTime = 60.0

  /// Waits until the coordinator has done with the batches of the last run, those given up too.
  private func settle(_ context: Context) {
    let begin = ContinuousClock.now
    while !Interruption.isRequested && begin.duration(to: .now).seconds < Self.settleTime {
      // One that has too much to do answers late; one that is gone is told by the next run.
      let status = try? StatusClient(context, endpoint: connect ?? "", keys: try keys.clientKeys()).status()
      if status?.batches.isEmpty == true { return }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  private func conclude(_ sweep: RateSweep) throws {
    let condition = "p99 below \(decimal(sweep.p99, 1)) ms"
    if json {
      print(try Self.encode(sweep))
    } else if let highest = sweep.highestRate {
      let soFar = Interruption.isRequested ? " so far" : ""
      print("highest rate\(soFar) with \(condition): \(decimal(highest, 2)) batches/s")
    }
    if sweep.highestRate == nil && !Interruption.isRequested {
      throw RunFailure(
        message: "no rate has \(condition); try a larger --p99, smaller --batch-rows or a longer --duration")
    }
  }

  /// Runs a closed loop on pools of 1, 2, … workers, a line each.
  func comparePools(upTo most: Int, _ load: Load) throws {
    let clients = self.clients ?? 2 * most
    var runs: [WorkerSweep.Run] = []
    show(LoadTable.header("workers", "times one"))
    for workers in 1...most where !Interruption.isRequested {
      let pool = try LocalPool(
        workers: workers, command: WorkerCommand.commandLine,
        program: (load.request.programHash, load.request.program), spool: nil, log: log.log())
      defer { pool.stop() }
      try Self.wait(for: workers, in: pool)
      let report = try LoadRun.run(
        load, pool.context, endpoint: pool.endpoint, pace: .closed, clients: clients, span: span(grace: Self.grace))
      runs.append(WorkerSweep.Run(workers: workers, report: report))
      let one = runs[0].report.rowsPerSecond
      show(LoadTable.line("\(workers)", report, one > 0 ? decimal(report.rowsPerSecond / one, 2) : "-"))
    }
    if json { print(try Self.encode(WorkerSweep(runs: runs))) }
    for run in runs { try Self.refuse(run.report) }
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
