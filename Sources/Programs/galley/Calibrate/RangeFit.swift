/// A search for the number that lies in the most ranges. The range of a text has the numbers with which the layout equals the device.
struct RangeFit {
  /// The most decimals of the number.
  static let decimals = 5

  let number: Double
  /// The number of its decimals.
  let decimals: Int
  /// The number of ranges in which it lies.
  let count: Int

  /// Finds the number. The present number stays if no other one lies in more ranges. Otherwise it is replaced by the nearest one with
  /// the fewest decimals.
  ///
  /// - Parameter limits: The least and the largest number.
  init(_ ranges: [Range<Double>], current: Double, limits: ClosedRange<Double>) {
    let ends = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] }).filter(limits.contains)
      .union([limits.lowerBound, limits.upperBound]).sorted()
    func count(_ number: Double) -> Int { ranges.count { $0.contains(number) } }
    func middle(_ range: ClosedRange<Double>) -> Double { (range.lowerBound + range.upperBound) / 2 }
    let currentCount = count(current)
    var (best, bestCount) = (current...current, currentCount)
    for (low, high) in zip(ends, ends.dropFirst()) {
      let found = count(middle(low...high))
      let isNearer = (middle(low...high) - current).magnitude < (middle(best) - current).magnitude
      if found > bestCount || (found == bestCount && isNearer) { (best, bestCount) = (low...high, found) }
    }
    decimals = (0..<Self.decimals).first { count(Self.rounded(middle(best), $0)) == bestCount } ?? Self.decimals
    number = currentCount == bestCount ? current : Self.rounded(middle(best), decimals)
    self.count = count(number)
  }

  static func rounded(_ number: Double, _ decimals: Int) -> Double {
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    return (number * scale).rounded() / scale
  }
}
