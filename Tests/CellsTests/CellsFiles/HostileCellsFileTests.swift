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

  private func error(_ text: String) -> String {
    errorText { _ = try CellsFile(text: text, path: "hostile.yaml") }
  }

  /// Returns lines of aliases, each of which repeats the one before it.
  private func aliases(levels: Int, repeated count: Int) -> String {
    (1...levels).reduce("a0: &a0 [x]\n") { text, level in
      let values = Array(repeating: "*a\(level - 1)", count: count).joined(separator: ", ")
      return text + "a\(level): &a\(level) [\(values)]\n"
    }
  }

  @Test(arguments: ["b: *a9", "? *a9\n: 1", "? [*a9]\n: 1", "? {k: *a9}\n: 1", "<<: *a9"])
  func nestedAliasesAreCountedBeforeTheyAreComposed(last: String) {
    let text = "version: 1\n" + aliases(levels: 9, repeated: 10) + last
    #expect(error(text) == "hostile.yaml: has more than 1000000 values")
  }

  @Test func aliasesThatNestDeeplyAreAnError() {
    #expect(
      error("version: 1\n" + aliases(levels: 20_000, repeated: 1))
        == "hostile.yaml: is nested more than 1000 levels deep")
  }

  @Test(arguments: ["1e19", "-1", "65536", "0.5", "inf", ".nan", "x"])
  func aFaceIndexThatIsNoSmallNumberIsAnError(index: String) {
    let text = "version: 1\nfonts: {b: {file: x.ttf, faceIndex: \(index), size: 1}}\ncells: {}"
    #expect(error(text).contains("must be a whole number from 0 to 65535"))
  }

  @Test func aFileWithoutAVersionIsAnError() {
    #expect(error("cells: {}") == "hostile.yaml:1:1: version: is missing; write version: 1 at the top of the file")
    #expect(error("").hasPrefix("hostile.yaml: is empty"))
  }
}
