/// What the texts of a device differ in from the rules of its platform, as `galley calibrate` has found it.
public struct TextCalibration: BitwiseCopyable, Equatable, Sendable {
  /// The points by which a line can be wider than its box; if negative, by which it must be narrower.
  public var widthTolerance = 0.0
  /// Whether a browser rounds the advance of each glyph to whole points.
  public var roundsAdvances = false
  /// The height of the lines.
  public var lines = LineCalibration()

  /// Creates a calibration that changes nothing.
  public init() {}
}

/// What a cells file states about the texts of a platform's devices.
public struct DeviceCalibration: Equatable, Sendable {
  /// The points by which a line can be wider than its box; see `TextCalibration`.
  public var widthTolerance = 0.0
  /// Whether advances are whole points; see `TextCalibration`.
  public var roundsAdvances = false
  /// Whether Android's sizes and advances are not rounded; nil for what the file states for the platform.
  public var linearText: Bool?
  /// The heights of lines by the number of the font of the text.
  public var lineHeights: [Int32: LineCalibration] = [:]

  /// Creates a calibration that changes nothing.
  public init() {}

  /// Changes the options of a text to those on the device.
  ///
  /// - Parameters:
  ///   - font: the number of the font of the text's first run.
  ///   - growth: the factor of the size of this font beside the text scale of the measurement.
  public func apply(to options: inout TextOptions, font: Int32?, growth: Double = 1) {
    options.calibration.widthTolerance = widthTolerance
    options.calibration.roundsAdvances = roundsAdvances
    if let font, let lines = lineHeights[font] {
      options.calibration.lines = LineCalibration(factor: lines.factor, addition: lines.addition * growth)
    }
    if let linearText { options.android.linearText = linearText }
  }
}

/// The heights that the lines of a device have, as a function of those by the rules of its platform.
public struct LineCalibration: BitwiseCopyable, Equatable, Sendable {
  /// The factor of the height.
  public var factor: Double
  /// The points that are added to the height at text scale 1, which grow as the font. Half of them are above the baseline.
  public var addition: Double

  /// Creates a calibration, which changes nothing by default.
  public init(factor: Double = 1, addition: Double = 0) {
    self.factor = factor
    self.addition = addition
  }

  /// Whether heights stay as they are.
  var isNeutral: Bool { factor == 1 && addition == 0 }

  /// Returns the metrics of a line on the device. A line is not lower than 0.
  func applied(to line: LineMetrics, textScale: Double = 1) -> LineMetrics {
    if isNeutral { return line }
    let added = addition * textScale
    guard (line.above + line.below) * factor + added > 0 else { return LineMetrics(above: 0, below: 0) }
    return LineMetrics(above: line.above * factor + added / 2, below: line.below * factor + added / 2)
  }

  /// Changes lines that a platform has filled, and their measurement, to those of the device.
  func apply(to lines: UnsafeMutableBufferPointer<PlatformLine>, _ measured: inout TextMeasurement, textScale: Double) {
    guard !lines.isEmpty else {
      // An empty text of Flutter has no line, but the height of one.
      let line = applied(to: LineMetrics(above: measured.height, below: 0), textScale: textScale)
      measured.height = line.above + line.below
      return
    }
    for index in lines.indices {
      let line = LineMetrics(above: lines[index].above, below: lines[index].below)
      let changed = applied(to: line, textScale: textScale)
      (lines[index].above, lines[index].below) = (changed.above, changed.below)
    }
    measured.note(UnsafeBufferPointer(lines))
  }
}
