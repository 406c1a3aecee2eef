/// Finds the highest rate that a pool sustains: doubles while rates pass, halves while none does, then bisects.
public struct RateSearch: Equatable, Sendable {
  /// How near the highest passing rate and the lowest failing one are at the end.
  static let precision = 1.05
  /// Batches a second.
  public static let highest = 100_000.0

  /// The highest rate that passed, in batches a second.
  public private(set) var highestPassing: Double?
  private var lowestFailing: Double?
  private let start: Double
  private let lowest: Double

  /// - Parameters:
  ///   - start: the first rate, in batches a second.
  ///   - lowest: the lowest rate that is tried.
  public init(start: Double, lowest: Double) {
    self.start = start
    self.lowest = lowest
  }

  /// The rate to try, or nil when the search is over.
  public var next: Double? {
    let rate: Double
    switch (highestPassing, lowestFailing) {
    case (nil, nil): rate = start
    case (let passing?, nil): rate = passing * 2
    case (nil, let failing?): rate = failing / 2
    case (let passing?, let failing?):
      guard failing / passing > Self.precision else { return nil }
      // The middle of magnitudes.
      rate = (passing * failing).squareRoot()
    }
    return rate >= lowest && rate <= Self.highest ? rate : nil
  }

  public mutating func note(_ rate: Double, passed: Bool) {
    if passed {
      highestPassing = max(highestPassing ?? rate, rate)
    } else {
      lowestFailing = min(lowestFailing ?? rate, rate)
    }
  }
}
