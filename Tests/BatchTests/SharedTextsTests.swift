import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import BatchLayout

/// Tests of variants that are laid out together: texts that one platform prepares are measured for others.
@Suite struct SharedTextsTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15.3,"lineHeight":20},"plain":{"face":0,"size":13},
    "wide":{"face":0,"size":14,"letterSpacing":0.4}},"fallback":[1],
    "platforms":{"android":{"breakStrategy":"simple"},"reactNative":{"fontPadding":false}},"cells":{
      "Texts":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","text":"{t}","font":"body"},{"type":"text","text":"{t}","font":"plain","maximumNumberOfLines":2,
         "truncation":"…更多"},
        {"type":"text","runs":[{"text":"{t} ","font":"wide"},{"text":"{t}","font":"body"}],"breakStrategy":"balanced"},
        {"type":"text","runs":[{"text":"AVATAR A","font":"plain"},{"text":"VATo {t}","font":"plain"},
          {"text":"Ta LTTa AVA","font":"plain"}]}]}},
      "Scaled":{"layout":{"type":"text","text":"{t}","font":"plain","maximumNumberOfLines":2,
        "pointSizeScaleFactors":[0.9,0.7]}}}}
    """#
  private static let words = [
    "some", "words", "سلام", "list-like", "a", "prefetch", "kern AV", "https://example.com/a?b=c", "\u{1f44d}",
  ]

  @Test func variantsThatAreLaidOutTogetherAreThoseThatAreLaidOutAlone() throws {
    let program = try Programs.compile(
      Self.cells, faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoSansArabic-Regular.ttf")])
    var random = SplitMix(seed: 5)
    let rows = (0..<12).map { _ in
      let text = (0...random.below(16)).map { _ in Self.words[random.below(Self.words.count)] }.joined(separator: " ")
      return #"{"cell":"\#(random.below(3) == 0 ? "Scaled" : "Texts")","t":"\#(text)"}"# + "\n"
    }
    var variants: [Variant] = []
    for platform in [Platform.android, .reactNative, .android, .texture, .reactNative, .web, .flutter] {
      for width in [120.0, 237.5] {
        let textScale = platform.isAndroid || variants.count % 3 == 0 ? 1 : 1.35
        variants.append(
          Variant(width: width + Double(variants.count), textScale: textScale, scale: 2.625, platform: platform))
      }
    }
    let together = try columns(JobLayout(program, variants: variants), rows)
    for (index, variant) in variants.enumerated() {
      let alone = try columns(JobLayout(program, variants: [variant]), rows)
      #expect(together[index] == alone[0], "\(variant.name)")
    }
  }

  /// Children that shrink have widths that are rounded to pixels, near those that they have in other variants.
  @Test(arguments: [[329.0, 330], [330, 329], [328.5, 329, 329.5, 330, 330.5]])
  func marginsDoNotDependOnNearWidths(widths: [Double]) throws {
    let text = #"{"type":"text","text":"{%}","font":"body","style":{"flexShrink":1,"alignSelf":"stretch"}}"#
    let children = ["a", "b", "c"].map { text.replacing("%", with: $0) }.joined(separator: ",")
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15}},"cells":{"C":{"layout":{"type":"stack","children":[\#(children)]}}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    var random = SplitMix(seed: 2)
    let words = ["internationalization", "of", "typography", "quick", "fox", "the", "jumps", "a", "big"]
    let rows = (0..<40).map { _ in
      let texts = ["a", "b", "c"].map { name in
        let text = (0..<1 + random.below(9)).map { _ in words[random.below(words.count)] }.joined(separator: " ")
        return #""\#(name)":"\#(text)""#
      }
      return "{" + texts.joined(separator: ",") + "}\n"
    }
    let variants = widths.map { Variant(width: $0) }
    let together = try columns(JobLayout(program, variants: variants), rows)
    for (index, variant) in variants.enumerated() {
      #expect(try together[index] == columns(JobLayout(program, variants: [variant]), rows)[0], "\(variant.name)")
    }
  }

  /// The first variant does not cut the text, so that its truncation string is prepared for another platform only.
  @Test func aTruncationStringWithEmojiIsThatOfItsPlatform() throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":16}},"fallback":[1],"cells":{"C":{"layout":{"type":"stack","direction":"vertical",
        "alignItems":"start","children":[
        {"type":"text","text":"{t}","maximumNumberOfLines":1,"truncation":"⚡⚡"}]}}}}
      """#, faces: [Programs.face("DejaVuSans.ttf"), Programs.face("NotoColorEmoji.ttf")])
    var random = SplitMix(seed: 1)
    let rows = (0..<20).map { _ in
      let words = (0..<6).map { _ in
        String((0..<2 + random.below(6)).map { _ in Array("abcdefghij")[random.below(10)] })
      }
      return #"{"t":"\#(words.joined(separator: " "))"}"# + "\n"
    }
    let variants = [Variant(width: 1000), Variant(width: 100, platform: .web), Variant(width: 100)]
    let together = try columns(JobLayout(program, variants: variants), rows)
    for (index, variant) in variants.enumerated() {
      #expect(try together[index] == columns(JobLayout(program, variants: [variant]), rows)[0], "\(variant.name)")
    }
    #expect(together[1] != together[2])
  }

  /// Returns the heights, margins and missing glyphs of the rows, and the frames of their nodes, in each variant.
  private func columns(_ layout: JobLayout, _ rows: [String]) throws -> [[UInt64]] {
    _ = layout.layout(Programs.keep(Array(rows.joined().utf8)), firstLine: 1, firstRow: 0)
    return layout.variants.indices.map { variant in
      layout.withColumns(of: variant) { job in
        let rect = job.columns.frameRect
        return (0..<rows.count).flatMap { row in
          [
            UInt64(job.columns.height[row].bitPattern), job.columns.margins[row],
            UInt64(job.columns.missingGlyphs[row]),
          ]
        }
          + (0..<rect.y.count).flatMap { index in
            [rect.y, rect.width, rect.height].map { UInt64($0[index].bitPattern) }
          }
      }
    }
  }
}
