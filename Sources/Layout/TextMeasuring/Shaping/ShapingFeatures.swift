import CHarfBuzz

/// The features of a font that differ from HarfBuzz's defaults.
struct ShapingFeatures: OptionSet {
  let rawValue: UInt8

  static let withoutStandardLigatures = Self(rawValue: 1)
  static let withoutContextualLigatures = Self(rawValue: 2)
  static let withoutContextualAlternates = Self(rawValue: 4)
  static let withoutKerning = Self(rawValue: 8)
  /// The spacing of CJK punctuation by its context, which Android uses.
  static let contextualSpacing = Self(rawValue: 16)

  /// The tags of the features by their bits: `liga`, `clig`, `calt`, `kern`, `chws`.
  private static let tags: InlineArray<5, hb_tag_t> = [
    0x6c69_6761, 0x636c_6967, 0x6361_6c74, 0x6b65_726e, 0x6368_7773,
  ]

  /// The most features.
  static let limit = 5

  /// Returns the features with which a browser shapes texts in a context.
  static func ofBrowser(_ context: ShapingContext) -> ShapingFeatures {
    var features: ShapingFeatures =
      context.ligatures ? [] : [.withoutStandardLigatures, .withoutContextualLigatures, .withoutContextualAlternates]
    if !context.kerns { features.insert(.withoutKerning) }
    return features
  }

  /// Writes the features and returns their number.
  func write(to list: UnsafeMutableBufferPointer<hb_feature_t>) -> Int {
    var count = 0
    for bit in Self.tags.indices where contains(Self(rawValue: 1 << UInt8(bit))) {
      let value: UInt32 = Self(rawValue: 1 << UInt8(bit)) == .contextualSpacing ? 1 : 0
      list[count] = hb_feature_t(tag: Self.tags[bit], value: value, start: 0, end: UInt32.max)
      count += 1
    }
    return count
  }
}
