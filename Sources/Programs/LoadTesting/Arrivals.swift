import Glibc
import SeededRandom

/// Who decides when a batch starts.
public enum Pace: Equatable, Sendable {
  /// Each client submits a batch when its last one has ended.
  case closed
  /// Batches arrive at random, so many a second on average, whatever became of those before: a Poisson process.
  case open(batchesPerSecond: Double)
}

/// The intended starts of a run's batches, one after the other.
public struct Arrivals: Sendable {
  public struct Arrival: Equatable, Sendable {
    /// From 0.
    public let number: Int
    /// Seconds from the start of the run.
    public let start: Double
  }

  /// The same arrivals in every run.
  private static let seed: UInt64 = 2027

  private let pace: Pace
  /// Seconds from the start of the run.
  private let end: Double
  private var random = SplitMix(seed: seed)
  private var number = 0
  private var lastStart = 0.0

  public init(_ pace: Pace, until end: Double) {
    self.pace = pace
    self.end = end
  }

  /// The next batch: one that was to start in the past if everyone was busy then, or one to come.
  ///
  /// - Parameter now: seconds from the start of the run.
  public mutating func next(now: Double) -> Arrival? {
    switch pace {
    case .closed: lastStart = now
    case .open(let rate): lastStart -= log(1 - random.unit()) / rate
    }
    guard lastStart < end else { return nil }
    defer { number += 1 }
    return Arrival(number: number, start: lastStart)
  }
}
