/// A platform whose text engine and rounding a layout follows.
public enum Platform: UInt8, BitwiseCopyable, Sendable, CaseIterable {
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

  /// The name in options, directories and tables.
  public var name: String {
    switch self {
    case .texture: "texture"
    case .web: "web"
    case .webkit: "webkit"
    case .firefox: "firefox"
    case .android: "android"
    case .reactNative: "reactNative"
    case .flutter: "flutter"
    }
  }
}
