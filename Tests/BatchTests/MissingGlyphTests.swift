import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import Testing

@testable import BatchLayout

/// Tests of the counting of characters for which no font of a text has a glyph.
@Suite struct MissingGlyphTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{
      "Text":{"layout":{"type":"stack","children":[
        {"type":"text","text":"{t}","font":"body","style":{"flexShrink":1,"flexGrow":1}},
        {"type":"node","style":{"width":"{w?}","height":1}}]}},
      "Cut":{"layout":{"type":"text","text":"{t}","maximumNumberOfLines":1,"truncation":"…更多"}},
      "Scaled":{"layout":{"type":"text","text":"{t}","pointSizeScaleFactors":[0.9,0.8,0.7]}}}}
    """#

  private let layout: JobLayout

  init() throws {
    layout = try JobLayout(
      Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")]),
      variants: [Variant(width: 100), Variant(width: 200)])
  }

  /// Returns the count and the characters of each row, in both variants.
  private func missing(_ rows: [String], cell: String = "Text") -> [[String]] {
    layout.layOut(rows.map { #"{"cell":"\#(cell)","t":"\#($0)","w":100}"# })
    return (0..<2).map { variant in
      layout.withColumns(of: variant) { job in
        var start = 0
        var entry = 0
        return (0..<job.columns.missingGlyphs.count).map { row in
          guard job.columns.missingGlyphs[row] > 0 else { return "0" }
          let end = start + Int(job.columns.missingLength[entry])
          defer {
            start = end
            entry += 1
          }
          let bytes = (start..<end).map { job.columns.missingBytes[$0] }
          return "\(job.columns.missingGlyphs[row]) \(String(decoding: bytes, as: UTF8.self))"
        }
      }
    }
  }

  @Test(arguments: [
    ("plain and naïve, €", "0"),
    ("\u{0645}\u{0631}\u{062d}\u{0628}\u{0627}", "5 \u{0645}\u{0631}\u{062d}\u{0628}\u{0627}"),
    ("日本日本", "4 日本"), ("\u{1f44d}\u{1f3fd}", "2 \u{1f44d}\u{1f3fd}"),
    // Characters that HarfBuzz composes or decomposes, that are never drawn, and spaces of other widths are not
    // missing.
    ("e\u{301} \u{2011} \u{a0} \u{2003} \u{200b} \u{ad} \u{feff}", "0"),
  ])
  func charactersWithoutAGlyphAreCounted(text: String, expected: String) {
    #expect(missing([text]) == [[expected], [expected]])
  }

  @Test func allMissingCharactersAreCountedAndTheFirstOnesKept() {
    let text = String(String.UnicodeScalarView((0x4e00..<0x4e40).compactMap { Unicode.Scalar($0) }))
    #expect(missing([text]) == Array(repeating: ["64 " + text.prefix(8)], count: 2))
  }

  /// A cell from the cache, and a text that no earlier variant has measured, are counted, too.
  @Test func theCountDoesNotDependOnEarlierRows() {
    let row = "\u{0628}"
    let alone = missing([row])
    #expect(alone == [["1 \u{0628}"], ["1 \u{0628}"]])
    #expect(
      missing([row, "x", row, row]) == Array(repeating: ["1 \u{0628}", "0", "1 \u{0628}", "1 \u{0628}"], count: 2))
    #expect(layout.cacheHits > 0)
  }

  /// The truncation string is drawn once more for the rectangle of the link, when the first variant has its lines.
  @Test(arguments: [[100.0, 110], [110, 100]]) func theTruncationStringOfALinkDoesNotCount(widths: [Double]) throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15}},"cells":{"C":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","runs":"{spans}","maximumNumberOfLines":1,"truncation":"文"},{"type":"text","text":"Hello"}]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    let variants = widths.map { width in
      var variant = Variant(width: width)
      variant.hasLines = true
      return variant
    }
    let layout = try JobLayout(program, variants: variants)
    layout.layOut([#"{"spans":[{"text":"a long text with a link that is cut","url":"https://x"}]}"#])
    #expect(variants.indices.map { layout.withColumns(of: $0) { $0.columns.missingGlyphs[0] } } == [0, 0])
  }

  /// Texture has the face with emoji for all of such a cluster, Chromium asks for the mark, too.
  @Test(arguments: [[Platform.texture, .web], [.web, .texture]])
  func marksOfEmojiAreCountedOnEachPlatformAsAlone(platforms: [Platform]) throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15}},"fallback":[1],"cells":{"C":{"layout":{"type":"text","text":"👍\u20dd"}}}}
      """#, faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoColorEmoji.ttf")])
    func counts(_ platforms: [Platform]) throws -> [UInt16] {
      let layout = try JobLayout(program, variants: platforms.map { Variant(width: 300, platform: $0) })
      layout.layOut(["{}"])
      return platforms.indices.map { layout.withColumns(of: $0) { $0.columns.missingGlyphs[0] } }
    }
    #expect(try counts(platforms) == platforms.flatMap { try counts([$0]) })
    #expect(try Set(counts(platforms)).count == 2)
  }

  /// These texts are cut or scaled in the first variant only.
  @Test(arguments: [("Cut", "First frost this morning", "0"), ("Scaled", "漢字 frost morningmorning", "2 漢字")])
  func theCountIsThatOfTheTextAsItIsWritten(cell: String, text: String, expected: String) {
    #expect(missing([text], cell: cell) == [[expected], [expected]])
  }
}
