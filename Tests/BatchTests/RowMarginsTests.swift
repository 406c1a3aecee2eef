import CellTemplates
import GalleyTestSupport
import LayoutEngine
import TableFormats
import Testing

@testable import BatchLayout

/// Tests of the margins of rows.
@Suite struct RowMarginsTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"cells":{
      "Text":{"layout":{"type":"text","text":"{t}","font":"body"}},
      "Two":{"layout":{"type":"stack","direction":"vertical","children":[
        {"type":"text","text":"{t}","font":"body"},{"type":"text","text":"{t} and more","font":"body"}]}},
      "Line":{"layout":{"type":"text","text":"{t}","font":"body","maximumNumberOfLines":1}},
      "Picture":{"layout":{"type":"networkImage","url":"{t}","style":{"height":10}}}}}
    """#
  private static let text = "some words that fill a few lines of a text"

  /// Returns the margins and the heights of a row in variants.
  private func rows(
    _ cell: String, _ variants: [Variant], text: String = text, repeated: Int = 1
  ) throws -> [(margins: RowMargins?, height: Float)] {
    let program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: variants)
    layout.layOut([String](repeating: #"{"cell":"\#(cell)","t":"\#(text)"}"#, count: repeated))
    return variants.indices.map { variant in
      layout.withColumns(of: variant) { job in
        (PackedMargins(bits: job.columns.margins[repeated - 1]).margins, job.columns.height[repeated - 1])
      }
    }
  }

  @Test func aRowKeepsItsHeightWithinItsMargins() throws {
    for platform in [Platform.texture, .web, .flutter] {
      for width in stride(from: 90.0, to: 300, by: 7) {
        let row = try rows("Two", [Variant(width: width, platform: platform)])[0]
        let margins = try #require(row.margins)
        let inside = [-0.99 * Double(margins.narrower), 0.99 * min(Double(margins.wider), 1000)]
        for change in inside {
          let other = try rows("Two", [Variant(width: width + change, platform: platform)])[0]
          #expect(other.height == row.height, "\(platform.name) \(width) by \(change)")
        }
      }
    }
  }

  /// A stack shrinks a text that is wider than it without a tolerance.
  @Test func aNegativeToleranceDoesNotWidenTheMargin() throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"calibration":{"texture":{"widthTolerance":-1}},
        "cells":{"A":{"layout":{"type":"stack","children":[
          {"type":"text","text":"{t}","font":"body","style":{"flexShrink":1}}]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    func row(_ width: Double) throws -> (margins: RowMargins?, height: Float) {
      let layout = try JobLayout(program, variants: [Variant(width: width)])
      layout.layOut([#"{"t":"some words in a line"}"#])
      return layout.withColumns(of: 0) { (PackedMargins(bits: $0.columns.margins[0]).margins, $0.columns.height[0]) }
    }
    let narrow = try row(120)
    let wider = try Double(#require(narrow.margins).wider)
    #expect(narrow.height == 40)
    #expect(try row(120 + 0.99 * wider).height == 40)
    // Widths are rounded up to whole points.
    #expect(try row(120 + wider + 1.1).height == 20)
  }

  /// A word that does not fit beside a rectangle moves below it. Lines that are chosen together can have other heights where fonts have.
  @Test(arguments: [
    (
      #""text":"Wide","exclusionPaths":[{"side":"left","y":0,"width":60,"height":50}]"#, 64.0, 75.0
    ),
    (#""text":"one two three \u6f22\u5b57 four five six seven","textWrap":"balance""#, 150, 151),
    (#""text":"one two three \u6f22\u5b57 four five six seven","textWrap":"pretty""#, 150, 151),
  ])
  func marginsHoldForTheHeight(text: String, width: Double, other: Double) throws {
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15}},"fallback":[1],"cells":{"A":{"layout":{"type":"text",\#(text),"font":"body"}}}}"#,
      faces: [Programs.face("Inter-Regular.otf"), Programs.face("NotoSansCJK-Regular.ttc")])
    func row(_ width: Double) throws -> (margins: RowMargins?, height: Float) {
      let layout = try JobLayout(program, variants: [Variant(width: width)])
      layout.layOut([#"{"cell":"A"}"#])
      return layout.withColumns(of: 0) { job in
        (PackedMargins(bits: job.columns.margins[0]).margins, job.columns.height[0])
      }
    }
    let here = try row(width)
    guard let margins = here.margins else { return }
    let sameHeight = try row(other).height == here.height
    #expect(sameHeight || Double(other > width ? margins.wider : margins.narrower) <= abs(other - width))
  }

  @Test func theLeastMarginsOfTheTextsCount() throws {
    let both = try #require(try rows("Two", [Variant(width: 150)])[0].margins)
    let first = try #require(try rows("Text", [Variant(width: 150)])[0].margins)
    let second = try #require(try rows("Text", [Variant(width: 150)], text: Self.text + " and more")[0].margins)
    #expect(both.narrower == min(first.narrower, second.narrower) && both.wider == min(first.wider, second.wider))
  }

  @Test func rowsWithoutTextsAndWithLinesChosenTogetherHaveNone() throws {
    #expect(try rows("Picture", [Variant(width: 150)])[0].margins == nil)
    #expect(try rows("Text", [Variant(width: 150, platform: .android)])[0].margins == nil)
    let line = try rows("Line", [Variant(width: 150)])[0].margins
    #expect(line == RowMargins(narrower: .infinity, wider: .infinity))
  }

  /// Two widths that browsers cut to the same one have the same frames, and margins of their own.
  @Test func widthsThatAreCutAlikeDoNotShareMargins() throws {
    let variants = [150.3, 150.31].map { Variant(width: $0, platform: .web) }
    for variant in variants {
      let alone = try rows("Text", [variant], repeated: 4)[0].margins
      let index = try #require(variants.firstIndex(of: variant))
      #expect(try rows("Text", variants, repeated: 4)[index].margins == alone)
    }
  }

  /// Rows that are laid out alike, but follow the width of the list in another way, do not share their margins.
  @Test func marginsDoNotDependOnEarlierRowsAndVariants() throws {
    let program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")])
    func holds(_ variants: [Variant], _ rows: [String]) throws -> [[Bool]] {
      let layout = try JobLayout(program, variants: variants)
      layout.layOut(rows)
      return variants.indices.map { variant in
        layout.withColumns(of: variant) { job in
          rows.indices.map { PackedMargins(bits: job.columns.margins[$0]).holdsForWidth }
        }
      }
    }
    let plain = #"{"cell":"Picture","t":"u"}"#
    let own = #"{"cell":"Picture","t":"u","constrainedSize":{"min":[300,0],"max":[300,"inf"]}}"#
    let bound = #"{"layout":{"type":"spec","style":{"height":"{constrainedSize.max.width}"}}}"#
    let stated = #"{"layout":{"type":"spec","style":{"height":"{w}"}},"w":300}"#
    let variants = [Variant(width: 300), Variant(width: 320)]
    #expect(try holds(variants, [plain, own, plain]) == [[true, false, true], [true, false, true]])
    #expect(try holds(variants, [own, plain]) == [[false, true], [false, true]])
    #expect(try holds(variants, [stated, bound, stated]) == [[true, false, true], [true, false, true]])
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func aClassThatReadsTheConstraintLeavesTheMarginsOfOthers(order: [Int]) throws {
    let classes = [
      #""Other":{"layout":{"type":"text","text":"{t}","font":"body"}}"#,
      #"""
      "Half":{"layout":{"type":"stack","children":[
        {"type":"text","text":"{t}","style":{"width":"{constrainedSize.max.width / 2}"}}]}}
      """#,
    ]
    let program = try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{\#(order.map { classes[$0] }.joined(separator: ","))}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: 200), Variant(width: 400)])
    layout.layOut(["Other", "Half"].map { #"{"cell":"\#($0)","t":"\#(Self.text)"}"# })
    let holds = layout.withColumns(of: 0) { job in
      job.columns.margins.values.map { PackedMargins(bits: $0).holdsForWidth }
    }
    #expect(holds == [true, false])
    let heights = [0, 1].map { variant in layout.withColumns(of: variant) { Array($0.columns.height.values) } }
    #expect(heights[0][0] == heights[1][1] && heights[0][1] > heights[0][0], "\(heights)")
  }

  /// A frame refers to the margins of its text by a number of 15 bits.
  @Test func marginsDoNotDependOnTheTextsOfEarlierVariants() throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"cells":{
        "A":{"layout":{"type":"stack","direction":"vertical","children":[
          {"type":"text","forEach":"a","as":"it","text":"{it}"},
          {"type":"stack","forEach":"b","as":"it","children":[
            {"type":"text","text":"{it}","style":{"flexShrink":1}},{"type":"node","calculatedSize":[5,5]}]}]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    let texts = String(repeating: #""wide word","#, count: 16_300) + #""x""#
    let row = #"{"cell":"A","a":[\#(texts)],"b":[\#(String(repeating: #""other text","#, count: 499))"x"]}"#
    func margins(_ variants: [Variant]) throws -> UInt64 {
      let layout = try JobLayout(program, variants: variants)
      layout.layOut([row])
      return layout.withColumns(of: variants.count - 1) { $0.columns.margins[0] }
    }
    let alone = try margins([Variant(width: 70)])
    #expect(PackedMargins(bits: alone).margins != nil)
    #expect(try margins([Variant(width: 390), Variant(width: 70)]) == alone)
  }

  @Test func aRowFromTheCacheHasItsMargins() throws {
    let variants = [Variant(width: 150), Variant(width: 200)]
    let once = try rows("Two", variants).map(\.margins)
    #expect(try rows("Two", variants, repeated: 5).map(\.margins) == once)
    #expect(once[0] != once[1])
  }
}
