import Glibc
import SeededRandom

/// The rule that decides when a batch starts.
public enum Pace: Equatable, Sendable {
  /// Each client submits its next batch when the previous one is complete.
  case closed
  /// Batches arrive at random at an average rate, independently of earlier batches: a Poisson process.
  case open(batchesPerSecond: Double)
}

/// A generator of the intended start times of the batches of a run, in ascending order.
public struct Arrivals: Sendable {
  /// The intended start of a batch.
  public struct Arrival: Equatable, Sendable {
    /// The index of the batch, from 0.
    public let number: Int
    /// The intended start in seconds from the start of the run.
    public let start: Double
  }

  /// The seed, which is fixed so that every run has the same arrivals.
  private static let seed: UInt64 = 2027

  private let pace: Pace
  /// The time in seconds from the start of the run after which no batch starts.
  private var end: Double
  private var random = SplitMix(seed: seed)
  private var number = 0
  private var lastStart = 0.0

  /// - Parameter end: The time in seconds from the start of the run after which no batch starts.
  public init(_ pace: Pace, until end: Double) {
    self.pace = pace
    self.end = end
  }

  /// Lets no batch start after a time.
  mutating func stop(at time: Double) { end = min(end, time) }

  /// Returns the next batch, or nil if no further batch starts. In an open loop its start may be in the past, if all
  /// clients were busy then.
  ///
  /// - Parameter now: The current time in seconds from the start of the run.
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
