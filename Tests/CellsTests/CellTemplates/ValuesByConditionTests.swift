import Buffers
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests of values by condition, and of the errors for operators, missing fields and absent children.
@Suite struct ValuesByConditionTests {
  private func error(_ layout: String, _ row: String = "{}") -> String {
    errorText { _ = try binder(layout, row) }
  }

  private static let bubble = #"""
    {"type":"stack","direction":"vertical","alignItems":{"if":"mine","then":"end","else":"{side?}"},
     "children":[{"type":"text","text":{"if":{"field":"n","atLeast":2},"then":"{n} likes","else":"one like"},
                  "font":{"if":"mine","then":"a","else":"b"},
                  "style":{"spacingBefore":{"if":"mine","then":{"if":"n","then":"{n}","else":1}}}}]}
    """#

  @Test func aValueByConditionHasTheValueOfItsBranch() throws {
    let mine = try binder(Self.bubble, #"{"mine":true,"n":3}"#)
    #expect(mine.tree.elements[0].stack.alignItems == .end)
    #expect(mine.state.runs[0].text.string == "3 likes")
    #expect(mine.state.runs[0].style.size == 10)
    #expect(mine.tree.styles[Int(mine.tree.elements[1].style)].spacingBefore == 3)
    let other = try binder(Self.bubble, #"{"n":1,"side":"center"}"#)
    #expect(other.tree.elements[0].stack.alignItems == .center)
    #expect(other.state.runs[0].text.string == "one like")
    #expect(other.state.runs[0].style.size == 20)
    #expect(other.tree.styles[Int(other.tree.elements[1].style)].spacingBefore == 0)
  }

  @Test(arguments: [
    (#""justifyContent":{"if":"a","then":"ende"}"#, #"layout.justifyContent.then: is "ende" (did you mean "end"?)"#),
    (
      #""justifyContent":{"if":"a","then":"end","else":"strat"}"#,
      #"layout.justifyContent.else: is "strat" (did you mean"#
    ),
    (#""spacing":{"if":"a"}"#, "layout.spacing: needs then: {if: mine, then: end, else: start}"),
    (
      #""spacing":{"if":"a","the":1}"#,
      #"layout.spacing.the: is not a part of a value by condition (did you mean "then"?)"#
    ),
    (#""spacing":{"if":"a > 1","then":1}"#, "write {field: a, atLeast: 2}"),
    (#""spacing":{"if":"!a","then":1}"#, "write {not: a}"),
    (#""when":"a && b""#, "write {all: [a, b]}"), (#""when":"a || !b""#, "write {any: [a, {not: b}]}"),
    (#""when":"a == 'x'""#, "write {field: a, equals: 'x'}"), (#""when":"a != 2""#, "{not: {field: a, equals: 2}}"),
    (#""spacing":"{a ? 1 : 2}""#, "write {if: a, then: 1, else: 2}"),
    (#""when":{"not":"a","field":"b"}"#, "layout.when.field: stands beside not in one condition"),
    (#""numberOfLines":2"#, "layout.numberOfLines: is not a property of stack; write maximumNumberOfLines"),
    (#""padding":2"#, "layout.padding: is not a property of stack; put the child into {type: inset"),
    (#""id":"{a}""#, "layout.id: is \"{a}\", but an id is the same for all rows"),
    (#""when":{"mine":false}"#, "layout.when: needs a field, not, all or any; write {not: mine}"),
    (#""if":"a""#, "layout.if: is not a property of stack; write when:"),
    (#""textAlign":"center""#, "layout.textAlign: is not a property of stack; write alignment, which texts have"),
    (#""spacing":"390 * 0.75""#, "nothing is calculated outside of braces: write"),
    (#""style":{"width":"390 * 0.75"}"#, "nothing is calculated outside of braces: write"),
    (
      #""spacing":{"if":"a","then":1,"else":{"if":"b","then":"oops","else":2}}"#,
      "layout.spacing.else.then: is the string"
    ),
    (#""spacing":"{x > 3}""#, "write {if: {field: x, atLeast: 4}, then: …, else: …} without quotes"),
    (#""when":"x > 9223372036854775807""#, "write {field: x, atLeast: 9223372036854775807}"),
    (
      #""when":{"field":"a","equals":"{b}"}"#, "layout.when.equals: is \"{b}\", but a field is compared with a constant"
    ),
    (#""when":{"field":"a","equals":[1]}"#, "layout.when.equals: is an array"),
    (
      #""style":{"if":"a","then":{"width":3}}"#,
      "layout.style: is not chosen as a whole; put the condition on each property"
    ),
    (#""style":{"preferredSize":["{w}","oops"]}"#, "layout.style.preferredSize[1]: is the string \"oops\""),
    (#""forEach":"a""#, "layout.forEach: repeats an element, but here is room for one (layout)"),
  ])
  func anErrorInAStackNamesTheRightForm(property: String, message: String) {
    #expect(error(#"{"type":"stack",\#(property)}"#).contains(message))
  }

  @Test(arguments: [
    (#"{"type":"ASStackLayoutSpec"}"#, #"layout.type: "ASStackLayoutSpec" is not an element type; write stack"#),
    (#"{"type":"ASNetworkImageNode"}"#, #""ASNetworkImageNode" is not an element type; write networkImage"#),
    (#"{"type":"column"}"#, #""column" is not an element type; write stack with direction: vertical"#),
    (#"{"type":"img"}"#, #""img" is not an element type; write networkImage"#),
    (#"{"type":"ASVideoNodePlayer"}"#, #""ASVideoNodePlayer" is not an element type; write videoPlayer"#),
    (
      #"{"type":"text","text":"x","style":{"setSizeFromCGSize":[1,2]}}"#,
      "setSizeFromCGSize: is not a style property; write preferredSize: [width, height] in the style"
    ),
    (
      #"{"type":"text","text":"{text|upper}"}"#,
      "there are no operators: write {text}, and the field as it is to be shown"
    ),
    (
      #"{"type":"text","text":"{text ?? time}"}"#,
      #"write {if: text, then: "{text}", else: "{time}"} without quotes around it"#
    ),
    (
      #"{"type":"spec","style":{"sizeRange":{"max":["infinit",2]}}}"#,
      #"sizeRange.max[0]: is "infinit", but a dimension is a number of points, a percentage such as "150%", "min(240, 80%)", "max(240, 80%)", "inf" or "auto""#
    ),
    (#"{"type":"{kind}"}"#, "but a type cannot depend on the row"),
    (
      #"{"type":"overlay","child":{"type":"spec","forEach":"xs"},"overlay":{"type":"spec"}}"#,
      "layout.child.forEach: repeats an element, but here is room for one (child)"
    ),
    (
      #"{"type":"node","layout":{"type":"spec"},"calculatedSize":[1,2]}"#,
      "layout.calculatedSize: has both layout and calculatedSize"
    ),
    (#"{"type":"spec","style":{"sizeRange":{"mim":[1,2]}}}"#, #"sizeRange.mim: is not a part of a size range"#),
    (#"{"type":"spec","style":{"sizeRange":{}}}"#, "sizeRange: needs min, max or both"),
    (#"{"type":"spec","style":{"sizeRange":{"min":["inf",2]}}}"#, #"sizeRange.min[0]: is "inf""#),
    (#"{"type":"inset","insets":[1,2,3],"child":{"type":"spec"}}"#, "insets: has 3 numbers, but must be"),
  ])
  func aMistakeInAnElementIsReportedWithItsPath(layout: String, message: String) {
    #expect(error(layout).contains(message))
  }

  @Test(arguments: ["inf", "infinity", ".inf", "CGFLOAT_MAX"])
  func infinityHasSeveralNames(name: String) throws {
    let layout = #"{"type":"static","children":[{"type":"spec","style":{"sizeRange":{"max":["\#(name)",2]}}}]}"#
    let tree = try binder(layout, "{}")
    #expect(tree.tree.styles[Int(tree.tree.elements[1].style)].sizeRange.maxWidth == .points(.infinity))
  }

  @Test func mistakesInsideAnUnknownElementAreFound() throws {
    let cells = #"""
      {"cells":{"A":{"layout":{"type":"strack","children":[{"type":"spec","style":{"widht":1}},{"type":"inset"}]}}}}
      """#
    let archive = Programs.archive(cells)
    let found = try archive.withBytes { bytes in
      try CellProgram.mistakes(in: ProgramArchive(ByteString(bytes))).map(\.description)
    }
    #expect(found.count == 3)
    #expect(found.first?.hasPrefix("cells.A.layout.type: \"strack\" is not an element type") == true)
    #expect(found[1].hasPrefix("cells.A.layout.children[0].style.widht: is not a style property"))
    #expect(found[2].hasPrefix("cells.A.layout.children[1]: needs a child"))
  }

  @Test func theErrorOfAMissingFieldNamesTheFieldOfTheItem() {
    let layout = #"""
      {"type":"stack","children":[
        {"type":"text","forEach":"reactions","as":"reaction","text":"{emoji}"}]}
      """#
    #expect(
      error(layout, #"{"reactions":[{"emoji":"x"}]}"#)
        == #"layout.children[0].text: field "emoji" is missing, but the item has it; write {reaction.emoji}"#)
    #expect(
      error(#"{"type":"text","text":"{captoin}"}"#, #"{"caption":"x"}"#)
        == #"layout.text: field "captoin" is missing (did you mean "caption"?); write {captoin?} where it may be"#)
  }

  @Test func theErrorOfAMissingFieldSuggestsAKeyOfTheSameObject() {
    #expect(
      error(#"{"type":"text","text":"{user.nmae}"}"#, #"{"user":{"name":"x"}}"#).contains(
        #"field "user.nmae" is missing (did you mean "user.name"?)"#))
    let layout =
      #"{"type":"stack","children":[{"type":"text","forEach":"reactions","as":"r","text":"{reaction.emoji}"}]}"#
    #expect(error(layout, #"{"reactions":[{"emoji":"x"}]}"#).hasSuffix("but the item has it; write {r.emoji}"))
    let misspelled = #"{"type":"stack","children":[{"type":"text","forEach":"xs","as":"x","text":"{x.emoij}"}]}"#
    #expect(error(misspelled, #"{"xs":[{"emoji":"y"}]}"#).contains(#"(did you mean "x.emoji"?)"#))
  }

  /// Each of these pairs of integers is one floating point number.
  @Test(arguments: [
    (#""equals":9007199254740993"#, "9007199254740993", true),
    (#""equals":9007199254740993"#, "9007199254740992", false),
    (#""equals":9300000000000000001"#, "9300000000000000000", false), (#""equals":3"#, "3.0", true),
    (#""equals":9223372036854775807"#, "9223372036854775808", false),
    (#""atLeast":9007199254740993"#, "9007199254740992", false), (#""atLeast":-3"#, "-3", true),
    (#""below":9007199254740993"#, "9007199254740992", true), (#""below":9223372036854775808"#, "-1", true),
    (#""atLeast":5"#, "99999999999999999999", true), (#""below":5"#, "99999999999999999999", false),
    (#""below":5"#, "-99999999999999999999", true), (#""atLeast":5"#, #""7""#, false),
  ])
  func integersAreComparedExactly(test: String, value: String, holds: Bool) throws {
    let layout = #"{"type":"stack","children":[{"type":"spec","when":{"field":"n",\#(test)}}]}"#
    #expect(try binder(layout, #"{"n":\#(value)}"#).tree.count == (holds ? 2 : 1), "\(test) of \(value)")
  }

  @Test func aVeryLongExpressionIsRefusedQuickly() throws {
    let long = Array(repeating: "a", count: 20_000).joined(separator: "&&")
    #expect(error(#"{"type":"spec","when":"\#(long)"}"#) == "no error")
    let inline = RowBinder(try Programs.compile("{}"))
    try inline.read(Programs.row(#"{"layout":{"type":"spec","when":"\#(long)"}}"#))
  }

  @Test func aFieldNameMayContainASign() throws {
    let found = try binder(#"{"type":"text","text":"{a=b} {x>y}"}"#, #"{"a=b":"one","x>y":"two"}"#)
    #expect(found.state.runs[0].text.string == "one two")
  }

  @Test func aBlankMayStandBeforeTheMarkOfAnOptionalField() throws {
    let layout = #"{"type":"stack","children":[{"type":"text","text":"{a ?}{b ?}","when":"a ?"}]}"#
    let found = try binder(layout, #"{"a":7}"#)
    #expect(found.state.runs[0].text.string == "7")
    #expect(try binder(layout, "{}").tree.count == 1)
  }

  @Test func anAbsentSizeIsLeftOutOfTheList() throws {
    let layout = #"{"type":"node","calculatedSize":["{s?}",[50,20]]}"#
    #expect(try binder(layout, "{}").tree.sizes.count == 1)
    #expect(try binder(layout, #"{"s":[10,5]}"#).tree.sizes.count == 2)
  }

  @Test func errorsInRunsHaveThePathOfTheRun() {
    let layout = #"{"type":"text","runs":[{"text":"hi","font":"{f}"},{"text":"{x}"}]}"#
    #expect(error(layout, #"{"f":"nofont","x":"y"}"#).hasPrefix(#"layout.runs[0].font: "nofont""#))
    #expect(error(layout, #"{"f":"a"}"#).hasPrefix(#"layout.runs[1].text: field "x" is missing"#))
  }

  @Test func theVariableOfALoopMustNotContainDots() {
    let layout = #"{"type":"stack","children":[{"type":"spec","forEach":"xs","as":"x.y"}]}"#
    #expect(error(layout).contains("layout.children[0].as: is \"x.y\", but a name has neither dots nor braces"))
  }

  @Test func insetsCanBeWrittenAsAList() throws {
    let found = try binder(#"{"type":"inset","insets":[1,2,"inf","{b}"],"child":{"type":"spec"}}"#, #"{"b":4}"#)
    #expect(found.tree.elements[0].insets == EdgeInsets(top: 1, left: 2, bottom: .infinity, right: 4))
  }

  @Test func aSizeRangeMayHaveOnlyAMinimumOrAMaximum() throws {
    let found = try binder(
      #"{"type":"static","children":[{"type":"node","style":{"sizeRange":{"min":[10,20]}}},{"type":"node","style":{"sizeRange":{"max":["50%","inf"]}}}]}"#,
      "{}")
    let first = found.tree.styles[Int(found.tree.elements[1].style)].sizeRange
    #expect(first == RelativeSizeRange(min: RelativeSize(Size(10, 20))))
    let second = found.tree.styles[Int(found.tree.elements[2].style)].sizeRange
    #expect(second == RelativeSizeRange(max: RelativeSize(width: .fraction(0.5), height: .points(.infinity))))
  }

  @Test(arguments: ["overlay", "background", "corner"])
  func aSpecWithoutItsChildHasNoSecondElement(type: String) throws {
    let layout =
      #"{"type":"\#(type)","child":{"type":"image","when":"photo","imageSize":[8,8]},"\#(type)":{"type":"image","id":"badge","imageSize":[3,3]}}"#
    #expect(try binder(layout, #"{"photo":true}"#).tree.count == 3)
    #expect(try binder(layout, "{}").tree.count == 1)
  }

  @Test func aNodeWhoseLayoutIsAbsentHasAnEmptyLayout() throws {
    let layout = #"{"type":"node","layout":{"type":"spec","when":"a"}}"#
    let found = try binder(layout, "{}")
    #expect(found.tree.count == 2)
    #expect(found.tree.elements[1].kind == .spec)
  }
}
