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
    var calibrations: [Platform: DeviceCalibration] = [:]
    guard let written = root.member("calibration") else { return calibrations }
    try attempt(within: "calibration") { () throws(CellError) in
      guard written.isObject else { throw wrongType(written, "what devices differ in, by platform") }
      try written.forEachMember { (key, value) throws(CellError) in
        let name = key.string
        try attempt(within: name) { () throws(CellError) in
          guard let platform = Platform(name: name) else {
            let known = Platform.allCases.map(\.name)
            throw CellError(
              "is not a platform\(didYouMean(name, among: known)); these are \(known.joined(separator: ", "))")
          }
          calibrations[platform] = try readCalibration(value, platform, fonts)
        }
      }
    }
    return calibrations
  }

  private static func readCalibration(
    _ value: JSONValue, _ platform: Platform, _ fonts: FontTable
  ) throws(CellError) -> DeviceCalibration {
    let reader = ValueReader(source: WrittenValues())
    var calibration = DeviceCalibration()
    guard value.isObject else { throw wrongType(value, "what devices differ in: {widthTolerance: 0.25}") }
    try forEachProperty(of: value, CellFormat.calibration(of: platform)) { (name, value) throws(CellError) in
      switch name {
      case "widthTolerance": calibration.widthTolerance = try readPoints(value)
      case "roundsAdvances": if let flag = try reader.boolean(value) { calibration.roundsAdvances = flag }
      case "linearText": calibration.linearText = try reader.boolean(value)
      default:
        guard value.isObject else { throw wrongType(value, "line heights by font: {body: {factor: 1.1}}") }
        try value.forEachMember { (font, value) throws(CellError) in
          try attempt(within: font.string) { () throws(CellError) in
            calibration.lineHeights[try fonts.index(of: font)] = try readLines(value)
          }
        }
      }
    }
    return calibration
  }

  private static func readLines(_ value: JSONValue) throws(CellError) -> LineCalibration {
    let reader = ValueReader(source: WrittenValues())
    var lines = LineCalibration()
    guard value.isObject else { throw wrongType(value, "a line height: {factor: 1.1, addition: 0.5}") }
    try forEachProperty(of: value, CellFormat.lineCalibration) { (name, value) throws(CellError) in
      if name == "addition" { return lines.addition = try readPoints(value) }
      guard let factor = try reader.number(value), lineHeightFactors.contains(factor) else {
        throw CellError("must be from \(lineHeightFactors.lowerBound) to \(Int(lineHeightFactors.upperBound))")
      }
      lines.factor = factor
    }
    return lines
  }

  private static func readPoints(_ value: JSONValue) throws(CellError) -> Double {
    guard let points = try ValueReader(source: WrittenValues()).number(value), points.magnitude <= calibrationLimit
    else { throw CellError("must be from -\(Int(calibrationLimit)) to \(Int(calibrationLimit)) points") }
    return points
  }
}
