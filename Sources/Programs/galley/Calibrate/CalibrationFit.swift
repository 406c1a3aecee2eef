import Buffers
import LayoutEngine
import TextMeasuring

/// The fit of a calibration to what a device has measured. For each rounding of advances that the device can have, the tolerance of widths
/// is fitted by the numbers of lines, and then the heights of lines by the texts that have the device's number of lines.
struct CalibrationFit {
  /// The number of texts that a rounding or a tolerance must gain, so that an accident is not fitted.
  static let leastGain = 3

  private let cases: [MeasuredTexts.Case]
  private let platform: Platform

  init(_ cases: [MeasuredTexts.Case], _ platform: Platform) {
    self.cases = cases
    self.platform = platform
  }

  func run(_ measurer: inout KitMeasurer) -> DeviceCalibration {
    let present = score(&measurer, measurer.calibration)
    var found: [(calibration: DeviceCalibration, score: Score)] = []
    for rounding in roundings(of: measurer.calibration, measurer.linearText) {
      var fitted = fitTolerance(&measurer, rounding)
      fitted.lineHeights = lineHeights(&measurer, fitted)
      found.append((fitted, score(&measurer, fitted)))
    }
    // The present rounding is the first one. Another one must also gain enough texts beside the present calibration.
    guard let first = found.first else { return measurer.calibration }
    let better = found.dropFirst().filter { $0.score.gain(over: present) >= Self.leastGain }
    return better.reduce(first) { $1.score.sum > $0.score.sum ? $1 : $0 }.calibration
  }

  /// The numbers of texts with the device's number of lines, and of those that also have its height.
  private struct Score {
    var lines = 0
    var heights = 0

    var sum: Int { lines + heights }
    func gain(over other: Score) -> Int { max(lines - other.lines, heights - other.heights) }
  }

  private func score(_ measurer: inout KitMeasurer, _ calibration: DeviceCalibration) -> Score {
    let grid = measurer.grid
    return zip(cases, measurer.sizes(of: cases, calibration)).reduce(into: Score()) { score, pair in
      let (measured, size) = (pair.0.measured, pair.1)
      guard measured.lines == size.lines else { return }
      score.lines += 1
      if MeasuredHeight(points: measured.height, grid: grid).isEqual(to: size.height) { score.heights += 1 }
    }
  }

  // MARK: Numbers of lines

  /// Returns a calibration without heights with the tolerance with which most texts have the device's number of lines.
  private func fitTolerance(_ measurer: inout KitMeasurer, _ calibration: DeviceCalibration) -> DeviceCalibration {
    var fitted = calibration
    fitted.lineHeights = [:]
    let present = zip(cases, measurer.sizes(of: cases, fitted)).count { $0.measured.lines == $1.lines }
    let fit = RangeFit(
      ranges(&measurer, fitted), current: fitted.widthTolerance, limits: -WidthFit.limit...WidthFit.limit)
    if fit.count >= present + Self.leastGain { fitted.widthTolerance = fit.number }
    return fitted
  }

  /// Returns a calibration with each rounding that the platform's devices can have, the present one first.
  private func roundings(of calibration: DeviceCalibration, _ linearText: Bool) -> [DeviceCalibration] {
    var other = calibration
    if platform.isBrowser {
      other.roundsAdvances.toggle()
    } else if platform.isAndroid {
      other.linearText = !(calibration.linearText ?? linearText)
    } else {
      return [calibration]
    }
    return [calibration, other]
  }

  private func ranges(_ measurer: inout KitMeasurer, _ calibration: DeviceCalibration) -> [Range<Double>] {
    var ranges: [Range<Double>] = []
    for each in cases {
      measurer.prepare(each.text, calibration)
      ranges += WidthFit.ranges(of: each.measured.lines) { tolerance in
        measurer.size(of: each.text, widthChange: tolerance - calibration.widthTolerance).lines
      }
    }
    return ranges
  }

  // MARK: Heights of lines

  /// - Parameter calibration: The calibration without heights.
  private func lineHeights(
    _ measurer: inout KitMeasurer, _ calibration: DeviceCalibration
  ) -> [Int32: LineCalibration] {
    // Nothing was measured that speaks against the line heights of other fonts.
    let current = measurer.calibration.lineHeights
    var found = current
    for (name, cases) in Dictionary(grouping: cases, by: \.text.font) {
      guard let font = measurer.number(ofFont: name) else { continue }
      let sizes = measurer.sizes(of: cases, calibration)
      let samples = zip(cases, sizes).compactMap { each, size -> LineHeightFit.Sample? in
        guard size.lines == each.measured.lines, size.lines > 0 else { return nil }
        let spacing = platform.isBrowser ? each.text.lineSpacing * Double(size.lines - 1) : 0
        // An addition is stated at text scale 1.
        let growth = each.text.textScale * measurer.growth(of: each.text)
        return LineHeightFit.Sample(
          height: size.height - spacing, lines: Double(size.lines) * growth, spacing: spacing,
          measured: MeasuredHeight(points: each.measured.height, grid: measurer.grid))
      }
      found[font] = LineHeightFit.best(samples, current: current[font] ?? LineCalibration())
    }
    return found
  }
}

extension DeviceCalibration {
  /// Returns the calibration as a part of a cells file, or that the present one is to be removed.
  ///
  /// - Parameters:
  ///   - fonts: The names of the fonts of the cells file.
  ///   - present: The calibrations of the cells file.
  func text(_ platform: Platform, fonts: [String], present: [Platform: DeviceCalibration]) -> String {
    guard self != DeviceCalibration() else { return "In the cells file, remove the calibration of \(platform.name)." }
    let replaces = present[platform, default: DeviceCalibration()] != DeviceCalibration()
    let isAmongOthers = !replaces && !present.isEmpty
    var lines = (isAmongOthers ? [] : ["calibration:"]) + ["  \(platform.name):"]
    if widthTolerance != 0 { lines.append("    widthTolerance: \(shortText(widthTolerance))") }
    if roundsAdvances { lines.append("    roundsAdvances: true") }
    if let linearText { lines.append("    linearText: \(linearText)") }
    if !lineHeights.isEmpty { lines.append("    lineHeights:") }
    let named = lineHeights.map { (font: fonts[Int($0.key)], height: $0.value) }
    for (font, height) in named.sorted(by: { $0.font < $1.font }) {
      let members = [("factor", height.factor, 1.0), ("addition", height.addition, 0)].filter { $0.1 != $0.2 }
      let values = members.map { "\($0.0): \(shortText($0.1))" }.joined(separator: ", ")
      lines.append("      \(Self.key(font)): {\(values)}")
    }
    let action =
      replaces ? "replace its calibration of \(platform.name) by" : isAmongOthers ? "add to the key calibration" : "add"
    return "In the cells file, \(action):\n\n" + lines.joined(separator: "\n")
  }

  /// Returns a name as a key of YAML.
  private static func key(_ name: String) -> String {
    let isPlain =
      name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*/) != nil && !["true", "false", "null", "yes", "no"].contains(name)
    return isPlain ? name : (try? Results.json(name, .withoutEscapingSlashes)) ?? name
  }
}
