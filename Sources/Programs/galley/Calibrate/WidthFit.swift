import TextMeasuring

/// The fit of the tolerance of widths: the one with which most texts have the device's number of lines.
struct WidthFit {
  /// The largest tolerance, in points.
  static let limit = 8.0
  /// The halvings with which the ends of a range are found: to less than 1/1000 point.
  private static let halvings = 15
  private static let decimals = 4

  /// The tolerance, in points.
  let tolerance: Double
  /// The number of texts that have the device's number of lines with it.
  let count: Int

  /// Finds the tolerance nearest to the present one of those in the most ranges, with the fewest decimals.
  ///
  /// - Parameter ranges: the tolerances with which each text has the device's number of lines.
  init(_ ranges: [Range<Double>], current: Double) {
    let ends = Set(ranges.flatMap { [$0.lowerBound, $0.upperBound] } + [-Self.limit, Self.limit]).sorted()
    func count(_ tolerance: Double) -> Int { ranges.count { $0.contains(tolerance) } }
    var (best, bestCount) = (current...current, count(current))
    for (low, high) in zip(ends, ends.dropFirst()) {
      let middle = (low + high) / 2
      let found = count(middle)
      let isNearer = (middle - current).magnitude < ((best.lowerBound + best.upperBound) / 2 - current).magnitude
      if found > bestCount || (found == bestCount && isNearer) { (best, bestCount) = (low...high, found) }
    }
    let simplest = (0...Self.decimals).lazy.map { decimals in
      LineHeightFit.rounded((best.lowerBound + best.upperBound) / 2, decimals)
    }.first { count($0) == bestCount }
    let found = simplest ?? (best.lowerBound + best.upperBound) / 2
    (tolerance, self.count) = count(current) == bestCount ? (current, bestCount) : (found, bestCount)
  }

  /// Returns the tolerances with which a text has a number of lines, by halving. The number does not increase with the
  /// tolerance.
  ///
  /// - Parameter lines: the number of lines with a tolerance.
  static func range(of wanted: Int, lines: (Double) -> Int) -> Range<Double> {
    /// Returns the least tolerance with which the text has at most some number of lines.
    func least(_ most: Int) -> Double {
      var (low, high) = (-limit, limit)
      if lines(low) <= most { return low }
      if lines(high) > most { return high }
      for _ in 0..<halvings {
        let middle = (low + high) / 2
        if lines(middle) <= most { high = middle } else { low = middle }
      }
      return high
    }
    let low = least(wanted)
    return low..<max(low, least(wanted - 1))
  }
}
