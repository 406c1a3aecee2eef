import Histogram

/// The start and end of a batch.
public struct BatchOutcome: Equatable, Sendable {
  /// The way in which a batch ended.
  public enum End: Equatable, Sendable {
    case done
    case failed(String)
    /// The batch was canceled because it was not complete at the end of the run, or when the user interrupted the run.
    case late
  }

  /// The intended start in seconds from the start of the run. The batch starts later if all clients are busy.
  public let intendedStart: Double
  /// The end in seconds from the start of the run.
  public let ended: Double
  public let end: End
}

/// The measurements of a run.
///
/// Latencies are those of batches whose intended start is in the measured time, even if they end after it. Throughput
/// and bad rows are those of results that are received in the measured time, even if their batches started before it.
/// Failures and late batches always count.
public struct LoadMeasurements: Sendable {
  /// The number of parts of the measured time for which throughput is recorded.
  static let parts = 40
  /// The greatest number of different reasons of failures.
  private static let maxReasons = 20
  private static let otherReasons = "other reasons"

  /// The times of the run.
  public let span: LoadSpan
  /// The times in microseconds from the intended starts of batches to their ends, or to their cancellation.
  public private(set) var latencies = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  /// The number of batches that were completed in the measured time.
  public private(set) var batches = 0
  /// The number of rows received in the measured time.
  public private(set) var rows = 0
  /// The number of bad rows among them.
  public private(set) var badRows = 0
  /// The number of rows received in each part of the measured time.
  public private(set) var rowsOfPart = [Int](repeating: 0, count: parts)
  /// The number of batches that were canceled.
  public private(set) var late = 0
  /// The number of failed batches by reason.
  public private(set) var failures: [String: Int] = [:]

  /// Creates empty measurements.
  public init(_ span: LoadSpan) { self.span = span }

  /// Records received rows.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - bad: The number of bad rows among them.
  ///   - now: The current time in seconds from the start of the run.
  public mutating func record(rows count: Int, bad: Int, now: Double) {
    guard span.measures(now) else { return }
    rows += count
    badRows += bad
    let part = Int((now - span.begin) / span.duration * Double(Self.parts))
    rowsOfPart[min(part, Self.parts - 1)] += count
  }

  public mutating func record(_ outcome: BatchOutcome) {
    switch outcome.end {
    case .done: if span.measures(outcome.ended) { batches += 1 }
    case .late: late += 1
    case .failed(let reason):
      let hasEntry = failures[reason] != nil || failures.count < Self.maxReasons
      failures[hasEntry ? reason : Self.otherReasons, default: 0] += 1
      return
    }
    guard span.measures(outcome.intendedStart) else { return }
    latencies.record(UInt64(max(outcome.ended - outcome.intendedStart, 0) * 1e6))
  }
}
