/// A platform whose text engine and rounding a layout follows.
public enum Platform: UInt8, BitwiseCopyable, Sendable, NamedValue {
  /// Texture's rounding to device pixels, and Chromium's lines: the default.
  case texture
  /// Chromium.
  case web
  /// WebKit, which every browser on iPhones uses.
  case webkit
  /// Firefox.
  case firefox
  /// A TextView of Android.
  case android
  /// A Text of React Native on Android.
  case reactNative
  /// A Text of Flutter.
  case flutter
  /// A Text of Jetpack Compose.
  case compose

  /// The number of parts of a point to which positions and sizes are rounded, or nil where these are device pixels. Browsers
  /// count in 1/64 pixel of CSS (`LayoutUnit`); Flutter does not round.
  public var gridScale: Double? {
    switch self {
    case .texture, .android, .reactNative, .compose: nil
    case .web, .webkit, .firefox: 64
    // Finer than the 32-bit numbers of its engine for texts wider than 8 points, and coarser than `PixelGrid.epsilon`.
    case .flutter: 0x1p20
    }
  }

  /// The length in points by which a line of a wrapping stack may exceed the maximum. Where a stack is measured again in its own
  /// natural width, rounding can have made that smaller than its line is. Texture has no such length, so that the last child of the line
  /// begins another line there.
  public var lineTolerance: Double { self == .texture ? 0 : violationEpsilon }

  /// Whether the text engine is that of Android. Lengths of texts are whole device pixels there, so that a layout needs the scale
  /// of the device.
  @inlinable
  public var isAndroid: Bool { self == .android || self == .reactNative || self == .compose }

  /// The name in options, directories and tables.
  public var name: String { "\(self)" }
}
