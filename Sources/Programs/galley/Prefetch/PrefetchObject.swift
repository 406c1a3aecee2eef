import Buffers
import CellTemplates

/// An error in a line of queries or of a scroll, as a phrase that names the key and the way out.
struct PrefetchLineError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Functions that read the JSON object of a line.
enum PrefetchObject {
  /// Calls a function for each key and value.
  ///
  /// - Parameter example: An object, for errors.
  @inline(__always)
  static func forEachMember(
    of line: ByteString, _ parser: JSONParser, example: String,
    _ body: (ByteString, JSONValue) throws(PrefetchLineError) -> Void
  ) throws(PrefetchLineError) {
    let root: JSONValue
    do throws(CellError) {
      root = try parser.parse(line)
    } catch {
      throw infiniteNumber(in: line) ?? PrefetchLineError("\(error.message); write an object such as \(example)")
    }
    guard root.isObject else { throw PrefetchLineError("is no JSON object; write one such as \(example)") }
    try root.forEachMember(body)
  }

  /// Returns the number of a member.
  ///
  /// - Parameter unit: The unit, for the error, such as `points`.
  static func number(_ value: JSONValue, _ key: String, _ unit: String) throws(PrefetchLineError) -> Double {
    if let number = value.number { return number }
    // The parser returns the digits of a number that 64 bits cannot hold.
    guard let digits = value.string?.string, RepairedJSON.isTooLarge(digits), let number = Double(digits) else {
      throw PrefetchLineError("\(key) must be a number of \(unit), such as 844")
    }
    guard number.isFinite else { throw infinite(key, digits) }
    return number
  }

  /// Returns the number of points of a member.
  static func points(_ value: JSONValue, _ key: String) throws(PrefetchLineError) -> Double {
    let points = try number(value, key, "points")
    guard abs(points) <= PrefetchLimits.points else {
      throw PrefetchLineError("\(key) is \(points), which no list reaches; write a number of points, such as 844")
    }
    return points
  }

  static func unknown(_ key: ByteString, _ object: String, _ keys: [String]) -> PrefetchLineError {
    PrefetchLineError(
      "\"\(key.string)\" is not a key of \(object)\(didYouMean(key.string, among: keys)); its keys are "
        + keys.joined(separator: ", "))
  }

  /// Returns the error of a line that is not JSON because a number is not finite, or nil if it has another reason.
  private static func infiniteNumber(in line: ByteString) -> PrefetchLineError? {
    for member in line.string.matches(of: /"([^"]*)"\s*:\s*([-+.0-9A-Za-z]+)/) {
      guard let number = Double(String(member.2)), !number.isFinite else { continue }
      return infinite(member.1, member.2)
    }
    return nil
  }

  private static func infinite(_ key: some StringProtocol, _ number: some StringProtocol) -> PrefetchLineError {
    PrefetchLineError("\(key) is \(number), which is no number in JSON; write a finite number")
  }
}

/// Matches a key of an object.
func ~= (name: StaticString, key: ByteString) -> Bool { key == ByteString(name) }
