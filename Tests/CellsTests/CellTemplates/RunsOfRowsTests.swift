import LayoutEngine
import SeededRandom
import Testing

@testable import CellTemplates

/// Tests of texts whose runs are in the rows.
@Suite struct RunsOfRowsTests {
  private func error(_ text: String, _ row: String = "{}") -> String { errorText { _ = try runs(text, row) } }

  @Test func runsComeFromAnArrayOfTheRow() throws {
    let row =
      #"{"spans":[{"text":"Hi "},{"text":"@ada","font":"b","url":"/ada","kind":"mention"},{"text":"!","lineHeight":30}]}"#
    #expect(try runs(#""runs":"{spans}""#, row) == ["Hi |10 0", "@ada|20 1", "!|10 0 of 30.0"])
    #expect(try runs(#""runs":"{spans}","font":"b""#, row) == ["Hi |20 1", "@ada|20 1", "!|20 1 of 30.0"])
    // A text is measured also where the row has no runs.
    #expect(try runs(#""runs":"{spans}","font":"b""#, #"{"spans":[]}"#) == ["|20 1"])
    for written in ["{spans?}", "{ spans? }"] { #expect(try runs(#""runs":"\#(written)""#, "{}") == ["|10 0"]) }
  }

  @Test func aRunIsRepeatedForEachItem() throws {
    let text =
      #""runs":[{"text":"Tags:"},{"forEach":"tags","as":"tag","limit":2,"text":" #{tag.name}","font":"{tag.font?}"}]"#
    let row = #"{"tags":[{"name":"x"},{"name":"y","font":"b"},{"name":"z"}]}"#
    #expect(try runs(text, row) == ["Tags:|10 0", " #x|10 0", " #y|20 1"])
  }

  @Test func runsOfARowEqualConstantRuns() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      let written = (0..<1 + random.below(5)).map { number in
        var members = [#""text":"t\#(number)""#]
        if random.below(2) == 0 { members.append(#""font":"\#(random.below(2) == 0 ? "a" : "b")""#) }
        if random.below(3) == 0 { members.append(#""letterSpacing":\#(random.below(4))"#) }
        if random.below(3) == 0 { members.append(#""lineHeight":\#(10 + random.below(9))"#) }
        return "{\(members.joined(separator: ","))}"
      }
      let list = "[\(written.joined(separator: ","))]"
      #expect(try runs(#""runs":"{r}""#, #"{"r":\#(list)}"#) == runs(#""runs":\#(list)"#, "{}"), "\(list)")
    }
  }

  @Test(arguments: [
    (#""runs":"{spans}""#, "{}", #"layout.runs: field "spans" is missing"#),
    (#""runs":"{spans}""#, #"{"spans":"x"}"#, #"layout.runs: is the string "x", but must be an array"#),
    (#""runs":"{spans}""#, #"{"spans":[{"font":"a"}]}"#, "layout.runs[0]: needs a text or an attachment"),
    (
      #""runs":"{spans}""#, #"{"spans":[{"text":"x"},"y"]}"#,
      #"layout.runs[1]: is the string "y", but must be an object such as {text: …, font: …}"#
    ),
    (
      #""runs":"{spans}""#, #"{"spans":[{"text":"x","attachment":[9,9]}]}"#,
      "layout.runs[0]: has both text and attachment; give one of them"
    ),
    (#""text":"x","marks":"m{f}""#, "{}", #"marks: "m{f}" is not the name of a field, which has no braces"#),
    (#""runs":"{spans}""#, #"{"spans":[{"text":"x","font":"d"}]}"#, #"layout.runs.font: "d" is not among the fonts"#),
    (
      #""runs":"spans""#, "{}", #"runs: is the string "spans", but must be a list of {text, font}, or a field with one"#
    ),
    (#""runs":[{"forEach":"a","txt":"x"}]"#, "{}", #"runs[0].txt: is not a property of a run (did you mean "text"?)"#),
  ])
  func aMistakeInRunsNamesItsPlace(text: String, row: String, message: String) {
    #expect(error(text, row).contains(message))
  }
}
