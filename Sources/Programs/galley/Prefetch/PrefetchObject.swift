import Buffers
import CellTemplates

/// Functions that read the JSON object of a line of queries or of a scroll. Their errors are phrases that name the key and the way
/// out.
enum PrefetchObject {
  /// Calls a function for each key and value.
  ///
  /// - Parameter example: An object, for errors.
  @inline(__always)
  static func forEachMember(
    of line: ByteString, _ parser: JSONParser, example: String,
    _ body: (ByteString, JSONValue) throws(CellError) -> Void
  ) throws(CellError) {
    let root: JSONValue
    do throws(CellError) {
      root = try parser.parse(line)
    } catch {
      throw infiniteNumber(in: line) ?? CellError("\(error.message); write an object such as \(example)")
    }
    guard root.isObject else { throw CellError("is no JSON object; write one such as \(example)") }
    try root.forEachMember(body)
  }

  /// Returns the number of a member.
  ///
  /// - Parameter unit: The unit, for the error, such as `points`.
  static func number(_ value: JSONValue, _ key: String, _ unit: String) throws(CellError) -> Double {
    if let number = value.number { return number }
    // The parser returns the digits of a number that 64 bits cannot hold.
    guard let digits = value.string?.string, RepairedJSON.isTooLarge(digits), let number = Double(digits) else {
      throw CellError("\(key) must be a number of \(unit), such as 844")
    }
    guard number.isFinite else { throw infinite(key, digits) }
    return number
  }

  /// Returns the number of points of a member.
  static func points(_ value: JSONValue, _ key: String) throws(CellError) -> Double {
    let points = try number(value, key, "points")
    guard abs(points) <= PrefetchLimits.points else {
      throw CellError("\(key) is \(points), which no list reaches; write a number of points, such as 844")
    }
    return points
  }

  static func unknown(_ key: ByteString, _ object: String, _ keys: [String]) -> CellError {
    CellError(
      "\"\(key.string)\" is not a key of \(object)\(didYouMean(key.string, among: keys)); its keys are "
        + keys.joined(separator: ", "))
  }

  /// Returns the error of a line that is not JSON because a number is not finite, or nil if it has another reason.
  private static func infiniteNumber(in line: ByteString) -> CellError? {
    for member in line.string.matches(of: /"([^"]*)"\s*:\s*([-+.0-9A-Za-z]+)/) {
      guard let number = Double(String(member.2)), !number.isFinite else { continue }
      return infinite(member.1, member.2)
    }
    return nil
  }

  private static func infinite(_ key: some StringProtocol, _ number: some StringProtocol) -> CellError {
    CellError("\(key) is \(number), which is no number in JSON; write a finite number")
  }
}

/// Matches a key of an object.
func ~= (name: StaticString, key: ByteString) -> Bool { key == ByteString(name) }
