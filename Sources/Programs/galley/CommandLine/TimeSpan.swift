import ArgumentParser

/// A number of seconds, such as `90s`, `30m`, `12h` or `7d`. A number without a unit is refused, because people differ in what they
/// mean by it, and results are removed after such a time.
struct TimeSpan {
  private static let units: [String: UInt64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
  private static let longest: UInt64 = 3650 * 86_400

  let seconds: UInt64

  init(seconds: UInt64) { self.seconds = seconds }

  /// Reads the value of an option.
  ///
  /// - Throws: `ValidationError`.
  init(argument: String) throws {
    let digits = argument.prefix { $0.isNumber }
    guard let number = UInt64(digits), let factor = Self.units[String(argument.dropFirst(digits.count))],
      case let (seconds, overflows) = number.multipliedReportingOverflow(by: factor), !overflows, seconds > 0,
      seconds <= Self.longest
    else { throw ValidationError("write a time with its unit, such as 90s, 30m, 12h or 7d, and at most 3650d") }
    self.seconds = seconds
  }

  /// Returns a text for people with one unit, such as `12 h`.
  static func text(_ seconds: UInt64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}
