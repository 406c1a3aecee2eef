import Buffers
import LayoutEngine
import TextMeasuring

/// The magnitude below which all numbers of points are. Larger layouts are refused, too.
private let pointLimit = 10_000_000.0

/// A reader of the types of values that properties have.
struct ValueReader<Source: ValueSource> {
  let source: Source

  func resolve(_ written: JSONValue) throws(CellError) -> JSONValue? { try source.resolve(written) }

  /// Calls `body`, whose errors are those of a part of the value: a key or an index.
  func within<Result>(
    _ part: @autoclosure () -> String, _ body: () throws(CellError) -> Result
  ) throws(CellError) -> Result {
    do throws(CellError) { return try body() } catch { throw error.within(part()) }
  }

  /// Returns what a function reads of a member of an object, whose errors are those of the member; nil if it is absent.
  @discardableResult
  func member<Result>(
    _ key: StaticString, of object: JSONValue, _ read: (JSONValue) throws(CellError) -> Result?
  ) throws(CellError) -> Result? {
    guard let value = object.member(key) else { return nil }
    return try within("\(key)") { () throws(CellError) in try read(value) }
  }

  /// Calls `body` for each member of an object that has a value. Its errors are those of the member.
  func forEachMember(
    of object: JSONValue, _ body: (ByteString, JSONValue) throws(CellError) -> Void
  ) throws(CellError) {
    try object.forEachMember { (key, member) throws(CellError) in
      if Source.ignoresNullMembers && member.isNull { return }
      try within(key.string) { () throws(CellError) in try body(key, member) }
    }
  }

  /// Does the same for a value that must be an object, which `expected` describes.
  func forEachMember(
    of value: JSONValue, expected: String, _ body: (ByteString, JSONValue) throws(CellError) -> Void
  ) throws(CellError) {
    guard value.isObject else { throw wrongType(value, expected) }
    try forEachMember(of: value, body)
  }

  func number(_ written: JSONValue, infinite: Bool = false) throws(CellError) -> Double? {
    guard let value = try resolve(written) else { return nil }
    if let number = value.number {
      // Only a binding to `constrainedSize` has an infinite value.
      guard infinite || number.isFinite else { throw CellError("is infinite here; give a finite number") }
      guard infinite || number.magnitude < pointLimit else {
        throw CellError("is \(number), but must be between -\(Int(pointLimit)) and \(Int(pointLimit))")
      }
      return number
    }
    if infinite, let text = value.string, Infinity.isName(text) { return .infinity }
    throw wrongType(value, infinite ? "a number or \"inf\"" : "a number")
  }

  /// Reads a length in points, which must not be negative.
  func length(_ written: JSONValue) throws(CellError) -> Double? {
    guard let points = try number(written) else { return nil }
    guard points >= 0 else { throw CellError("is \(points), but must not be negative") }
    return points
  }

  func boolean(_ written: JSONValue) throws(CellError) -> Bool? {
    guard let value = try resolve(written) else { return nil }
    guard let boolean = value.boolean else { throw wrongType(value, "true or false") }
    return boolean
  }

  /// Reads a flex factor. In 1.x it is true or false, in 2.x a number.
  func flexFactor(_ written: JSONValue, _ generation: LayoutGeneration) throws(CellError) -> Double? {
    guard let value = try resolve(written) else { return nil }
    if let boolean = value.boolean { return boolean ? 1 : 0 }
    guard let factor = value.number, generation == .second || factor == 0 || factor == 1 else {
      throw wrongType(value, generation == .first ? "true or false with generation: 1" : "a number, true or false")
    }
    guard factor >= 0, factor < pointLimit else {
      throw CellError("is \(factor), but must be from 0 to less than \(Int(pointLimit))")
    }
    return factor
  }

  /// Reads factors of font sizes.
  func factors(_ written: JSONValue) throws(CellError) -> PointSizeScaleFactors? {
    guard let value = try resolve(written) else { return nil }
    guard value.kind == .array else { throw wrongType(value, "a list of factors, such as [0.9, 0.8]") }
    var factors = PointSizeScaleFactors()
    try value.forEachElement { (position, item) throws(CellError) in
      let factor = try within("\(position)") { () throws(CellError) -> Double? in
        guard let factor = try number(item) else { return nil }
        guard factor > 0, factor < 1 else { throw CellError("is \(factor), but a factor is above 0 and below 1") }
        return factor
      }
      guard let factor else { return }
      guard factors.count < PointSizeScaleFactors.maxCount else {
        throw CellError("has more than \(PointSizeScaleFactors.maxCount) factors")
      }
      factors.append(factor)
    }
    return factors
  }

  func count(_ written: JSONValue) throws(CellError) -> Int32? {
    guard let value = try resolve(written) else { return nil }
    guard let number = value.number, let count = Int32(exactly: number), count >= 0 else {
      throw wrongType(value, "a whole number from 0 to \(Int32.max)")
    }
    return count
  }

  func string(_ written: JSONValue) throws(CellError) -> ByteString? {
    guard let value = try resolve(written) else { return nil }
    guard let string = value.string else { throw wrongType(value, "a string") }
    return string
  }

  /// Reads the tag of a language.
  func language(_ written: JSONValue) throws(CellError) -> LanguageTag? {
    guard let name = try string(written) else { return nil }
    guard let tag = LanguageTag(name) else {
      throw CellError(
        "is \"\(name.excerpt)\", but must be the tag of a language, such as ja or zh-Hant")
    }
    return tag
  }

  func choice<Choice: NamedChoice>(_ written: JSONValue, _ type: Choice.Type) throws(CellError) -> Choice? {
    guard let name = try string(written) else { return nil }
    if let choice = Choice.named(name) { return choice }
    throw unknownChoice(name.string, Choice.names)
  }

  func choice<Value>(_ written: JSONValue, _ choices: [(String, Value)]) throws(CellError) -> Value? {
    guard let name = try string(written)?.string else { return nil }
    if let choice = choices.first(where: { $0.0 == name }) { return choice.1 }
    throw unknownChoice(name, choices.map(\.0))
  }

  /// Reads points, `"40%"`, `"12pt"`, `"min(240, 80%)"` or `"auto"`.
  ///
  /// - Parameter infinite: whether the dimension may be `"inf"`.
  func dimension(
    _ written: JSONValue, maxFraction: Double = 1, infinite: Bool = false
  ) throws(CellError) -> Dimension? {
    guard let value = try resolve(written) else { return nil }
    if let points = value.number {
      if infinite && points == .infinity { return .points(points) }
      guard points >= 0 && points < pointLimit else {
        throw CellError("is \(points), but a dimension is from 0 to less than \(Int(pointLimit)) points")
      }
      return .points(points)
    }
    guard let text = value.string else { throw wrongType(value, "a number of points, \"40%\" or \"auto\"") }
    if text == ByteString("auto") { return .auto }
    if infinite && Infinity.isName(text) { return .points(.infinity) }
    let dimension = Dimension(text.string)
    guard dimension.isIn(points: 9_999_999, fraction: maxFraction) else {
      let percent = maxFraction == 1 ? "\"0%\" to \"100%\"" : "a percentage such as \"150%\""
      throw CellError(
        "is \"\(text.excerpt)\", but a dimension is a number of points, \(percent), "
          + "\"min(240, 80%)\", \"max(240, 80%)\"\(infinite ? ", \"inf\"" : "") or \"auto\""
          + arithmeticHint(text.string))
    }
    return dimension
  }

  /// Reads two values in an array. Returns nil if an optional binding is absent.
  func pair<Part>(
    _ written: JSONValue, _ what: String, _ read: (JSONValue) throws(CellError) -> Part?
  ) throws(CellError) -> (Part, Part)? {
    guard let value = try resolve(written) else { return nil }
    guard value.kind == .array else { throw wrongType(value, what) }
    guard value.elementCount == 2, let first = value.element(0), let second = value.element(1) else {
      throw CellError("has \(value.elementCount) values, but must be \(what)")
    }
    let a = try within("0") { () throws(CellError) in try read(first) }
    let b = try within("1") { () throws(CellError) in try read(second) }
    guard let a, let b else { return nil }
    return (a, b)
  }

  func size(_ written: JSONValue) throws(CellError) -> Size? {
    try pair(written, "a size [width, height]", length).map { Size($0.0, $0.1) }
  }

  func point(_ written: JSONValue) throws(CellError) -> Point? {
    try pair(written, "a point [x, y]") { (part) throws(CellError) in try number(part) }.map { Point($0.0, $0.1) }
  }

  func dimensions(
    _ written: JSONValue, maxFraction: Double = 1, infinite: Bool = false
  ) throws(CellError) -> (Dimension, Dimension)? {
    try pair(written, "two dimensions [width, height]") { (part) throws(CellError) in
      try dimension(part, maxFraction: maxFraction, infinite: infinite)
    }
  }

  /// Reads {top, left, bottom, right}, of which each is 0 if it is not given; an array of the four numbers in this
  /// order; or one number for all edges.
  func insets(_ written: JSONValue) throws(CellError) -> EdgeInsets? {
    guard let value = try resolve(written) else { return nil }
    if value.kind == .array { return try insets(inOrder: value) }
    guard value.isObject else { return try number(value, infinite: true).map { EdgeInsets($0) } }
    var insets = EdgeInsets()
    try forEachMember(of: value) { (key, edge) throws(CellError) in
      let length = try number(edge, infinite: true) ?? 0
      switch key {
      case ByteString("top"): insets.top = length
      case ByteString("left"): insets.left = length
      case ByteString("bottom"): insets.bottom = length
      case ByteString("right"): insets.right = length
      default:
        throw CellError(
          "is not an edge" + didYouMean(key.string, among: ["top", "left", "bottom", "right"])
            + "; insets have top, left, bottom and right")
      }
    }
    return insets
  }

  private func insets(inOrder value: JSONValue) throws(CellError) -> EdgeInsets {
    guard value.elementCount == 4 else {
      throw CellError("has \(value.elementCount) numbers, but must be [top, left, bottom, right]")
    }
    func edge(_ position: Int) throws(CellError) -> Double {
      try within("\(position)") { () throws(CellError) in
        try value.element(position).flatMap { (edge) throws(CellError) in try number(edge, infinite: true) } ?? 0
      }
    }
    return EdgeInsets(top: try edge(0), left: try edge(1), bottom: try edge(2), right: try edge(3))
  }

  /// Reads a ratio of height to width, or a size [width, height] with that ratio.
  func ratio(_ written: JSONValue) throws(CellError) -> Double? {
    guard let value = try resolve(written) else { return nil }
    let ratio: Double
    if value.kind == .array {
      guard let size = try size(value) else { return nil }
      guard size.width > 0 && size.height > 0 else {
        throw CellError("is [\(size.width), \(size.height)], but a ratio is of sizes of more than 0")
      }
      ratio = size.height / size.width
    } else {
      let forms = "a number (height over width) or a size [width, height]"
      guard value.number != nil else { throw wrongType(value, forms) }
      guard let number = try number(value) else { return nil }
      ratio = number
    }
    guard ratio > 0 && ratio.isFinite else {
      throw CellError("is \(ratio), but a ratio (height over width) is more than 0")
    }
    return ratio
  }

  /// Reads a size range of 1.x: {min: [d, d], max: [d, d]}, of which one may be left out, or one [d, d]. Percentages
  /// may exceed 100. Without `min` the smallest size is 0 by 0, and without `max` the largest is unbounded, like
  /// `CGFLOAT_MIN` and `CGFLOAT_MAX` in AsyncDisplayKit.
  func relativeSizeRange(_ written: JSONValue) throws(CellError) -> RelativeSizeRange? {
    guard let value = try resolve(written) else { return nil }
    guard value.isObject else {
      return try dimensions(value, maxFraction: .infinity).map { RelativeSizeRange(width: $0.0, height: $0.1) }
    }
    var low: (Dimension, Dimension)? = (.points(0), .points(0))
    var high: (Dimension, Dimension)? = (.points(.infinity), .points(.infinity))
    var sides = 0
    try forEachMember(of: value) { (key, side) throws(CellError) in
      sides += 1
      switch key {
      case ByteString("min"): low = try dimensions(side, maxFraction: .infinity)
      case ByteString("max"): high = try dimensions(side, maxFraction: .infinity, infinite: true)
      default:
        throw CellError(
          "is not a part of a size range\(didYouMean(key.string, among: ["min", "max"])); it has min and max")
      }
    }
    guard sides > 0 else { throw CellError("needs min, max or both, or is one [width, height]") }
    guard let low, let high else { return nil }
    return RelativeSizeRange(minWidth: low.0, minHeight: low.1, maxWidth: high.0, maxHeight: high.1)
  }
}

/// The names of an infinite length. A number such as YAML's `.inf` is one, too.
public enum Infinity {
  public static let names = ["inf", "infinity", "Infinity", "INFINITY", ".inf", "CGFLOAT_MAX"]
  private static let bytes = names.map { ByteString(keeping: $0) }

  static func isName(_ text: ByteString) -> Bool { bytes.contains(text) }
}

/// Sets a property to a value, or leaves it unchanged if the value is nil.
func assign<Value>(_ property: inout Value, _ value: Value?) {
  if let value { property = value }
}
