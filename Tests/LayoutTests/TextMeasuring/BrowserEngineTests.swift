import Foundation
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import TextMeasuring

/// The numbers of lines of texts compared to those of three browsers with the same font files (text-rules 21 and 22).
@Suite struct BrowserEngineTests {
  /// The fixture has every third text of those that were measured in the browsers: posts, products, texts in many scripts, and
  /// random mixtures.
  @Test(arguments: [(Platform.web, 0.9998), (.webkit, 0.9995), (.firefox, 0.998)])
  func lineCountsAreThoseOfTheBrowser(platform: Platform, share: Double) throws {
    let lines = try Fixtures.lines("browser-engines.jsonl")
    let header = try JSONDecoder().decode(EngineHeader.self, from: lines[0])
    let texts = BrowserTexts(try ChromiumFonts().book)
    var (compared, equal) = (0, 0)
    for line in lines.dropFirst() {
      let text = try JSONDecoder().decode(EngineText.self, from: line)
      let found = texts.lineCounts(of: text.text, platform, widths: header.widths)
      let expected = text.lines(platform)
      compared += expected.count
      for index in expected.indices where expected[index] == found[index] { equal += 1 }
    }
    print(platform, equal, "of", compared)
    #expect(compared == 497 * 41)
    #expect(Double(equal) >= share * Double(compared))
  }
}

/// The first line of the fixture.
private struct EngineHeader: Decodable {
  let widths: [Double]
}

/// A text with its numbers of lines, which are those of Chromium where another browser's are missing.
private struct EngineText: Decodable {
  let text: String
  let chromium: [Int]
  let webkit: [Int]?
  let firefox: [Int]?

  func lines(_ platform: Platform) -> [Int] {
    switch platform {
    case .webkit: webkit ?? chromium
    case .firefox: firefox ?? chromium
    default: chromium
    }
  }
}
