import ArgumentParser

/// A number of seconds, such as `90s`, `30m`, `12h`, `7d` or `90`.
struct TimeSpan: ExpressibleByArgument {
  private static let units: [String: UInt64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
  private static let longest: UInt64 = 3650 * 86_400

  let seconds: UInt64

  init(seconds: UInt64) { self.seconds = seconds }

  var defaultValueDescription: String { Self.text(seconds).replacing(" ", with: "") }

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber }
    let unit = String(argument.dropFirst(digits.count))
    guard let number = UInt64(digits), let factor = unit.isEmpty ? 1 : Self.units[unit] else { return nil }
    let (seconds, overflows) = number.multipliedReportingOverflow(by: factor)
    guard !overflows, seconds > 0, seconds <= Self.longest else { return nil }
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
