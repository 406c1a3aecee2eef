/// A size of texts that a person chooses in the settings of iOS. iOS: `UIContentSizeCategory`. The order is from the
/// smallest to the largest.
public enum TextSize: UInt8, BitwiseCopyable, Sendable, NamedValue {
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

  /// The name in cells files, options, directories and tables.
  public var name: String { Self.names[Int(rawValue)] }

  private static let names = ["XS", "S", "M", "L", "xL", "xxL", "xxxL", "AX1", "AX2", "AX3", "AX4", "AX5"]
}
