/// The fit of the tolerance of widths: the one with which most texts have the device's number of lines.
enum WidthFit {
  /// The largest tolerance, in points.
  static let limit = 8.0
  /// The distance of the tolerances that are tried first, in points. If two neighbouring ones give the same number of lines, those
  /// between them count as giving it, too.
  private static let step = 0.5
  /// The error of the ends of a range, in points.
  private static let leastStep = 0.0005

  /// Returns the tolerances with which a text has a number of lines. The number can increase with the tolerance: a word that is broken
  /// where it does not fit leaves room for others.
  ///
  /// - Parameter lines: The number of lines with a tolerance.
  static func ranges(of wanted: Int, lines: (Double) -> Int) -> [Range<Double>] {
    var ranges: [Range<Double>] = []
    /// Adds the tolerances from `low` to `high` that give the wanted number of lines. These two give `lowLines` and `highLines`.
    func add(_ low: Double, _ high: Double, _ lowLines: Int, _ highLines: Int) {
      if lowLines == highLines || high - low < leastStep {
        guard lowLines == wanted else { return }
        let start = ranges.last?.upperBound == low ? ranges.removeLast().lowerBound : low
        return ranges.append(start..<high)
      }
      let middle = (low + high) / 2
      let middleLines = lines(middle)
      add(low, middle, lowLines, middleLines)
      add(middle, high, middleLines, highLines)
    }
    var low = (tolerance: -limit, lines: lines(-limit))
    for tolerance in stride(from: -limit + step, through: limit, by: step) {
      let high = (tolerance: tolerance, lines: lines(tolerance))
      add(low.tolerance, high.tolerance, low.lines, high.lines)
      low = high
    }
    return ranges
  }
}
