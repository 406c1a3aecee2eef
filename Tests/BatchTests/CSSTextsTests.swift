import BatchLayout
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import TextMeasuring
import Testing

/// Texts with properties of CSS in cells. `check-web-texts` and `ChromiumConformanceTests` compare them with Chromium.
@Suite struct CSSTextsTests {
  private static func layout(_ variant: Variant, lang: String = "en") throws -> JobLayout {
    var featured = try Programs.face("NotoSans-Regular.ttf")
    featured.features = [FontFeature(tag: 0x736d_6370, value: 1)]
    return try JobLayout(
      Programs.compile(
        #"{"lang":"\#(lang)","fonts":{"body":{"face":0,"size":15,"lineHeight":20},"small":{"face":1,"size":15,"lineHeight":20},"#
          + #""natural":{"face":0,"size":15}},"#
          + #""cells":{}}"#,
        faces: [Programs.face("NotoSans-Regular.ttf"), featured]),
      variants: [variant])
  }

  private func inspect(_ text: String, _ properties: String, _ width: Double) throws -> [String] {
    let row = #"{"layout":{"type":"text","text":"\#(text)",\#(properties)}}"#
    return try Self.layout(Variant(width: width)).inspect(Programs.row(row)).nodes[0].lines.map(\.text)
  }

  @Test func wordsEndLinesAsTheirPropertiesState() throws {
    let text = "internationalization of it"
    #expect(try inspect(text, #""font":"body""#, 80).count == 3)
    #expect(try inspect(text, #""overflowWrap":"normal""#, 80) == ["internationalization", "of it"])
    #expect(try inspect("a " + text, #""wordBreak":"breakAll""#, 80)[0].hasPrefix("a intern"))
    #expect(try inspect("a (" + text, #""lineBreak":"anywhere""#, 20)[0] == "a (")
  }

  @Test func smallCapitalsAreWiderThanSmallLetters() throws {
    let widths = try ["body", "small"].map { font in
      let row = #"{"layout":{"type":"text","text":"lazy dog","font":"\#(font)"}}"#
      return try Self.layout(Variant(width: 300)).inspect(Programs.row(row)).nodes[0].lines[0].drawing.width
    }
    #expect(widths[1] > widths[0] + 1)
  }

  @Test func textsThatStateNoLanguageHaveThatOfTheFile() throws {
    func lines(_ properties: String, lang: String, _ width: Double, _ platform: Platform = .texture) throws -> [String]
    {
      let row = #"{"layout":{"type":"text","text":"あァぃーゥ々ゝ・：‐んあァぃーゥ々ゝ","lineBreak":"loose"\#(properties)}}"#
      let layout = try Self.layout(Variant(width: width, platform: platform), lang: lang)
      return try #require(layout.inspect(Programs.row(row)).nodes.first).lines.map(\.text)
    }
    var differences = 0
    for width in stride(from: 20.0, to: 120, by: 5) {
      let japanese = try lines(#","lang":"ja""#, lang: "en", width)
      #expect(try lines("", lang: "ja", width) == japanese)
      #expect(try lines("", lang: "ja", width, .web) == japanese)
      let english = try lines("", lang: "en", width)
      #expect(try lines(#","lang":"en""#, lang: "ja", width) == english)
      if english != japanese { differences += 1 }
    }
    #expect(differences > 0)
    let plain = #"{"layout":{"type":"text","text":"あァ"}}"#
    #expect(
      try Self.layout(Variant(width: 20, platform: .flutter), lang: "ja").inspect(Programs.row(plain)).error == nil)
  }

  @Test(arguments: [
    (#""overflowWrap":"break""#, "anywhere"), (#""wordBreak":"break-all""#, "breakAll"),
    (#""hyphens":"none""#, "auto"),
    (#""lang":"e""#, "tag of a language"), (#""lang":"en_US""#, "tag of a language"), (#""tabSize":-1"#, "negative"),
    (#""lineBreak":"afterWhiteSpace""#, "anywhere"), (#""textWrap":"nowrap""#, "balance"),
  ])
  func whatTextsCannotHaveIsRefused(property: String, part: String) throws {
    let row = #"{"layout":{"type":"text","text":"a",\#(property)}}"#
    let error = try Self.layout(Variant(width: 100)).inspect(Programs.row(row)).error?.description
    #expect(error?.contains(part) == true, "\(error ?? "no error")")
  }

  @Test(arguments: [Platform.android, .reactNative, .flutter, .webkit, .firefox])
  func otherPlatformsRefuseTheProperties(platform: Platform) throws {
    let layout = try Self.layout(Variant(width: 200, platform: platform))
    for (property, name) in [
      (#""wordBreak":"keepAll""#, "wordBreak"), (#""hyphens":"auto""#, "hyphens"), (#""lang":"ja""#, "lang"),
      (#""font":"small""#, "fonts with fontFeatures"),
    ] {
      let error = layout.inspect(Programs.row(#"{"layout":{"type":"text","text":"a",\#(property)}}"#)).error
      #expect(
        error?.description.contains("has \(name), which \(platform.name) does not lay out") == true, "\(property)")
    }
    let plain = #"{"layout":{"type":"text","text":"a","overflowWrap":"anywhere"}}"#
    #expect(layout.inspect(Programs.row(plain)).error == nil)
  }

  /// Measured in Chromium 156: a line of Noto Looped Lao in 20 px is 36 px high. Its line gap is 4 px.
  @Test(arguments: [Platform.texture, .web])
  func aLineHasTheLineGapOfItsFont(platform: Platform) throws {
    let program = try Programs.compile(
      #"{"fonts":{"lao":{"face":0,"size":20}},"cells":{}}"#, faces: [Programs.face("NotoLoopedLao-Regular.ttf")])
    let layout = try JobLayout(program, variants: [Variant(width: 200, platform: platform)])
    #expect(layout.inspect(Programs.row(#"{"layout":{"type":"text","text":"a\nb"}}"#)).size.height == 72)
  }

  /// Chromium keeps a character in a font that lacks it if HarfBuzz shows a space of another width or an equivalent one.
  @Test(arguments: ["\u{202f}", "\u{2009}", "\u{2011}"])
  func spacesAndHyphensStayInTheirFont(character: String) throws {
    let faces = try ["NotoSansHebrew-Regular.ttf", "Inter-Regular.otf"].map(Programs.face)
    func width(_ fallback: String) throws -> Double {
      let program = try Programs.compile(
        #"{"fonts":{"body":{"face":0,"size":20}},"fallback":\#(fallback),"cells":{}}"#, faces: faces)
      let cell = try JobLayout(program, variants: [Variant(width: 200, platform: .web)]).inspect(
        Programs.row(
          #"{"layout":{"type":"stack","children":[{"type":"text","text":"\u05d0\#(character)\u05d1"}]}}"#))
      return cell.nodes[0].frame.size.width
    }
    #expect(try width("[1]") == width("[]"))
  }

  @Test(arguments: Platform.allCases)
  func aSpacingOfLinesIsLaidOutOrRefused(platform: Platform) throws {
    let layout = try Self.layout(Variant(width: 200, platform: platform))
    for font in ["body", "natural"] {
      func inspect(_ spacing: Int) -> CellInspection {
        layout.inspect(
          Programs.row(
            #"{"layout":{"type":"text","text":"one\ntwo\nthree","font":"\#(font)","lineSpacing":\#(spacing)}}"#))
      }
      let isRefused = platform == .flutter || platform == .android && font == "body"
      #expect((inspect(4).error?.description.contains("does not lay out") == true) == isRefused, "\(font)")
      if !isRefused { #expect(inspect(4).size.height == inspect(0).size.height + 8, "\(font)") }
    }
  }

  @Test func wordsAreHyphenatedWithTheDictionaryOfTheirLanguage() throws {
    let program = try Programs.compile(
      #"{"version":1,"hyphenation":{"de":"1ge LEFTHYPHENMIN 3"},"fonts":{"f":{"face":0,"size":15}},"cells":{}}"#,
      faces: [Programs.face("NotoSans-Regular.ttf")])
    func lines(_ lang: String) throws -> [String] {
      let row = #"{"layout":{"type":"text","text":"abc abcgedef xyz","hyphens":"auto","lang":"\#(lang)"}}"#
      return try JobLayout(program, variants: [Variant(width: 80)]).inspect(Programs.row(row)).nodes[0].lines.map(
        \.text)
    }
    let (german, french) = (try lines("de-AT"), try lines("fr"))
    #expect(german == ["abc abc", "gedef xyz"])
    #expect(french == ["abc", "abcgedef", "xyz"])
  }

  /// Chromium 156, where pretty has no effect on such texts.
  @Test(arguments: [
    (#""lineBreak":"anywhere""#, "balance", "The quick brown fox "),
    (#""wordBreak":"breakAll""#, "pretty", "The quick brown fox jumps "),
  ])
  func linesThatEndInsideWordsAreBalanced(property: String, wrap: String, first: String) throws {
    let program = try Programs.compile(
      #"{"version":1,"fonts":{"f":{"face":0,"size":16,"lineHeight":22}},"cells":{}}"#,
      faces: [Programs.face("Roboto-Regular.ttf")])
    let row =
      #"{"layout":{"type":"text","text":"The quick brown fox jumps over the dog","textWrap":"\#(wrap)",\#(property)}}"#
    let found = try JobLayout(program, variants: [Variant(width: 200)]).inspect(Programs.row(row)).nodes[0].lines[0]
      .text
    #expect(found.trimmingCharacters(in: .whitespaces) == first.trimmingCharacters(in: .whitespaces))
  }

  /// The places of hyphens are those of the word that was hyphenated last, which may be that of another width.
  @Test func aTextIsCutAtTheSamePlaceAfterOtherWidths() throws {
    let program = try Programs.compile(
      #"{"version":1,"hyphenation":{"de":"1ge LEFTHYPHENMIN 3"},"fonts":{"f":{"face":0,"size":15}},"cells":{}}"#,
      faces: [Programs.face("NotoSans-Regular.ttf")])
    let text = #""text":"abcgeabcgeabcgeabcgeabc\nof it","hyphens":"auto","lang":"de","maximumNumberOfLines":1"#
    func line(_ widths: [Double]) throws -> String {
      let layout = try JobLayout(program, variants: widths.map { Variant(width: $0) })
      let row = Programs.row(#"{"layout":{"type":"text",\#(text)}}"#)
      return try #require(widths.indices.map { layout.inspect(row, variant: $0).nodes[0].lines[0].text }.last)
    }
    for width in stride(from: 60.0, to: 230, by: 3) {
      let alone = try line([width])
      for other in [45.0, 100, 140] { #expect(try line([other, width]) == alone, "\(other), \(width)") }
    }
  }

  @Test func aRowWithTextsInTooManyLanguagesIsAnError() throws {
    let layout = try Self.layout(Variant(width: 200))
    func row(_ count: Int) -> String {
      let texts = (0..<count).map { #"{"type":"text","text":"é","lang":"x\#(["a", "b"][$0 % 2])-\#($0)"}"# }
      return #"{"layout":{"type":"stack","direction":"vertical","children":[\#(texts.joined(separator: ","))]}}"#
    }
    #expect(layout.inspect(Programs.row(row(16))).error?.description.contains("more than 15 languages") == true)
    for _ in 0..<3 { #expect(layout.inspect(Programs.row(row(15))).error == nil) }
    // The languages of the row are counted, also those that earlier rows have.
    #expect(layout.inspect(Programs.row(row(16))).error?.description.contains("more than 15 languages") == true)
  }

  /// Texts that differ in one property only are laid out apart, also where equal cells are laid out once.
  @Test func textsWithOtherPropertiesAreNotTakenForEachOther() throws {
    let layout = try Self.layout(Variant(width: 80))
    let properties = [
      #""overflowWrap":"normal""#, #""wordBreak":"breakAll""#, #""textWrap":"balance""#, #""tabSize":20"#,
    ]
    func row(_ property: String) -> String {
      #"{"layout":{"type":"text","text":"a\tb internationalization of it",\#(property)}}"#
    }
    let texts = (properties + properties).map(row)
    layout.layOut(texts)
    let heights = layout.withColumns(of: 0) { Array($0.columns.height.values) }
    #expect(Array(heights.prefix(4)) == Array(heights.suffix(4)))
    let alone = try properties.map { try Self.layout(Variant(width: 80)).inspect(Programs.row(row($0))).size.height }
    #expect(heights.prefix(4).map(Double.init) == alone)
  }
}
