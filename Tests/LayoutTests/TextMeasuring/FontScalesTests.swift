import LayoutEngine
import Testing

@testable import TextMeasuring

/// Tests of the styles that fonts have in variants.
@Suite struct FontScalesTests {
  /// Returns the style of a font in a variant, or nil if it is multiplied by the text scale.
  private func style(
    _ variant: Variant, _ scaling: FontScaling? = nil, sizes: [TextSize: Double]? = nil, size: Double = 14
  ) -> TextStyle? {
    var font = FontScales.Font()
    font.scaling = scaling
    font.sizes = sizes.map { FontSizes($0, plain: size) }
    var scales = FontScales()
    var style = TextStyle(face: 0, size: size, lineHeight: 20, letterSpacing: 0.5)
    style.scaling = scales.add(font)
    return scales.scaling(in: variant).map { scales.style(style, $0) }
  }

  private func variant(_ platform: Platform, _ textScale: Double = 1.5, _ textSize: TextSize? = nil) -> Variant {
    Variant(width: 390, textScale: textScale, platform: platform, textSize: textSize)
  }

  @Test func fontsAreMultipliedByTheTextScaleUnlessThePlatformOrTheFontStatesMore() {
    for platform in [Platform.texture, .flutter] {
      #expect(style(variant(platform)) == nil, "\(platform.name)")
      #expect(style(variant(platform), .linear) == nil, "\(platform.name)")
      #expect(style(variant(platform), .android) != nil, "\(platform.name)")
    }
    for scale in [0.9, 1, 1.02, 2.5] {
      #expect(style(variant(.android, scale)) == nil)
      #expect(style(variant(.texture, scale), .android) == nil)
    }
  }

  @Test func aLineHeightOnAndroidGrowsByTheFactorOfItsFont() {
    #expect(
      style(variant(.android))
        == TextStyle(face: 0, size: 22, lineHeight: 20 * (22 / 14), letterSpacing: 0.5 * (22 / 14)))
  }

  @Test func aLineHeightOnReactNativeIsALengthOfItsOwn() {
    #expect(style(variant(.reactNative)) == TextStyle(face: 0, size: 22, lineHeight: 26, letterSpacing: 0.75))
  }

  @Test func inComposeALineHeightIsAMultipleOfTheSizeAndLetterSpacingALengthOfItsOwn() {
    #expect(
      style(variant(.compose)) == TextStyle(face: 0, size: 22, lineHeight: 20 * (22 / 14), letterSpacing: 0.75))
  }

  @Test func aLineHeightOnFlutterStaysAMultipleOfTheSize() {
    #expect(
      style(variant(.flutter), .android) == TextStyle(face: 0, size: 22, lineHeight: 20 * (22 / 14), letterSpacing: 0.5)
    )
  }

  @Test func aLineHeightElsewhereIsMultipliedByTheTextScale() {
    #expect(style(variant(.texture), .android) == TextStyle(face: 0, size: 22, lineHeight: 30, letterSpacing: 0.5))
  }

  @Test func aFontInABrowserIsSetAtTheScaledSizeAndItsLineHeightRoundedThere() {
    #expect(
      style(variant(.web, 1.2)) == TextStyle(face: 0, size: 14 * 1.2, lineHeight: 24, letterSpacing: 0.5))
    #expect(style(variant(.web, 1.015))?.lineHeight == 1299.0 / 64)
    #expect(style(variant(.web, 1)) == nil)
    for platform in [Platform.webkit, .firefox] {
      #expect(style(variant(platform, 1.015))?.lineHeight == 20 * 1.015)
      #expect(style(variant(platform, 1)) == nil)
    }
  }

  @Test func chromiumCutsASizeToHundredthsAndOutlinesTo64ths() {
    // 16.47 is less than that as a 32-bit number.
    for (size, outlines, bitmaps) in [(15.5, 15.5, 15.5), (14.4, 14.390625, 14.4), (16.47, 16.453125, 16.46)] {
      #expect(BrowserFontSize.size(size, in: .chromium) == outlines)
      #expect(Float(BrowserFontSize.size(size, in: .chromium, hasBitmaps: true)) == Float(bitmaps))
    }
  }

  @Test func webKitCutsOutlinesTo64thsAndBitmapsNot() {
    #expect(BrowserFontSize.size(15.47, in: .webKit) == 15.46875)
    #expect(BrowserFontSize.size(15.47, in: .webKit, hasBitmaps: true) == 15.47)
  }

  @Test func aFontWithoutScalingStaysAsItIs() {
    for platform in Platform.allCases {
      #expect(
        style(variant(platform), FontScaling.none) == TextStyle(face: 0, size: 14, lineHeight: 20, letterSpacing: 0.5))
      #expect(style(variant(platform, 3), FontScaling.none)?.size == 14)
    }
  }

  @Test func aLinearFontOnAndroidIsMultipliedByTheTextScale() {
    #expect(
      style(variant(.android), .linear) == TextStyle(face: 0, size: 21, lineHeight: 30, letterSpacing: 0.75))
  }

  @Test func aNormalLineHeightStaysNormal() {
    var scales = FontScales()
    var font = FontScales.Font()
    font.sizes = FontSizes([.extraLarge: 20], plain: 14)
    var plain = TextStyle(face: 0, size: 14)
    plain.scaling = scales.add(font)
    for platform in Platform.allCases {
      let scaling = scales.scaling(in: variant(platform, 1.3, .extraLarge))
      #expect(scaling.map { scales.style(plain, $0).lineHeight.isNaN } == true, "\(platform.name)")
    }
  }

  @Test func aTextSizeChoosesTheSizeAndTheLineHeightGrowsWithIt() {
    let sizes: [TextSize: Double] = [.large: 17, .accessibility1: 28]
    #expect(
      style(variant(.texture, 1, .accessibility1), sizes: sizes)
        == TextStyle(face: 0, size: 28, lineHeight: 40, letterSpacing: 0.5))
    #expect(style(variant(.texture, 1, .accessibility1)) == nil)
    #expect(style(variant(.texture, 1, nil), sizes: sizes) == nil)
    #expect(style(variant(.texture, 1.5, .large), sizes: sizes)?.size == 25.5)
  }

  @Test func aMissingTextSizeHasTheSizeOfTheNearestSmallerOne() {
    let sizes = FontSizes([.small: 13, .extraExtraLarge: 21], plain: 15)
    let expected: [TextSize: Double] = [
      .extraSmall: 13, .small: 13, .medium: 13, .large: 15, .extraLarge: 15, .extraExtraLarge: 21,
      .extraExtraExtraLarge: 21, .accessibility1: 21, .accessibility2: 21, .accessibility3: 21, .accessibility4: 21,
      .accessibility5: 21,
    ]
    for size in TextSize.allCases { #expect(sizes[size] == expected[size], "\(size.name)") }
    #expect(FontSizes([.large: 17], plain: 15)[.extraSmall] == 17)
  }

  @Test func aTextSizeHasTheNameByWhichItIsFound() {
    for size in TextSize.allCases { #expect(TextSize(name: size.name) == size) }
    #expect(TextSize(name: "XL") == nil && TextSize(name: "") == nil)
  }
}
