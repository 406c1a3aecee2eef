/// A condition under which a load test fails, such as `p99>500ms` or `errors>0`.
public struct LoadThreshold: Sendable {
  /// A figure of a report.
  struct Metric: Sendable {
    /// The unit: milliseconds, a number, or a number a second.
    enum Kind {
      case time, count, rate
    }

    let name: String
    let kind: Kind
    /// Returns the figure, nil if it was not measured.
    let value: @Sendable (LoadReport) -> Double?

    static let all = [
      Metric(name: "p50", kind: .time) { $0.latency?.p50 },
      Metric(name: "p90", kind: .time) { $0.latency?.p90 },
      Metric(name: "p95", kind: .time) { $0.latency?.p95 },
      Metric(name: "p99", kind: .time) { $0.latency?.p99 },
      Metric(name: "p99.9", kind: .time) { $0.latency?.p999 },
      Metric(name: "max", kind: .time) { $0.latency?.max },
      Metric(name: "errors", kind: .count) { Double($0.failedBatches + $0.late + $0.badRows) },
      Metric(name: "failed", kind: .count) { Double($0.failedBatches) },
      Metric(name: "late", kind: .count) { Double($0.late) },
      Metric(name: "bad-rows", kind: .count) { Double($0.badRows) },
      Metric(name: "batches/s", kind: .rate) { $0.batchesPerSecond },
      Metric(name: "rows/s", kind: .rate) { $0.rowsPerSecond },
    ]
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
    guard let metric = Metric.all.first(where: { $0.name == sides[0] }) else {
      throw Self.error(text, "\"\(sides[0])\" is not a figure of a load test")
    }
    let isTime = metric.kind == .time
    guard let limit = Self.number(sides[1], isTime: isTime) else {
      throw Self.error(text, "\"\(sides[1])\" is not a \(isTime ? "time such as 500ms or 2s" : "number")")
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
    let names = Metric.all.map(\.name).joined(separator: ", ")
    return LoadTestError(
      "\"\(text)\" is not a condition: \(reason); a condition is one of \(names), then >, >=, < or <=, "
        + "and a number, as in p99>500ms or rows/s<10000")
  }

  /// Whether the condition is about errors, which otherwise fail a run in any number.
  public var countsErrors: Bool { metric.kind == .count }

  /// Returns the outcome for a report. A condition about a figure that was not measured is met, so that a run without
  /// results does not pass.
  func outcome(in report: LoadReport) -> Outcome {
    let value = metric.value(report)
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
