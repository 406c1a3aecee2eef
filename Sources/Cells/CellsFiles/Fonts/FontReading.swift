import CellTemplates

/// The reading of the values by which a font of a cells file is found.
enum FontReading {
  static let weights = [
    "thin": 100, "extraLight": 200, "light": 300, "regular": 400, "normal": 400, "medium": 500, "semibold": 600,
    "bold": 700, "extraBold": 800, "black": 900,
  ]

  /// Returns the weight that a font states, 400 for none.
  static func weight(_ node: SourceNode?) throws(CellError) -> Double {
    guard let node else { return 400 }
    if let number = node.number, (1...1000).contains(number) { return number }
    if case .string(let name, _) = node, let weight = Self.weights[name] { return Double(weight) }
    throw CellError(
      "must be a number from 1 to 1000 or one of \(Self.weights.keys.sorted().joined(separator: ", "))",
      path: ["weight"])
  }

  /// Returns the index of a font in its file that it states, 0 for none.
  static func faceIndex(_ node: SourceNode?) throws(CellError) -> UInt32 {
    guard let node else { return 0 }
    guard let number = node.number, let index = UInt16(exactly: number) else {
      throw CellError("must be a whole number from 0 to \(UInt16.max)", path: ["faceIndex"])
    }
    return UInt32(index)
  }

  /// Returns whether a font is italic, which is false unless it is stated.
  static func isItalic(_ node: SourceNode?) throws(CellError) -> Bool {
    guard let node else { return false }
    guard let isItalic = node.truth else { throw CellError("must be true or false", path: ["italic"]) }
    return isItalic
  }
}
