import ArgumentParser
import GalleyWorker
import LoadTesting

/// The checks of the options of `galley loadtest`.
enum LoadTestOptions {
  /// The limit of durations in seconds.
  private static let maxDuration = 86_400.0
  private static let maxBatchRows = 10_000_000.0
  private static let maxWorkers = 128

  /// Throws a `ValidationError` if a number is out of range or options exclude each other.
  static func check(_ command: LoadTestCommand) throws {
    try checkNumbers(command)
    guard (command.rows == nil) == (command.cells == nil) else {
      throw ValidationError("ROWS and --cells go together; without both, those of the demo are used")
    }
    if command.sweepWorkers != nil {
      guard command.connect == nil else {
        throw ValidationError("--sweep-workers starts its own pools; leave --connect out")
      }
      guard command.rate == nil, !command.sweep else {
        throw ValidationError("--sweep-workers measures a closed loop; leave --rate and --sweep out")
      }
    } else if command.connect == nil {
      throw ValidationError(
        "--connect is missing: the endpoint of a running coordinator, as in galley coordinator --listen")
    }
    if let endpoint = command.connect { try WaitOption.check(endpoint: endpoint) }
    guard command.sweep == (command.p99 != nil) else {
      throw ValidationError("--sweep and --p99 go together, as in --sweep --p99 500")
    }
    guard command.failIf.isEmpty || !command.sweep && command.sweepWorkers == nil else {
      throw ValidationError("--fail-if judges one run; omit it with --sweep and --sweep-workers")
    }
    guard command.svg == nil || !command.sweep && command.sweepWorkers == nil else {
      throw ValidationError("--svg draws one run; omit it with --sweep and --sweep-workers")
    }
  }

  private static func checkNumbers(_ command: LoadTestCommand) throws {
    guard command.batchRows.numbers.allSatisfy({ (1...maxBatchRows).contains($0) && $0 == $0.rounded() }) else {
      throw ValidationError("--batch-rows is from 1 to \(Int(maxBatchRows)), or several such numbers")
    }
    guard command.duration > 0, command.duration <= maxDuration else {
      throw ValidationError("--duration is above 0 and at most \(Int(maxDuration)) seconds")
    }
    guard (0...maxDuration).contains(command.warmUp) else {
      throw ValidationError("--warm-up is from 0 to \(Int(maxDuration)) seconds")
    }
    if let clients = command.clients, !(1...Load.maxClients).contains(clients) {
      throw ValidationError("--clients is from 1 to \(Load.maxClients)")
    }
    if let rate = command.rate, !(rate > 0 && rate <= RateSearch.highest) {
      throw ValidationError("--rate is above 0 and at most \(Int(RateSearch.highest)) batches a second")
    }
    if command.sweep, let rate = command.rate, rate < command.lowestRate {
      throw ValidationError(
        "a --rate of \(rate) has fewer than \(LoadTestCommand.minBatches) batches in --duration; increase one of them")
    }
    if let p99 = command.p99, !(p99 > 0 && p99 <= maxDuration * 1000) {
      throw ValidationError("--p99 is above 0 milliseconds")
    }
    if let workers = command.sweepWorkers, !(1...maxWorkers).contains(workers) {
      throw ValidationError("--sweep-workers is from 1 to \(maxWorkers)")
    }
  }
}
