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
    let addition = fittedAddition(samples, factor: 1)
    let factor = RangeFit(
      samples.filter { $0.height > 0 }.map { $0.range.lowerBound / $0.height..<$0.range.upperBound / $0.height },
      current: 1, limits: CellProgram.lineHeightFactors)
    var candidates = [
      LineCalibration(factor: 1, addition: addition.number), LineCalibration(factor: factor.number, addition: 0),
    ]
    if factor.decimals < addition.decimals { candidates.reverse() }
    if let slope = slope(through: samples) {
      // Devices round heights to pixels, so that the best factor can be beside that of the least squares.
      for (decimals, unit) in [(1, 0.1), (2, 0.01), (3, 0.001)] {
        for step in -10...10 {
          let factor = RangeFit.rounded(slope + Double(step) * unit, decimals)
          candidates.append(LineCalibration(factor: factor, addition: fittedAddition(samples, factor: factor).number))
        }
      }
    }
    return candidates.filter {
      CellProgram.lineHeightFactors.contains($0.factor) && $0.addition.magnitude <= CellProgram.calibrationLimit
    }
  }

  /// Returns the addition with which most heights are those of the device, beside a factor.
  private static func fittedAddition(_ samples: [Sample], factor: Double) -> RangeFit {
    let ranges = samples.map { sample in
      let height = sample.height * factor
      return (sample.range.lowerBound - height) / sample.lines..<(sample.range.upperBound - height) / sample.lines
    }
    return RangeFit(ranges, current: 0, limits: -CellProgram.calibrationLimit...CellProgram.calibrationLimit)
  }

  /// Returns the factor of the least squares of the heights of a line, with an addition; nil if all lines have one height.
  private static func slope(through samples: [Sample]) -> Double? {
    var (hh, hn, nn, hm, nm) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      // Each text counts by the heights of its lines, whatever their number.
      let (h, m) = (sample.height / sample.lines, sample.middle / sample.lines)
      (hh, hn, nn, hm, nm) = (hh + h * h, hn + h, nn + 1, hm + h * m, nm + m)
    }
    let determinant = hh * nn - hn * hn
    return determinant > 1e-6 * hh * nn ? (hm * nn - nm * hn) / determinant : nil
  }
}
