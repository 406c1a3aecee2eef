import CellTemplates
import TextMeasuring

/// The fit of the heights of one font's lines: the factor and addition with which most texts have the device's height.
struct LineHeightFit {
  /// A text with the device's number of lines.
  struct Sample {
    /// The height of its lines by the rules of the platform, without the space between them.
    let height: Double
    let lines: Double
    /// The space between its lines.
    var spacing = 0.0
    let measured: MeasuredHeight

    func isEqual(with calibration: LineCalibration) -> Bool {
      measured.isEqual(to: max(0, height * calibration.factor + lines * calibration.addition) + spacing)
    }

    /// The heights of the lines that are equal to the measured one.
    fileprivate var range: Range<Double> {
      measured.range.lowerBound - spacing..<measured.range.upperBound - spacing
    }
    fileprivate var middle: Double { (range.lowerBound + range.upperBound) / 2 }
  }

  /// The number of texts that a calibration must gain.
  static let leastGain = 2

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
    return bestCount >= currentCount + leastGain && best != LineCalibration() ? best : nil
  }

  /// Returns calibrations, the simplest ones first.
  private static func candidates(_ samples: [Sample]) -> [LineCalibration] {
    let addition = RangeFit(
      samples.map { ($0.range.lowerBound - $0.height) / $0.lines..<($0.range.upperBound - $0.height) / $0.lines },
      current: 0, limits: -CellProgram.calibrationLimit...CellProgram.calibrationLimit)
    let factor = RangeFit(
      samples.filter { $0.height > 0 }.map { $0.range.lowerBound / $0.height..<$0.range.upperBound / $0.height },
      current: 1, limits: CellProgram.lineHeightFactors)
    var candidates = [
      LineCalibration(factor: 1, addition: addition.number), LineCalibration(factor: factor.number, addition: 0),
    ]
    if factor.decimals < addition.decimals { candidates.reverse() }
    if let (factor, addition) = line(through: samples) {
      for decimals in 1...RangeFit.decimals {
        candidates.append(
          LineCalibration(factor: RangeFit.rounded(factor, decimals), addition: RangeFit.rounded(addition, decimals)))
      }
    }
    return candidates.filter {
      CellProgram.lineHeightFactors.contains($0.factor) && $0.addition.magnitude <= CellProgram.calibrationLimit
    }
  }

  /// Returns the factor and addition of the least squares of the heights of a line.
  private static func line(through samples: [Sample]) -> (factor: Double, addition: Double)? {
    var (hh, hn, nn, hm, nm) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      // Each text counts by the heights of its lines, whatever their number.
      let (h, m) = (sample.height / sample.lines, sample.middle / sample.lines)
      (hh, hn, nn, hm, nm) = (hh + h * h, hn + h, nn + 1, hm + h * m, nm + m)
    }
    let determinant = hh * nn - hn * hn
    guard determinant > 1e-6 * hh * nn else { return nil }
    return ((hm * nn - nm * hn) / determinant, (hh * nm - hn * hm) / determinant)
  }
}
