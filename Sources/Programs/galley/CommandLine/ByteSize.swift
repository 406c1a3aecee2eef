import ArgumentParser

/// A number of bytes, such as `20GiB`, `512MiB` or `1000000`.
struct ByteSize: ExpressibleByArgument {
  private static let units = ["KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40]

  let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  var defaultValueDescription: String { Self.text(UInt64(bytes)).replacing(" ", with: "") }

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber }
    let unit = String(argument.dropFirst(digits.count))
    guard let number = Int(digits), number > 0, let shift = unit.isEmpty ? 0 : Self.units[unit] else { return nil }
    let (bytes, overflows) = number.multipliedReportingOverflow(by: 1 << shift)
    guard !overflows else { return nil }
    self.bytes = bytes
  }

  /// Returns a text for people, such as `1.5 MiB`.
  static func text(_ bytes: UInt64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)] as [(String, UInt64)]
    guard let (unit, shift) = units.first(where: { bytes >> $0.1 > 0 }) else { return "\(bytes) B" }
    let tenths = ((bytes >> (shift - 10)) * 10) >> 10
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }
}
