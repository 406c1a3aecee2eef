import Histogram
import PoolProtocol

/// The results of a run.
public struct LoadReport: Encodable, Sendable {
  /// The latency of batches by percentile, in milliseconds.
  public struct Latency: Encodable, Equatable, Sendable {
    public let p50, p90, p95, p99, p999, max: Double

    /// Creates the percentiles of a histogram, or returns nil if it is empty.
    ///
    /// - Parameter histogram: Latencies in microseconds.
    init?(_ histogram: Histogram<UInt64>) {
      guard histogram.totalCount > 0 else { return nil }
      func milliseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1000 }
      p50 = milliseconds(50)
      p90 = milliseconds(90)
      p95 = milliseconds(95)
      p99 = milliseconds(99)
      p999 = milliseconds(99.9)
      max = Double(histogram.max) / 1000
    }
  }

  /// The processor time in the measured time, in seconds. It is nil for processes that are unknown or on other
  /// machines.
  public struct Processor: Encodable, Equatable, Sendable {
    public let coordinator: Double?
    public let workers: Double?
    /// The number of worker processes that existed from the beginning of the measured time to its end.
    public let workerProcesses: Int

    init(_ time: ProcessorTime) {
      coordinator = time.coordinator.map { Double($0) / ProcessorTime.ticksPerSecond }
      let ticks = time.workers.values.reduce(0, +)
      workers = time.workers.isEmpty ? nil : Double(ticks) / ProcessorTime.ticksPerSecond
      workerProcesses = time.workers.count
    }
  }

  /// The kind of loop, "closed" or "open".
  public let loop: String
  /// The greatest number of concurrent batches.
  public let clients: Int
  /// The intended rate of an open loop, in batches per second.
  public let rate: Double?
  /// The length of the measured time in seconds.
  public let seconds: Double
  /// Whether the user interrupted the run before its batches were complete.
  public let isInterrupted: Bool
  /// The number of batches that were completed in the measured time.
  public let batches: Int
  /// The number of rows received in the measured time.
  public let rows: Int
  public let batchesPerSecond: Double
  public let rowsPerSecond: Double
  /// The latency of the batches whose intended start is in the measured time; nil if there are none.
  public let latency: Latency?
  /// The number of batches that were not complete at the end of the run, or when it was interrupted.
  public let late: Int
  /// The number of failed batches by reason.
  public let failures: [String: Int]
  /// The number of bad rows among those received in the measured time.
  public let badRows: Int
  public let processor: Processor
  /// The rows that the workers laid out in the measured time; nil if the coordinator did not report them, or if it was
  /// started again.
  public let workers: WorkerRows?
  /// What the coordinator counted in the measured time for all clients; nil if it did not report that, or if it was
  /// started again.
  public let pool: PoolMetrics?
  /// Whether the coordinator was started again in the measured time.
  public let isRestarted: Bool
  /// The number of batches that the coordinator had not discarded at the end; nil if it did not report that.
  public let remainingBatches: Int?
  /// The conditions under which the run fails, and whether they are met.
  public private(set) var failIf: [LoadThreshold.Outcome] = []
  /// The rows per second in each part of the measured time, up to its end or an interruption.
  public let throughput: [Double]

  /// Whether no condition is met under which the run fails. Without a condition about errors, any error fails the run.
  public private(set) var passes = true

  /// The latencies in microseconds.
  let latencies: Histogram<UInt64>

  init(
    _ measured: LoadMeasurements, pace: Pace, clients: Int, seconds: Double, isInterrupted: Bool,
    processorTime time: ProcessorTime, workers: WorkerRows?, pool: PoolMetrics?, isRestarted: Bool,
    remaining: Int?, failIf thresholds: [LoadThreshold]
  ) {
    switch pace {
    case .closed: (loop, rate) = ("closed", nil)
    case .open(let batchesPerSecond): (loop, rate) = ("open", batchesPerSecond)
    }
    self.clients = clients
    self.seconds = seconds
    self.isInterrupted = isInterrupted
    batches = measured.batches
    rows = measured.rows
    batchesPerSecond = seconds > 0 ? Double(measured.batches) / seconds : 0
    rowsPerSecond = seconds > 0 ? Double(measured.rows) / seconds : 0
    latencies = measured.latencies
    latency = Latency(measured.latencies)
    late = measured.late
    failures = measured.failures
    badRows = measured.badRows
    processor = Processor(time)
    self.workers = workers
    self.pool = pool
    self.isRestarted = isRestarted
    remainingBatches = remaining
    let secondsOfPart = measured.span.duration / Double(LoadMeasurements.parts)
    let wholeParts = Int((seconds / secondsOfPart).rounded())
    throughput = measured.rowsOfPart.prefix(wholeParts).map { Double($0) / secondsOfPart }
    failIf = thresholds.map { $0.outcome(in: self) }
    let judgesErrors = thresholds.contains(where: \.countsErrors)
    passes = !failIf.contains(where: \.isMet) && (judgesErrors || isGood)
  }

  private enum CodingKeys: String, CodingKey {
    case loop, clients, rate, seconds, batches, rows, batchesPerSecond, rowsPerSecond, latency, late, failures, badRows,
      processor, workers, pool, remainingBatches, failIf, throughput
    case isInterrupted = "interrupted"
    case isRestarted = "coordinatorRestarted"
  }

  public var failedBatches: Int { failures.values.reduce(0, +) }

  /// Whether every batch was completed in time, and all rows are good.
  public var isGood: Bool { failures.isEmpty && late == 0 && badRows == 0 }

  /// Whether the run is good, and the 99th percentile of latency is below `limit` milliseconds.
  public func meets(p99 limit: Double) -> Bool { isGood && latency.map { $0.p99 < limit } ?? false }
}
