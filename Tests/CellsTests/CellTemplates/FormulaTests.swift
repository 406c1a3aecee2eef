import Buffers
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import CellTemplates

/// Tests of arithmetic in bindings.
@Suite struct FormulaTests {
  private func width(_ formula: String, _ row: String = "{}") throws -> Double {
    let tree = try binder(#"{"type":"spec","style":{"width":"{\#(formula)}"}}"#, row, width: 300)
    return tree.tree.styles[Int(tree.tree.elements[0].style)].width.value
  }

  private func error(_ formula: String, _ row: String = "{}") -> String {
    errorText { _ = try width(formula, row) }
  }

  @Test(arguments: [
    ("constrainedSize.max.width / 2 - 8", 142.0), ("(constrainedSize.max.width - 3 * 8) / 4", 69),
    ("min(240, constrainedSize.max.width)", 240), ("max(1, 2, 3)", 3), ("floor(7 / 2) + round(2.5) + ceil(0.1)", 7),
    ("photo.width * 2", 80), ("a-b + 1", 10), ("items.1 + 1", 6), ("-(1 - 3)", 2), ("2 * -photo.width + 100", 20),
    ("-1.5e1 + 20", 5), ("inf + nan", 9), ("max(+5, 2 * +1)", 5),
  ])
  func aFormulaHasItsValue(formula: String, value: Double) throws {
    #expect(try width(formula, #"{"photo":{"width":40},"a-b":9,"items":[4,5],"inf":7,"nan":2}"#) == value)
  }

  @Test func aTextHasTheNumberWithoutDecimalsThatItDoesNotNeed() throws {
    let row = #"{"price":3,"count":4,"name":"x"}"#
    func text(_ written: String) throws -> String {
      let binder = try binder(#"{"type":"text","text":"\#(written)"}"#, row, width: 300)
      return withExtendedLifetime(binder) { binder.state.runs[0].text.string }
    }
    #expect(try text("{price * count} € for {count}") == "12 € for 4")
    #expect(try text("{price / count}") == "0.75")
    #expect(try text("{discount? * 2}, {name}") == ", x")
    #expect(try text("{constrainedSize.max.width} {constrainedSize.max.width + 0.5}") == "300 300.5")
  }

  @Test(arguments: [
    ("9007199254740992", "9007199254740992"), ("-1e18", "-1000000000000000000"),
    ("12345678901234567890", "12345678901234567168"), ("18446744073709551615", "1.8446744073709552e+19"), ("-0.0", "0"),
    ("1e300", "1e+300"),
  ])
  func aTextHasEachDigitOfAWholeNumberUpTo64Bits(number: String, text: String) throws {
    let binder = try binder(#"{"type":"text","text":"{round(a)}"}"#, #"{"a":\#(number)}"#, width: 300)
    let shown = withExtendedLifetime(binder) { binder.state.runs[0].text.string }
    #expect(shown == text)
  }

  @Test func formulasAreEvaluatedForEachItem() throws {
    let layout =
      #"{"type":"stack","children":[{"type":"spec","forEach":"bars","as":"bar","style":{"height":"{bar.value * 2 + base}"}}]}"#
    let tree = try binder(layout, #"{"base":1,"bars":[{"value":1},{"value":2.5}]}"#, width: 300)
    #expect((1...2).map { tree.tree.styles[Int(tree.tree.elements[$0].style)].height.value } == [3, 6])
  }

  @Test(arguments: [
    ("1 + ", "ends where a number or a field belongs"), ("(1 + 2", "lacks a ) before \"\""),
    ("rond(2)", #"has "rond(", which is not a function (did you mean "round"?)"#),
    ("min(2)", "has min of one value; write min(a, b)"), ("1 + 2 3", #"has "3" where an operator belongs"#),
    ("a + 1?", "has a ? after a number; it makes the field before it optional"),
    ("a * 1e400", "has the number 1e400, which is too large"),
    ("a > b + 1", "there are no operators: write {if:"), ("a + w.", "is not a binding"),
    (String(repeating: "(", count: 40) + "1" + String(repeating: ")", count: 40), "is nested too deep"),
    ((0..<40).map { "\($0) + (" }.joined() + "1" + String(repeating: ")", count: 40), "is nested too deep"),
  ])
  func aMistakeIsFoundWhenTheFileIsRead(formula: String, message: String) {
    #expect(error(formula).contains(message), "\(error(formula))")
    #expect(error(formula).hasPrefix("cells.A.layout.style.width: "))
  }

  @Test(arguments: [("1 + ", " )"), ("((1 + ", ""), ("rond(", ")")])
  func aMistakeQuotesTheBeginningOfALongFormula(start: String, end: String) {
    let message = error(start + String(repeating: "x + ", count: 50_000) + "x" + end)
    #expect(message.count < 400 && message.contains("…}\" "), "\(message.prefix(400))")
  }

  @Test(arguments: [
    #""when":"{a - b}""#, #""when":{"field":"{a * 2}","atLeast":4}"#, #""when":{"field":"max(a, b)","below":4}"#,
  ])
  func aConditionHasNoFormula(condition: String) {
    let error = #expect(throws: CellError.self) {
      try Programs.compile(
        #"{"fonts":{},"cells":{"A":{"layout":{"type":"stack","children":[{"type":"node",\#(condition)}]}}}}"#)
    }
    #expect(error?.description.contains("is a formula, but a condition tests a field") == true)
  }

  @Test(arguments: [
    ("a + 1", "{}", #"field "a" is missing; write {a?} where it may be"#),
    ("a + 1", #"{"a":"x"}"#, #"field "a" is a string, but a formula needs a number"#),
    ("1 / a", #"{"a":0}"#, "is a formula that divides by 0"),
    ("0 * constrainedSize.max.height", "{}", "is a formula of infinite numbers without a value"),
  ])
  func aRowWithoutTheNumberIsBad(formula: String, row: String, message: String) {
    #expect(error(formula, row) == "layout.style.width: " + message)
  }

  /// Random formulas have the value that is calculated along with them.
  @Test func randomFormulasHaveTheirValue() throws {
    var random = SplitMix(seed: 11)
    func formula(_ depth: Int) -> (text: String, value: Double) {
      if depth == 0 || random.below(4) == 0 {
        let number = Double(1 + random.below(40)) / 4
        return random.below(2) == 0 ? ("\(number)", number) : ("k", 3)
      }
      let (a, b) = (formula(depth - 1), formula(depth - 1))
      switch random.below(6) {
      case 0: return ("(\(a.text) + \(b.text))", a.value + b.value)
      case 1: return ("(\(a.text) - \(b.text))", a.value - b.value)
      case 2: return ("(\(a.text) * \(b.text))", a.value * b.value)
      case 3: return ("min(\(a.text), \(b.text))", min(a.value, b.value))
      case 4: return ("max(\(a.text), \(b.text))", max(a.value, b.value))
      default: return ("floor(\(a.text))", a.value.rounded(.down))
      }
    }
    for _ in 0..<300 {
      let (text, value) = formula(4)
      #expect(try width("max(0, \(text))", #"{"k":3}"#) == min(max(0, value), 9_999_999), "\(text)")
    }
  }
}
