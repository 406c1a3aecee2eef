import CellTemplates
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import BatchLayout

/// Conditions that ask for the lines of texts.
@Suite struct TextQueriesTests {
  private static func program(_ layout: String) throws -> CellProgram {
    try Programs.compile(
      #"{"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{"C":{"layout":\#(layout)}}}"#,
      faces: [Programs.face("Inter-Regular.otf")])
  }

  /// Returns the height of each row in each variant, or its error.
  private func heights(
    _ program: CellProgram, _ rows: [String], _ variants: [Variant] = [Variant(width: 200)]
  ) throws -> [[String]] {
    let layout = try JobLayout(program, variants: variants)
    layout.layOut(rows)
    return variants.indices.map { variant in
      let heights = layout.withColumns(of: variant) { $0.columns.height.values }
      return zip(layout.errors(variant), heights).map { error, height in error.isEmpty ? "\(Int(height))" : error }
    }
  }

  private static func text(_ words: Int) -> String { Array(repeating: "seven", count: words).joined(separator: " ") }

  private static func row(_ words: Int, _ more: String = "") -> String { #"{"t":"\#(text(words))"\#(more)}"# }

  private static let caption = #"{"type":"text","id":"caption","text":"{t}","maximumNumberOfLines":2}"#

  @Test func anElementIsPresentOnlyWhereATextIsCut() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[\#(Self.caption),
        {"type":"node","when":"truncated(\"caption\")","calculatedSize":[60,30]},
        {"type":"node","when":{"not":"truncated('caption')"},"calculatedSize":[60,1]}]}
      """#)
    // A line of 200 points has four words. The rows are laid out again in a wider list, where fewer are cut.
    let variants = [Variant(width: 200), Variant(width: 400)]
    let rows = [3, 8, 9, 17, 8].map { Self.row($0) }
    #expect(try heights(program, rows, variants) == [["21", "41", "70", "70", "41"], ["21", "21", "41", "70", "21"]])
  }

  @Test func lineCountsAreCompared() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[{"type":"text","id":"caption","text":"{t}"},
        {"type":"node","calculatedSize":[60,7],"when":{"field":"lineCount(\"caption\")","atLeast":2}},
        {"type":"node","calculatedSize":[60,100],"when":{"field":"lineCount(\"caption\")","equals":3}}]}
      """#)
    #expect(try heights(program, [3, 5, 9, 13].map { Self.row($0) }) == [["20", "47", "167", "87"]])
  }

  @Test func insideAForEachTheTextOfTheSameItemIsAsked() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[{"type":"stack","direction":"vertical","forEach":"items","children":[
        {"type":"text","id":"t","text":"{item}","maximumNumberOfLines":1},
        {"type":"node","when":"truncated(\"t\")","calculatedSize":[60,5]}]}]}
      """#)
    let items = [2, 9, 3, 9].map { #""\#(Self.text($0))""# }.joined(separator: ",")
    #expect(try heights(program, [#"{"items":[\#(items)]}"#, #"{"items":[]}"#]) == [["90", "0"]])
  }

  @Test func propertiesCanDependOnATextToo() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[\#(Self.caption),
        {"type":"node","layout":{"type":"spec","style":{"height":{"if":"truncated(\"caption\")","then":50,"else":10},
          "width":"{constrainedSize.max.width}"}}}]}
      """#)
    #expect(try heights(program, [3, 9].map { Self.row($0) }) == [["30", "90"]])
  }

  /// With the badge beside it the caption is cut, and only without the badge it is not.
  @Test func aRowWhoseTextsContradictTheirConditionsIsBadAndNoOther() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"horizontal","children":[
        {"type":"text","id":"caption","text":"{t}","style":{"flexShrink":1}},
        {"type":"node","when":{"field":"lineCount(\"caption\")","below":2},"calculatedSize":[150,10]}]}
      """#)
    let found = try heights(program, [Self.row(4), Self.row(1), Self.row(9)])[0]
    #expect(found[1...] == ["20", "60"])
    #expect(
      found[0].contains(
        "layout.children[1]: depends on itself: the layout with the result of lineCount(\"caption\") has another result"
      ),
      "\(found[0])")
  }

  /// The row of the test before needs three layouts: the badge makes the title narrower, which is then cut.
  @Test func independentConditionsAreSolvedOneAfterTheOther() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"cap","text":"{t}"},
        {"type":"stack","direction":"horizontal","children":[
          {"type":"text","id":"title","text":"seven seven seven seven","maximumNumberOfLines":1,"style":{"flexShrink":1}},
          {"type":"node","when":{"field":"lineCount(\"cap\")","atLeast":2},"calculatedSize":[90,20]}]},
        {"type":"node","when":"truncated(\"title\")","calculatedSize":[10,7]}]}
      """#)
    #expect(try heights(program, [Self.row(3), Self.row(8)]) == [["40", "67"]])
  }

  /// The binder then has another tree than the one that was laid out, whose elements have other numbers.
  @Test func aContradictionIsInspectedWithoutTheTreeThatWasNotLaidOut() throws {
    let xs = (0..<3000).map(String.init).joined(separator: ",")
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"horizontal","children":[
        {"type":"stack","direction":"vertical","when":{"field":"lineCount(\"t\")","atLeast":2},"children":[
          {"type":"text","forEach":"xs","text":"hello there {item}"}]},
        {"type":"stack","direction":"vertical","when":{"field":"lineCount(\"t\")","equals":1},"children":[
          {"type":"node","forEach":"xs","calculatedSize":[300,20]}]},
        {"type":"text","id":"t","text":"{t}","style":{"flexShrink":1}}]}
      """#)
    let layout = try JobLayout(program, variants: [Variant(width: 390)])
    let row = Programs.row(#"{"t":"Hello world this is a rather long text","xs":[\#(xs)]}"#)
    let cell = layout.inspect(row)
    #expect(cell.error?.description.contains("depends on itself") == true && cell.nodes.isEmpty)
    #expect(throws: CellError.self) { try layout.examine(row, variant: 0) }
  }

  @Test func theResultsOfAVariantDoNotDecideAboutTheNextOne() throws {
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[
        {"type":"text","id":"t","text":"{t}","maximumNumberOfLines":1},
        {"type":"node","calculatedSize":["{constrainedSize.max.width / 2}",10]},
        {"type":"text","text":"{more}","when":"truncated(\"t\")"}]}
      """#)
    let both = try heights(program, [Self.row(6)], [Variant(width: 200), Variant(width: 390)])
    #expect(both[0][0].contains("field \"more\" is missing") && both[1] == ["30"])
  }

  @Test func aTemplateWithATextAndItsConditionCanStandTwice() throws {
    let part = #"""
      {"type":"stack","direction":"vertical","children":[{"type":"text","id":"body","text":"{FIELD}","maximumNumberOfLines":1},
        {"type":"node","when":"truncated(\"body\")","calculatedSize":[10,9]}]}
      """#
    let program = try Self.program(
      #"""
      {"type":"stack","direction":"vertical","children":[\#(part.replacing("FIELD", with: "t")),
        \#(part.replacing("FIELD", with: "u"))]}
      """#)
    let rows = [
      #"{"t":"\#(Self.text(2))","u":"\#(Self.text(9))"}"#, #"{"t":"\#(Self.text(9))","u":"\#(Self.text(9))"}"#,
    ]
    #expect(try heights(program, rows) == [["49", "58"]])
  }

  @Test(arguments: [
    (
      #"{"type":"text","id":"a","text":"x","when":"truncated(\"a\")"}"#,
      "asks for a text that itself, or with an element around it, depends on"
    ),
    (
      #"""
      {"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"x","when":"truncated(\"b\")"},
        {"type":"text","id":"b","text":"x","when":"truncated(\"a\")"}]}
      """#, "depends on truncated(\"a\"); only one of them can depend on the other"
    ),
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"text","id":"body","text":"x"},{"type":"spec","when":"truncated(\"bodi\")"}]}"#,
      #"layout.children[1]: truncated("bodi") asks for a text that the cell does not have (did you mean "body"?)"#
    ),
    (
      #"""
      {"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"{item}","forEach":"items"},
        {"type":"spec","when":"truncated(\"a\")"}]}
      """#, "is repeated by a forEach; ask inside the same forEach"
    ),
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"x"},{"type":"spec","when":"lineCount(\"a\")"}]}"#,
      #"compare it: {field: lineCount("a"), atLeast: 3}"#
    ),
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"x"},{"type":"spec","when":{"field":"lineCount(\"a\")"}}]}"#,
      #"compare it: {field: lineCount("a"), atLeast: 3}"#
    ),
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"x"},{"type":"spec","when":{"field":"truncated(\"a\")","atLeast":1}}]}"#,
      #"truncated("a") is true or false; write truncated("a") or {not: truncated("a")}"#
    ),
    (
      #"{"type":"stack","direction":"vertical","children":[{"type":"text","id":"a","text":"x"},{"type":"text","text":"{lineCount(\"a\")}"}]}"#,
      "only conditions (when, if) ask for the lines of a text"
    ),
    (
      #"{"type":"stack","children":[{"type":"text","id":"a","text":"x"},{"type":"spec","when":"isTruncated(\"a\")"}]}"#,
      #"is not a field; write truncated("id") or lineCount("id")"#
    ),
  ])
  func mistakesInQueriesAreErrorsOfTheCellsFile(layout: String, message: String) throws {
    let error = try #require(throws: CellError.self) { try Self.program(layout) }
    #expect(error.description.contains(message), "\(error.description)")
  }

  /// A row has the height that it has in a cell in which the condition is decided beforehand.
  @Test func rowsEqualThoseOfCellsWithoutQueries() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<40 {
      let (lines, width) = (1 + random.below(3), 80 + random.below(200))
      func cell(_ condition: String, _ otherwise: String) -> String {
        #"""
        {"type":"inset","insets":\#(lines),"child":{"type":"stack","direction":"vertical","spacing":3,"children":[
          {"type":"text","id":"caption","text":"{t}","maximumNumberOfLines":\#(lines)},
          {"type":"text","when":\#(condition),"text":"Show more of {t}"},
          {"type":"ratio","ratio":0.1,"when":\#(otherwise),"child":{"type":"node"}}]}}
        """#
      }
      let rows = (0..<20).map { _ in Self.row(1 + random.below(24), #","yes":true"#) }
      let variants = [Variant(width: Double(width))]
      let asked = try heights(
        Self.program(cell(#""truncated(\"caption\")""#, #"{"not":"truncated(\"caption\")"}"#)), rows, variants)[0]
      let cut = try heights(Self.program(cell(#""yes""#, #""no""#)), rows, variants)[0]
      let uncut = try heights(Self.program(cell(#""no""#, #""yes""#)), rows, variants)[0]
      let layout = try JobLayout(Self.program(cell(#""no""#, #""no""#)), variants: variants)
      for (index, row) in rows.enumerated() {
        let isCut = layout.inspect(Programs.row(row)).nodes[0].isTruncated
        #expect(asked[index] == (isCut ? cut : uncut)[index], "\(row) in \(width)")
      }
    }
  }
}
