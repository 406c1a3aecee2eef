import Foundation
import GalleyTestSupport
import LayoutEngine
import Testing

/// The cases of Texture's ASAsciiArtBoxCreator.
@Suite struct AsciiArtTests {
  private struct Example: Decodable {
    let direction: String
    let parent: String
    let children: [String]
    let expect: String
  }

  private struct Examples: Decodable {
    let examples: [Example]
  }

  @Test func boxesAreDrawnAsTextureDrawsThem() throws {
    let data = try Data(contentsOf: Fixtures.url("ascii-art.json"))
    let examples = try JSONDecoder().decode(Examples.self, from: data).examples
    #expect(examples.count == 7)
    for example in examples {
      let box =
        example.direction == "vertical"
        ? AsciiArt.verticalBox(example.children, name: example.parent)
        : AsciiArt.horizontalBox(example.children, name: example.parent)
      #expect(box == example.expect)
    }
  }

  /// printf rounds the number itself, which is no tie where its product with 10 is rounded to one.
  @Test func numbersAreRoundedAsByPrintf() {
    let numbers = [0.15, 0.25, 0.35, 0.45, 0.65, 0.75, 0.95, 1.15, 2, 1.0 / 3]
    #expect(numbers.map(AsciiArt.oneDecimal) == numbers.map { String(format: "%.1f", $0) })
  }
}
