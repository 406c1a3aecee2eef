import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Tests of rows whose fonts grow by different factors.
@Suite struct TextScalesTests {
  private static let cells = #"""
    {"fonts":{
      "body":{"face":0,"size":14,"lineHeight":20},
      "large":{"face":0,"size":22,"lineHeight":31.428571428571427},
      "largeSpan":{"face":0,"size":22,"lineHeight":26},
      "title":{"face":0,"size":20,"lineHeight":26,"sizes":{"L":20,"AX1":34}},
      "fixed":{"face":0,"size":10,"lineHeight":12,"scaling":"none"}},"fallback":[],"cells":{
      "All":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","text":"{t}","font":"body"},{"type":"text","text":"{t}","font":"title"},
        {"type":"text","text":"{t}","font":"fixed"}]}},
      "Large":{"layout":{"type":"text","text":"{t}","font":"large"}},
      "LargeSpan":{"layout":{"type":"text","text":"{t}","font":"largeSpan"}},
      "Body":{"layout":{"type":"text","text":"{t}","font":"body"}},
      "Runs":{"layout":{"type":"text","font":"body","runs":[{"text":"{t}"},{"text":"{t}","font":"fixed"}]}}}}
    """#

  /// Returns the heights of rows in each variant.
  private func heights(_ cell: String, _ texts: [String], _ variants: [Variant]) throws -> [[Float]] {
    let program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: variants)
    layout.layOut(texts.map { #"{"cell":"\#(cell)","t":"\#($0)"}"# })
    return variants.indices.map { layout.withColumns(of: $0) { Array($0.columns.height.values) } }
  }

  @Test func eachFontGrowsByItsOwnFactor() throws {
    let variants = [
      Variant(width: 390), Variant(width: 390, textScale: 1.5), Variant(width: 390, textSize: .accessibility1),
      Variant(width: 390, textScale: 2, textSize: .accessibility1),
    ]
    // The line heights are 20, 26 and 12; at AX1, that of the title is 26 · 34 / 20 = 44.2, rounded up to half a point.
    #expect(try heights("All", ["x"], variants) == [[58], [81], [76.5], [140.5]])
  }

  @Test func runsOfOneTextGrowByTheirOwnFactors() throws {
    let words = Array(repeating: "word", count: 12).joined(separator: " ") + " "
    let variants = [1, 3].map { Variant(width: 300, textScale: $0) }
    let heights = try heights("Runs", [words], variants)
    // At the scale 3, five lines and a mixed one have 60 points, and the last one has only words that stay as they are.
    #expect(heights == [[52], [372]])
  }

  /// Returns the height of a line of a font without a line height in a variant.
  private func height(
    size: Int, calibration: String = "{}", fonts: String = "", elements: String = "", _ variant: Variant
  ) throws -> Float {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":\#(size)}\#(fonts)},"fallback":[],"calibration":{"\#(variant.platform.name)":\#(calibration)},
        "cells":{"A":{"layout":{"type":"stack","direction":"vertical","children":[
          {"type":"text","text":"line","font":"body"}\#(elements)]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [variant])
    layout.layOut(["{}"])
    return layout.withColumns(of: 0) { $0.columns.height[0] }
  }

  /// The platform `texture` multiplies the rounded ascent of a font, so that the height is not that of a font of twice the size, which
  /// Chromium has.
  @Test func aFontThatKeepsItsSizeDoesNotChangeOtherTexts() throws {
    let fixed = #","fixed":{"face":0,"size":12,"lineHeight":16,"scaling":"none"}"#
    let text = #",{"type":"text","text":"fixed","font":"fixed"}"#
    for platform in Platform.allCases {
      for textScale in [0.9, 1, 1.35, 2, 2.5] {
        for calibration in ["{}", #"{"lineHeights":{"body":{"addition":2}}}"#] {
          let variant = Variant(width: 390, textScale: textScale, platform: platform)
          let alone = try height(size: 15, calibration: calibration, variant)
          #expect(try height(size: 15, calibration: calibration, fonts: fixed, variant) == alone, "\(variant.name)")
          let both = try height(size: 15, calibration: calibration, fonts: fixed, elements: text, variant)
          // The last line of a TextView has no spacing, which the line height is there.
          #expect(platform == .android || (both - 16 - alone).magnitude <= 0.5, "\(variant.name)")
        }
      }
    }
    let twice = Variant(width: 390, textScale: 2)
    #expect(try height(size: 15, fonts: fixed, twice) == 38)
    #expect(try height(size: 15, fonts: fixed, Variant(width: 390, textScale: 2, platform: .web)) == 36)
    #expect(try height(size: 30, fonts: fixed, Variant(width: 390, platform: .web)) == 36)
  }

  @Test(arguments: [(1, 10), (1.5, 13), (2, 17), (2.5, 25)])
  func theAdditionOfACalibrationGrowsAsTheFont(textScale: Double, added: Float) throws {
    let variant = Variant(width: 390, textScale: textScale, platform: .android)
    let calibrated = try height(size: 20, calibration: #"{"lineHeights":{"body":{"addition":10}}}"#, variant)
    #expect(try calibrated - height(size: 20, variant) == added)
  }

  @Test func fontsOnAndroidGrowByItsTable() throws {
    let text = Array(repeating: "words that wrap", count: 9).joined(separator: " ")
    func heights(_ cell: String, _ textScale: Double, _ platform: Platform) throws -> [[Float]] {
      try self.heights(
        cell, [text], [Variant(width: 200, textScale: textScale, scale: 2.625, platform: platform)])
    }
    // 14 sp are 22 dp at 1.5. React Native scales the line height of 20 by itself, to 26.
    #expect(try heights("Body", 1.5, .android) == heights("Large", 1, .android))
    #expect(try heights("Body", 1.5, .reactNative) == heights("LargeSpan", 1, .reactNative))
    #expect(try heights("Body", 1.5, .android) != heights("Body", 1, .android))
  }

  @Test func aVariantHasTheSameHeightsWhateverVariantsAreBesideIt() throws {
    let texts = (0..<20).map { row in
      Array(repeating: "words and words", count: row % 7 + 1).joined(separator: " ")
    }
    var variants: [Variant] = []
    for platform in [Platform.texture, .web, .android, .reactNative, .flutter] {
      for textSize in [nil, TextSize.accessibility1, .small] {
        for textScale in [1, 1.3, 2.2] {
          variants.append(
            Variant(width: 200, textScale: textScale, scale: 2.625, platform: platform, textSize: textSize))
        }
      }
    }
    let together = try heights("All", texts, variants)
    for (variant, expected) in zip(variants, together) {
      #expect(try heights("All", texts, [variant]) == [expected], "\(variant.name)")
    }
    #expect(Set(together.map { "\($0)" }).count > 25)
  }
}
