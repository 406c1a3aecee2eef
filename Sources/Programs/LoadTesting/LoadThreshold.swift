/// A condition under which a load test fails, such as `p99>500ms` or `errors>0`.
public struct LoadThreshold: Equatable, Sendable {
  /// A figure of a report.
  enum Metric: String, CaseIterable {
    case p50, p90, p95, p99
    case p999 = "p99.9"
    case max
    case errors, failed, late
    case badRows = "bad-rows"
    case batchesPerSecond = "batches/s"
    case rowsPerSecond = "rows/s"

    /// Whether the figure is a time.
    var isLatency: Bool {
      switch self {
      case .p50, .p90, .p95, .p99, .p999, .max: true
      case .errors, .failed, .late, .badRows, .batchesPerSecond, .rowsPerSecond: false
      }
    }

    var countsErrors: Bool {
      switch self {
      case .errors, .failed, .late, .badRows: true
      default: false
      }
    }
  }

  enum Comparison: String, CaseIterable {
    // The longer ones first, because a condition is searched for them in this order.
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
  }

  /// The condition as the user wrote it.
  public let text: String
  let metric: Metric
  let comparison: Comparison
  /// The limit, of times in milliseconds.
  let limit: Double

  /// Parses a condition.
  ///
  /// - Throws: ``LoadTestError`` with the form of conditions.
  public init(_ text: String) throws(LoadTestError) {
    self.text = text
    let compact = text.filter { !$0.isWhitespace }
    guard let comparison = Comparison.allCases.first(where: { compact.contains($0.rawValue) }) else {
      throw Self.error(text, "it has no comparison")
    }
    let sides = compact.split(separator: comparison.rawValue, maxSplits: 1, omittingEmptySubsequences: false)
    guard let metric = Metric(rawValue: String(sides[0])) else {
      throw Self.error(text, "\"\(sides[0])\" is not a figure of a load test")
    }
    guard let limit = Self.number(sides[1], isTime: metric.isLatency) else {
      throw Self.error(text, "\"\(sides[1])\" is not a \(metric.isLatency ? "time such as 500ms or 2s" : "number")")
    }
    (self.metric, self.comparison, self.limit) = (metric, comparison, limit)
  }

  private static func number(_ text: Substring, isTime: Bool) -> Double? {
    let units = isTime ? [("us", 0.001), ("ms", 1), ("s", 1000), ("", 1)] : [("", 1)]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number.isFinite, number >= 0
    else { return nil }
    return number * factor
  }

  private static func error(_ text: String, _ reason: String) -> LoadTestError {
    let names = Metric.allCases.map(\.rawValue).joined(separator: ", ")
    return LoadTestError(
      "\"\(text)\" is not a condition: \(reason); a condition is one of \(names), then >, >=, < or <=, "
        + "and a number, as in p99>500ms or rows/s<10000")
  }

  /// Whether the condition is about errors, which otherwise fail a run in any number.
  public var countsErrors: Bool { metric.countsErrors }

  /// Returns the outcome for a report. A condition about a figure that was not measured is met, so that a run without
  /// results does not pass.
  func outcome(in report: LoadReport) -> Outcome {
    let value = value(in: report)
    return Outcome(condition: text, value: value, isMet: value.map(isMet) ?? true)
  }

  private func isMet(_ value: Double) -> Bool {
    switch comparison {
    case .above: value > limit
    case .atLeast: value >= limit
    case .below: value < limit
    case .atMost: value <= limit
    }
  }

  private func value(in report: LoadReport) -> Double? {
    switch metric {
    case .p50: report.latency?.p50
    case .p90: report.latency?.p90
    case .p95: report.latency?.p95
    case .p99: report.latency?.p99
    case .p999: report.latency?.p999
    case .max: report.latency?.max
    case .errors: Double(report.failedBatches + report.late + report.badRows)
    case .failed: Double(report.failedBatches)
    case .late: Double(report.late)
    case .badRows: Double(report.badRows)
    case .batchesPerSecond: report.batchesPerSecond
    case .rowsPerSecond: report.rowsPerSecond
    }
  }

  public struct Outcome: Encodable, Equatable, Sendable {
    public let condition: String
    /// The measured figure, of times in milliseconds; nil if there was none.
    public let value: Double?
    /// Whether the condition is met, so that the run fails.
    public let isMet: Bool

    private enum CodingKeys: String, CodingKey {
      case condition, value
      case isMet = "failed"
    }
  }
}
