import CellsFiles
import Foundation
import GalleyTestSupport
import Testing

/// Tests that damaged cells files are errors with a position and never cause a crash.
@Suite struct HostileCellsFileTests {
  private static let text = """
    version: 1
    fonts:
      body: {family: Roboto, size: 15, lineHeight: 20}
    fallback: []
    cells:
      A:
        layout: &a
          type: stack
          direction: vertical
          children:
            - {type: text, id: t, text: "{title} by {author?}", font: body, style: {flexShrink: 1, maxWidth: 50%}}
            - type: inset
              insets: {top: 1, left: 2}
              child: {type: image, imageSize: [10, 20], when: photo}
      B: {layout: {type: ratio, ratio: 0.5, child: {type: networkImage, url: "{url}"}}}
    """

  @Test func hostileCellsFilesAreErrorsWithAPosition() {
    let words = [
      "*a", "&a", "<<: *a", "!!binary ", "|", ">", "---\n", "- ", ": ", "{", "}", "[", "]", "'", "\"", "%", "@", "\t",
      "? ",
      "{x.y[0]}", "forEach: items", "type: text", "\u{0}", "1e400", "\n\n",
    ]
    var mutator = Mutator(seed: 5, corpus: [Array(Self.text.utf8)], words: words)
    var good = 0
    for _ in 0..<Mutator.count / 10 {
      let text = String(decoding: mutator.next(), as: UTF8.self)
      do throws(CellsFileError) {
        _ = try CellsFile(text: text, path: "hostile.yaml")
        good += 1
      } catch {
        #expect(!error.description.isEmpty && error.path == "hostile.yaml")
      }
    }
    #expect(good > 0, "some mutations are harmless")
  }
}
