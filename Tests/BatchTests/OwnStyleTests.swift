import BatchLayout
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

/// The style of a text's own font, which decides about its line height on platforms that state one for the whole text.
@Suite struct OwnStyleTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":16,"lineHeight":24},"plain":{"face":0,"size":16},"big":{"face":0,"size":40},
      "small":{"face":0,"size":10}},
      "platforms":{"flutter":{"strut":{"height":2}}},"cells":{
      "Marks":{"layout":{"type":"text","font":"body","text":"{t}","marks":"m","markFont":"plain"}},
      "Runs":{"layout":{"type":"text","font":"body","runs":[{"text":"{t}"},{"text":"{end}","font":"{font}"}]}},
      "First":{"layout":{"type":"text","runs":[{"text":"{t}","font":"plain"},{"text":"{end}","font":"small"}]}}}}
    """#

  private func height(_ row: String, _ platform: Platform) throws -> Double {
    let program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: 120, scale: 2, platform: platform)])
    let cell = layout.inspect(Programs.row(row))
    #expect(cell.error == nil, "\(row)")
    return cell.size.height
  }

  @Test(arguments: [Platform.android, .reactNative, .compose, .flutter])
  func aMarkHasTheSameEffectWhereverItIs(platform: Platform) throws {
    func row(_ start: Int) -> String {
      #"{"cell":"Marks","t":"one two @ada four five six seven @bob","m":[{"start":\#(start),"length":4}]}"#
    }
    #expect(try height(row(33), platform) == height(row(8), platform))
  }

  @Test(arguments: [Platform.android, .reactNative, .compose, .flutter], ["small", "big"])
  func anEmptyRunAtTheEndHasNoEffect(platform: Platform, font: String) throws {
    func row(_ font: String) -> String {
      #"{"cell":"Runs","t":"one two three four five six seven\n","end":"","font":"\#(font)"}"#
    }
    #expect(try height(row(font), platform) == height(row("body"), platform))
  }

  /// A paragraph of React Native has the line height of the last of its spans, and one without a span that of its fonts.
  @Test func paragraphsOfReactNativeHaveTheLineHeightOfTheirSpans() throws {
    let (two, one) = (#""one\n""#, #""one""#)
    let both = try height(#"{"cell":"Runs","t":\#(two),"end":"two","font":"small"}"#, .reactNative)
    let first = try height(#"{"cell":"Runs","t":\#(one),"end":"","font":"small"}"#, .reactNative)
    let second = try height(#"{"cell":"First","t":"","end":"two"}"#, .reactNative)
    #expect(abs(both - first - second) <= 2 && second < 20)
  }

  /// The cache of layouts knows rows by everything that their frames depend on.
  @Test(arguments: [Platform.android, .compose, .flutter])
  func rowsThatDifferInTheirOwnFontAloneHaveTheirOwnHeights(platform: Platform) throws {
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":14},"big":{"face":0,"size":30}},"platforms":{"flutter":{"strut":{"height":2}}},"cells":{"#
        + #""A":{"layout":{"type":"text","font":"{f}","runs":[{"text":"one\n","font":"body"}]}}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    func heights(_ fonts: [String]) throws -> [Float] {
      let layout = try JobLayout(program, variants: [Variant(width: 120, scale: 2, platform: platform)])
      layout.layOut(fonts.map { #"{"f":"\#($0)"}"# })
      return layout.withColumns(of: 0) { Array($0.columns.height.values) }
    }
    let (big, body) = (try heights(["big"])[0], try heights(["body"])[0])
    #expect(big > body)
    #expect(try heights(["big", "body", "big"]) == [big, body, big])
  }

  /// A font that grows in another way has no effect on browsers, which do not use it.
  @Test func theOwnFontOfRunsDoesNotMatterInBrowsers() throws {
    func height(_ font: String) throws -> Double {
      let program = try Programs.compile(
        #"{"fonts":{"body":{"face":0,"size":15},"fixed":{"face":0,"size":15,"scaling":"none"}},"cells":{"#
          + #""A":{"layout":{"type":"text","font":"\#(font)","runs":[{"text":"one\ntwo","font":"body"}]}}}}"#,
        faces: [Programs.face("Inter-Regular.otf")])
      return try JobLayout(program, variants: [Variant(width: 120, textScale: 1.35)]).inspect(Programs.row("{}")).size
        .height
    }
    #expect(try height("fixed") == height("body"))
  }

  /// `TextView.setLineHeight` sets the multiplier to 1.
  @Test func aLineHeightReplacesTheMultiplierOfAndroid() throws {
    func height(_ multiplier: Double) throws -> Double {
      let program = try Programs.compile(
        #"{"fonts":{"body":{"face":0,"size":16,"lineHeight":24}},"platforms":{"android":{"lineSpacingMultiplier":\#(multiplier)}},"#
          + #""cells":{"A":{"layout":{"type":"text","text":"one\ntwo\nthree"}}}}"#,
        faces: [Programs.face("Inter-Regular.otf")])
      return try JobLayout(program, variants: [Variant(width: 120, scale: 2, platform: .android)]).inspect(
        Programs.row("{}")
      ).size.height
    }
    #expect(try height(1.5) == height(1))
  }
}
