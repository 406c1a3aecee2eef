import Buffers
import LayoutEngine
import TextMeasuring

/// The part of a cells file that states what the texts of devices differ in.
extension CellProgram {
  /// The largest magnitude of a tolerance and of an addition, in points.
  public static let calibrationLimit = 1000.0
  /// The factors that a line height may have.
  public static let lineHeightFactors = 0.01...100

  /// Reads `calibration: {flutter: {widthTolerance: 0.25, lineHeights: {body: {factor: 1.1}}}}`.
  static func readCalibrations(
    _ root: JSONValue, _ fonts: FontTable
  ) throws(CellError) -> [Platform: DeviceCalibration] {
    let expected = "what devices differ in, by platform"
    var calibrations: [Platform: DeviceCalibration] = [:]
    try reader.member("calibration", of: root) { (written) throws(CellError) in
      try reader.forEachMember(of: written, expected: expected) { (key, value) throws(CellError) in
        guard let platform = Platform(name: key.string) else {
          throw unknownKey(key.string, "a platform", among: Platform.allCases.map(\.name))
        }
        calibrations[platform] = try readCalibration(value, platform, fonts)
      }
    }
    return calibrations
  }

  private static func readCalibration(
    _ value: JSONValue, _ platform: Platform, _ fonts: FontTable
  ) throws(CellError) -> DeviceCalibration {
    let (format, expected) = (CellFormat.calibration(of: platform), "what devices differ in: {widthTolerance: 0.25}")
    var calibration = DeviceCalibration()
    try forEachProperty(of: value, format, expected: expected) { (name, value) throws(CellError) in
      switch name {
      case "widthTolerance": calibration.widthTolerance = try readPoints(value)
      case "roundsAdvances": assign(&calibration.roundsAdvances, try reader.boolean(value))
      case "linearText": calibration.linearText = try reader.boolean(value)
      default:
        let expected = "line heights by font: {body: {factor: 1.1}}"
        try reader.forEachMember(of: value, expected: expected) { (font, value) throws(CellError) in
          calibration.lineHeights[try fonts.index(of: font)] = try readLines(value)
        }
      }
    }
    return calibration
  }

  private static func readLines(_ value: JSONValue) throws(CellError) -> LineCalibration {
    let (format, expected) = (CellFormat.lineCalibration, "a line height: {factor: 1.1, addition: 0.5}")
    var lines = LineCalibration()
    try forEachProperty(of: value, format, expected: expected) { (name, value) throws(CellError) in
      if name == "addition" { return lines.addition = try readPoints(value) }
      guard let factor = try reader.number(value), lineHeightFactors.contains(factor) else {
        throw CellError("must be from \(lineHeightFactors.lowerBound) to \(Int(lineHeightFactors.upperBound))")
      }
      lines.factor = factor
    }
    return lines
  }

  private static func readPoints(_ value: JSONValue) throws(CellError) -> Double {
    guard let points = try reader.number(value), points.magnitude <= calibrationLimit else {
      throw CellError("must be from -\(Int(calibrationLimit)) to \(Int(calibrationLimit)) points")
    }
    return points
  }
}
