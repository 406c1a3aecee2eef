import LayoutEngine
import Buffers
import TextMeasuring

extension ValueReader {
  /// Reads the rectangles at the sides of a text: `[{side: left, y: 0, width: 96, height: 64}]`.
  func exclusionPaths(_ written: JSONValue) throws(CellError) -> ExclusionPaths? {
    guard let value = try resolve(written) else { return nil }
    guard value.kind == .array else {
      throw wrongType(value, "a list of rectangles, such as [{side: left, width: 96, height: 64}]")
    }
    var paths = ExclusionPaths()
    try value.forEachElement { (position, item) throws(CellError) in
      guard position < ExclusionPaths.maxCount else {
        throw CellError("has more than \(ExclusionPaths.maxCount) rectangles")
      }
      let path = try within("\(position)") { () throws(CellError) in try exclusionPath(item) }
      if let path { paths.append(path) }
    }
    return paths
  }

  /// Returns nil for a rectangle without a value, or whose side has none.
  private func exclusionPath(_ written: JSONValue) throws(CellError) -> ExclusionPath? {
    guard let value = try resolve(written) else { return nil }
    let expected = "a rectangle, such as {side: left, width: 96, height: 64}"
    var hasSide = false
    var side: ExclusionPath.Side?
    var y = 0.0
    var lengths: (width: Double?, height: Double?)
    try forEachMember(of: value, expected: expected) { (key, member) throws(CellError) in
      switch key {
      case ByteString("side"): (hasSide, side) = (true, try choice(member, ExclusionPath.Side.self))
      case ByteString("y"): y = try length(member) ?? 0
      case ByteString("width"): lengths.width = try length(member) ?? 0
      case ByteString("height"): lengths.height = try length(member) ?? 0
      default:
        throw CellError(
          "is not a property of a rectangle" + didYouMean(key.string, among: ["side", "y", "width", "height"])
            + "; it has side, y, width and height")
      }
    }
    guard hasSide else {
      throw CellError("has no side; write side: left or side: right, the side of the text that the rectangle is at")
    }
    guard let width = lengths.width, let height = lengths.height else {
      throw CellError("has no \(lengths.width == nil ? "width" : "height"); write it in points")
    }
    return side.map { ExclusionPath(side: $0, y: y, width: width, height: height) }
  }
}
