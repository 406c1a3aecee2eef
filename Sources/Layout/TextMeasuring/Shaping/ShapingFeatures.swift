import CHarfBuzz

/// The features of a font that differ from HarfBuzz's defaults.
enum ShapingFeatures {
  case standard
  /// Without ligatures and contextual alternates, which letter spacing excludes in browsers.
  case withoutLigatures
  case withoutKerning
  case withoutLigaturesAndKerning
  /// With the spacing of CJK punctuation by its context, which Android uses.
  case contextualSpacing
  case contextualSpacingWithoutLigatures
  /// Without the standard ligatures, which letter spacing excludes in Flutter.
  case withoutStandardLigatures

  /// The most features of a case.
  static let limit = 4

  /// Creates the features of a browser.
  ///
  /// - Parameter ligatures: whether there are ligatures and contextual alternates.
  init(ligatures: Bool, kerning: Bool) {
    if kerning {
      self = ligatures ? .standard : .withoutLigatures
    } else {
      self = ligatures ? .withoutKerning : .withoutLigaturesAndKerning
    }
  }

  /// Writes the features and returns their number.
  func write(to list: UnsafeMutableBufferPointer<hb_feature_t>) -> Int {
    var count = 0
    func set(_ tag: hb_tag_t, _ value: UInt32) {
      list[count] = hb_feature_t(tag: tag, value: value, start: 0, end: UInt32.max)
      count += 1
    }
    switch self {
    case .standard: break
    case .withoutKerning: set(Self.kerning, 0)
    case .withoutLigatures, .withoutLigaturesAndKerning:
      set(Self.standardLigatures, 0)
      set(Self.contextualLigatures, 0)
      set(Self.contextualAlternates, 0)
      if self == .withoutLigaturesAndKerning { set(Self.kerning, 0) }
    case .contextualSpacing: set(Self.contextualHalfWidth, 1)
    case .contextualSpacingWithoutLigatures:
      set(Self.standardLigatures, 0)
      set(Self.contextualLigatures, 0)
      set(Self.contextualHalfWidth, 1)
    case .withoutStandardLigatures: set(Self.standardLigatures, 0)
    }
    return count
  }

  /// `liga`
  private static let standardLigatures: hb_tag_t = 0x6c69_6761
  /// `clig`
  private static let contextualLigatures: hb_tag_t = 0x636c_6967
  /// `calt`
  private static let contextualAlternates: hb_tag_t = 0x6361_6c74
  /// `kern`
  private static let kerning: hb_tag_t = 0x6b65_726e
  /// `chws`
  private static let contextualHalfWidth: hb_tag_t = 0x6368_7773
}
