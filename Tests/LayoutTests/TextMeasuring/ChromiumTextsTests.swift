import LayoutEngine
import Testing

@testable import TextMeasuring

/// Short texts in Inter 15, as Chromium 156 lays them out.
@Suite struct ChromiumTextsTests {
  @Test(arguments: [
    // Hangul has no contextual alternates, which make an arrow.
    ("한국 => b", 65.13), ("b => c", 40.45),
  ])
  func widthsAreThoseOfChromium(text: String, width: Double) throws {
    #expect((BrowserTexts(try ChromiumFonts().book).width(of: text, .web) - width).magnitude < 0.03)
  }
}
