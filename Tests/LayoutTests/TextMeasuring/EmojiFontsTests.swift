import LayoutEngine
import Testing

@testable import TextMeasuring

/// The font of emoji (text-rules 17), as it was measured in Chromium and WebKit with five orders of fallback fonts.
@Suite struct EmojiFontsTests {
  private static let emoji = "NotoColorEmoji.ttf"
  private static let symbols = "NotoSansSymbols2-Regular.ttf"

  private func texts(_ fallback: [String]) throws -> BrowserTexts {
    try BrowserTexts(files: ["Inter-Regular.otf"] + fallback)
  }

  /// Widths at 15 points: 18.72 is that of a glyph with colors.
  @Test(arguments: [
    "⚡": [18.72, 9.77, 18.72], "👍": [18.72, 15.02, 18.72], "⚡\u{fe0f}": [18.72, 18.72, 18.72],
    "👍🏽": [18.72, 18.72, 18.72], "🎉": [18.72, 18.72, 18.72], "☀": [16.02, 16.02, 16.02], "☝": [12.02, 12.02, 18.72],
  ])
  func anEmojiHasTheFirstFontWithItsCharactersInChromium(text: String, widths: [Double]) throws {
    let texts = try texts([Self.symbols, Self.emoji])
    for (platform, width) in zip([Platform.texture, .web, .webkit], widths) {
      #expect((texts.width(of: text, platform) - width).magnitude < 0.03, "\(platform.name)")
    }
  }

  @Test func aTextSelectorAvoidsTheFontWithColors() throws {
    let texts = try texts([Self.emoji, Self.symbols])
    #expect((texts.width(of: "⚡\u{fe0e}", .texture) - 18.72).magnitude < 0.03)
    for platform in [Platform.web, .webkit, .firefox] {
      #expect((texts.width(of: "⚡\u{fe0e}", platform) - 9.77).magnitude < 0.03, "\(platform.name)")
    }
  }

  @Test func textsAreSharedUnlessAnEmojiHasAnotherFont() throws {
    let plainFirst = try texts([Self.symbols, Self.emoji])
    let emojiFirst = try texts([Self.emoji, Self.symbols])
    for platform in [Platform.texture, .web] {
      _ = plainFirst.width(of: "Lightning ⚡", platform)
      #expect(plainFirst.dependsOnEmojiFonts)
      _ = plainFirst.width(of: "Party 🎉", platform)
      #expect(!plainFirst.dependsOnEmojiFonts)
      _ = emojiFirst.width(of: "Lightning ⚡", platform)
      #expect(!emojiFirst.dependsOnEmojiFonts)
    }
    #expect(Platform.texture.sharesTexts(with: .web, dependingOnEmojiFonts: false))
    #expect(!Platform.texture.sharesTexts(with: .web, dependingOnEmojiFonts: true))
    #expect(!Platform.web.sharesTexts(with: .webkit, dependingOnEmojiFonts: false))
  }
}
