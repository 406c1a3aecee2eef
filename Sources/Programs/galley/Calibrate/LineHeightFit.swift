import CellTemplates
import TextMeasuring

/// The fit of the heights of one font's lines: the factor and addition with which most texts have the device's height.
struct LineHeightFit {
  /// A text with the device's number of lines.
  struct Sample {
    /// The height of its lines by the rules of the platform, without the space between them.
    let height: Double
    let lines: Double
    /// The height of its lines on the device.
    let measured: Double

    func isEqual(with calibration: LineCalibration) -> Bool {
      CalibrationComparison.isEqual(max(0, height * calibration.factor + lines * calibration.addition), measured)
    }
  }

  /// The number of texts that a calibration must gain.
  static let leastGain = 2
  /// The most different numbers that are tried.
  private static let tried = 12
  /// The most decimals of numbers that are tried.
  private static let decimals = 5

  /// Returns the simplest of the best calibrations, or nil if none has more equal heights than there are already.
  static func best(_ samples: [Sample], current: LineCalibration) -> LineCalibration? {
    func count(_ calibration: LineCalibration) -> Int { samples.count { $0.isEqual(with: calibration) } }
    var (best, bestCount) = (LineCalibration(), count(LineCalibration()))
    let currentCount = count(current)
    for candidate in candidates(samples) {
      let found = count(candidate)
      if found > bestCount { (best, bestCount) = (candidate, found) }
    }
    // A calibration that is there already is replaced only by a better one.
    if bestCount <= currentCount && current != LineCalibration() { return current }
    let isGain = bestCount >= min(currentCount + leastGain, samples.count) && bestCount > currentCount
    return isGain && best != LineCalibration() ? best : nil
  }

  /// Returns calibrations, the simplest ones first.
  private static func candidates(_ samples: [Sample]) -> [LineCalibration] {
    let additions = frequent(samples.map { ($0.measured - $0.height) / $0.lines })
    let factors = frequent(samples.filter { $0.height > 0 }.map { $0.measured / $0.height })
    var candidates: [LineCalibration] = []
    for decimals in 0...decimals {
      candidates += additions.map { LineCalibration(factor: 1, addition: rounded($0, decimals)) }
      candidates += factors.map { LineCalibration(factor: rounded($0, decimals), addition: 0) }
    }
    if let (factor, addition) = line(through: samples) {
      for decimals in 1...decimals {
        candidates.append(
          LineCalibration(factor: rounded(factor, decimals), addition: rounded(addition, decimals)))
      }
    }
    return candidates.filter {
      CellProgram.lineHeightFactors.contains($0.factor) && $0.addition.magnitude <= CellProgram.calibrationLimit
    }
  }

  /// Returns the most frequent of numbers.
  private static func frequent(_ numbers: [Double]) -> [Double] {
    let counts = Dictionary(grouping: numbers) { rounded($0, 3) }
    return counts.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.prefix(tried).compactMap { group in
      group.value.sorted()[group.value.count / 2]
    }
  }

  /// Returns the factor and addition of the least squares of the heights of a line.
  private static func line(through samples: [Sample]) -> (factor: Double, addition: Double)? {
    var (hh, hn, nn, hm, nm) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      // Each text counts by the heights of its lines, whatever their number.
      let (h, m) = (sample.height / sample.lines, sample.measured / sample.lines)
      (hh, hn, nn, hm, nm) = (hh + h * h, hn + h, nn + 1, hm + h * m, nm + m)
    }
    let determinant = hh * nn - hn * hn
    guard determinant > 1e-6 * hh * nn else { return nil }
    return ((hm * nn - nm * hn) / determinant, (hh * nm - hn * hm) / determinant)
  }

  static func rounded(_ number: Double, _ decimals: Int) -> Double {
    let unit = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    return (number * unit).rounded() / unit
  }
}
