import ArgumentParser
import GalleyWorker
import LoadTesting

/// The checks of the options of `galley loadtest`.
extension LoadTestCommand {
  /// The limit of durations in seconds.
  private static let maxDuration = 86_400.0
  private static let maxBatchRows = 10_000_000.0
  private static let maxWorkers = 128

  /// Throws a `ValidationError` if a number is out of range or options exclude each other.
  func validate() throws {
    try checkNumbers()
    guard (rows == nil) == (cells == nil) else {
      throw ValidationError("ROWS and --cells go together; without both, those of the demo are used")
    }
    if sweepWorkers != nil {
      guard connect == nil else {
        throw ValidationError("--sweep-workers starts its own pools; leave --connect out")
      }
      guard rate == nil, !sweep else {
        throw ValidationError("--sweep-workers measures a closed loop; leave --rate and --sweep out")
      }
    } else if connect == nil {
      throw ValidationError(
        "--connect is missing: the endpoint of a running coordinator, as in galley coordinator --listen")
    }
    if let connect { try WaitOption.check(endpoint: connect) }
    guard sweep == (p99 != nil) else {
      throw ValidationError("--sweep and --p99 go together, as in --sweep --p99 500")
    }
    guard failIf.isEmpty || !sweep && sweepWorkers == nil else {
      throw ValidationError("--fail-if judges one run; omit it with --sweep and --sweep-workers")
    }
    guard svg != "", svg != "-" else { throw ValidationError("--svg is a file, such as load.svg") }
    guard svg == nil || !sweep && sweepWorkers == nil else {
      throw ValidationError("--svg draws one run; omit it with --sweep and --sweep-workers")
    }
  }

  private func checkNumbers() throws {
    guard batchRows.numbers.allSatisfy({ (1...Self.maxBatchRows).contains($0) && $0 == $0.rounded() }) else {
      throw ValidationError("--batch-rows is from 1 to \(Int(Self.maxBatchRows)), or several such numbers")
    }
    guard duration > 0, duration <= Self.maxDuration else {
      throw ValidationError("--duration is above 0 and at most \(Int(Self.maxDuration)) seconds")
    }
    guard (0...Self.maxDuration).contains(warmUp) else {
      throw ValidationError("--warm-up is from 0 to \(Int(Self.maxDuration)) seconds")
    }
    if let clients, !(1...Load.maxClients).contains(clients) {
      throw ValidationError("--clients is from 1 to \(Load.maxClients)")
    }
    if let rate, !(rate > 0 && rate <= RateSearch.highest) {
      throw ValidationError("--rate is above 0 and at most \(Int(RateSearch.highest)) batches a second")
    }
    if sweep, let rate, rate < lowestRate {
      throw ValidationError(
        "a --rate of \(rate) has fewer than \(Self.minBatches) batches in --duration; increase one of them")
    }
    if let p99, !(p99 > 0 && p99 <= Self.maxDuration * 1000) {
      throw ValidationError("--p99 is above 0 milliseconds")
    }
    if let sweepWorkers, !(1...Self.maxWorkers).contains(sweepWorkers) {
      throw ValidationError("--sweep-workers is from 1 to \(Self.maxWorkers)")
    }
  }
}
