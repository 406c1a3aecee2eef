import Histogram

/// The figures of a run.
public struct LoadReport: Encodable, Sendable {
  /// Milliseconds.
  public struct Latency: Encodable, Equatable, Sendable {
    public let p50, p90, p99, p999, max: Double
  }

  /// Seconds of processor time in the measured span; nil where the processes are not known or not on this machine.
  public struct Processor: Encodable, Equatable, Sendable {
    public let coordinator: Double?
    public let workers: Double?
    /// Worker processes that were there from the beginning of the span to its end.
    public let workerProcesses: Int
  }

  /// "closed" or "open".
  public let loop: String
  /// Batches under way at a time, at most.
  public let clients: Int
  /// Batches a second that were asked for in an open loop.
  public let rate: Double?
  /// Of the measured span.
  public let seconds: Double
  /// Batches that ended well in the span.
  public let batches: Int
  /// Rows that came back in the span.
  public let rows: Int
  public let batchesPerSecond: Double
  public let rowsPerSecond: Double
  /// Of the batches that were to start in the span; nil if there are none.
  public let latency: Latency?
  /// Batches that had not ended when the run was over.
  public let late: Int
  /// Failed batches by reason.
  public let failures: [String: Int]
  public let badRows: Int
  public let processor: Processor
  /// Rows a second in each part of the span, up to where it was interrupted.
  public let throughput: [Double]

  let latencies: Histogram<UInt64>

  init(
    _ measured: LoadMeasurements, pace: Pace, clients: Int, seconds: Double, processorTime time: ProcessorTime
  ) {
    switch pace {
    case .closed: (loop, rate) = ("closed", nil)
    case .open(let batchesPerSecond): (loop, rate) = ("open", batchesPerSecond)
    }
    self.clients = clients
    self.seconds = seconds
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
    let secondsOfPart = measured.span.duration / Double(LoadMeasurements.parts)
    let wholeParts = Int((seconds / secondsOfPart).rounded())
    throughput = measured.rowsOfPart.prefix(wholeParts).map { Double($0) / secondsOfPart }
  }

  private enum CodingKeys: String, CodingKey {
    case loop, clients, rate, seconds, batches, rows, batchesPerSecond, rowsPerSecond, latency, late, failures, badRows,
      processor, throughput
  }

  /// Batches that failed.
  public var failedBatches: Int { failures.values.reduce(0, +) }

  /// Whether every batch ended in time with good rows.
  public var isGood: Bool { failures.isEmpty && late == 0 && badRows == 0 }

  /// Whether the pool kept up: every batch in time, the 99th percentile below so many milliseconds.
  public func meets(p99 limit: Double) -> Bool { isGood && latency.map { $0.p99 < limit } ?? false }
}

extension LoadReport.Processor {
  init(_ time: ProcessorTime) {
    coordinator = time.coordinator.map { Double($0) / ProcessorTime.ticksPerSecond }
    let ticks = time.workers.values.reduce(0, +)
    workers = time.workers.isEmpty ? nil : Double(ticks) / ProcessorTime.ticksPerSecond
    workerProcesses = time.workers.count
  }
}

extension LoadReport.Latency {
  /// - Parameter histogram: microseconds.
  init?(_ histogram: Histogram<UInt64>) {
    guard histogram.totalCount > 0 else { return nil }
    func milliseconds(_ percentile: Double) -> Double { Double(histogram.valueAtPercentile(percentile)) / 1000 }
    p50 = milliseconds(50)
    p90 = milliseconds(90)
    p99 = milliseconds(99)
    p999 = milliseconds(99.9)
    max = Double(histogram.max) / 1000
  }
}
