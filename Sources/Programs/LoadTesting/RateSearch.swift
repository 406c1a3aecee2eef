/// A search for the highest rate that a pool sustains. It doubles the rate while rates pass, or halves it while none
/// has passed, and then bisects.
public struct RateSearch: Equatable, Sendable {
  /// The ratio of the lowest failing rate to the highest passing one at which the search ends.
  static let precision = 1.05
  /// The highest rate that is tried, in batches per second.
  public static let highest = 100_000.0

  /// The highest rate that passed, in batches per second.
  public private(set) var highestPassing: Double?
  private var lowestFailing: Double?
  private let start: Double
  private let lowest: Double

  /// - Parameters:
  ///   - start: The first rate, in batches per second.
  ///   - lowest: The lowest rate that is tried.
  public init(start: Double, lowest: Double) {
    self.start = start
    self.lowest = lowest
  }

  /// The next rate to try, or nil if the search is complete.
  public var next: Double? {
    let rate: Double
    switch (highestPassing, lowestFailing) {
    case (nil, nil): rate = start
    case (let passing?, nil): rate = passing * 2
    case (nil, let failing?): rate = failing / 2
    case (let passing?, let failing?):
      guard failing / passing > Self.precision else { return nil }
      // The geometric mean halves the remaining ratio.
      rate = (passing * failing).squareRoot()
    }
    return rate >= lowest && rate <= Self.highest ? rate : nil
  }

  public mutating func record(_ rate: Double, passed: Bool) {
    if passed {
      highestPassing = max(highestPassing ?? rate, rate)
    } else {
      lowestFailing = min(lowestFailing ?? rate, rate)
    }
  }
}
