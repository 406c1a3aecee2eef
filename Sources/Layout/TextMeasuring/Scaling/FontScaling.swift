import LayoutEngine

/// The way in which the size of a font grows with the text scale of a variant.
public enum FontScaling: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The size grows as on Android 14: small sizes grow more than large ones.
  case android
  /// The size is multiplied by the text scale.
  case linear
  /// The size stays as it is.
  case none

  /// Returns the size, or another length that Android states in sp, at a text scale.
  func size(of size: Double, at textScale: Double) -> Double {
    switch self {
    case .android: AndroidFontScale.size(of: size, at: textScale)
    case .linear: size * textScale
    case .none: size
    }
  }
}

extension Platform {
  /// The scaling of a font that states none.
  var fontScaling: FontScaling { isAndroid ? .android : .linear }
}
