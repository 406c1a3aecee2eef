/// A size of texts that a person chooses in the settings of iOS. iOS: `UIContentSizeCategory`. The order is from the
/// smallest to the largest.
public enum TextSize: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case extraSmall
  case small
  case medium
  /// The size that iOS has before a person changes it.
  case large
  case extraLarge
  case extraExtraLarge
  case extraExtraExtraLarge
  case accessibility1
  case accessibility2
  case accessibility3
  case accessibility4
  case accessibility5

  /// The number of sizes.
  public static let count = 12

  /// The size with a name, or nil if there is none.
  public init?(name: some StringProtocol) {
    guard let size = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = size
  }

  /// The name in cells files, options, directories and tables.
  public var name: String {
    switch self {
    case .extraSmall: "XS"
    case .small: "S"
    case .medium: "M"
    case .large: "L"
    case .extraLarge: "xL"
    case .extraExtraLarge: "xxL"
    case .extraExtraExtraLarge: "xxxL"
    case .accessibility1: "AX1"
    case .accessibility2: "AX2"
    case .accessibility3: "AX3"
    case .accessibility4: "AX4"
    case .accessibility5: "AX5"
    }
  }
}
