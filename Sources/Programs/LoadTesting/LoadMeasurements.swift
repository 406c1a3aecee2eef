import Histogram

/// What became of a batch.
public struct BatchOutcome: Equatable, Sendable {
  public enum End: Equatable, Sendable {
    case done
    case failed(String)
    /// It was given up when the run was over.
    case late
  }

  /// When it was to start, in seconds from the start of the run, whether or not anyone was free to submit it then.
  public let intendedStart: Double
  /// Seconds from the start of the run.
  public let ended: Double
  public let end: End

  public init(intendedStart: Double, ended: Double, end: End) {
    self.intendedStart = intendedStart
    self.ended = ended
    self.end = end
  }
}

/// What a run has measured so far.
///
/// Latencies are those of the batches that were to start in the measured span, however late they ended; throughput is
/// what came back within it, whenever it was asked for. Failures count whenever they happen.
public struct LoadMeasurements: Sendable {
  /// Parts of the span for which throughput is kept.
  static let parts = 40
  /// Different reasons for failures that are kept.
  private static let maxReasons = 20
  private static let otherReasons = "other reasons"

  public let span: LoadSpan
  /// Microseconds from a batch's intended start to its end; of late ones, to when they were given up.
  public private(set) var latencies = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  /// Batches that ended well in the span.
  public private(set) var batches = 0
  /// Rows that came back in the span.
  public private(set) var rows = 0
  /// Rows that came back in each part of the span.
  public private(set) var rowsOfPart = [Int](repeating: 0, count: parts)
  public private(set) var badRows = 0
  /// Batches that were given up.
  public private(set) var late = 0
  /// Failed batches by reason.
  public private(set) var failures: [String: Int] = [:]

  public init(_ span: LoadSpan) { self.span = span }

  /// Rows came back.
  ///
  /// - Parameter now: seconds from the start of the run.
  public mutating func note(rows count: Int, bad: Int, now: Double) {
    badRows += bad
    guard span.measures(now) else { return }
    rows += count
    let part = Int((now - span.begin) / span.duration * Double(Self.parts))
    rowsOfPart[min(part, Self.parts - 1)] += count
  }

  /// A batch has ended.
  public mutating func note(_ outcome: BatchOutcome) {
    switch outcome.end {
    case .done: if span.measures(outcome.ended) { batches += 1 }
    case .late: late += 1
    case .failed(let reason):
      let isKept = failures[reason] != nil || failures.count < Self.maxReasons
      failures[isKept ? reason : Self.otherReasons, default: 0] += 1
      return
    }
    guard span.measures(outcome.intendedStart) else { return }
    latencies.record(UInt64(max(outcome.ended - outcome.intendedStart, 0) * 1e6))
  }
}
