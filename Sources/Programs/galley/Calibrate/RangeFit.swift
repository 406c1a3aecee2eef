/// The fit of a number to ranges, each of which has the numbers that suit one text: the number in the most of them.
struct RangeFit {
  /// The most decimals of the number.
  static let decimals = 5

  let number: Double
  /// The decimals that the number has.
  let decimals: Int
  /// The number of ranges that have it.
  let count: Int

  /// Finds the numbers nearest to the present one of those in the most ranges, and of these the one with the fewest decimals. The
  /// present number stays if it is as good.
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
    let unit = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    return (number * unit).rounded() / unit
  }
}
