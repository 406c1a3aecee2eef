import Buffers
import LayoutEngine
import Testing

@testable import CellTemplates

/// Tests of the values that properties can have.
@Suite struct ValueReadingTests {
  private func error(_ layout: String, _ row: String = "{}", platforms: String = "{}") -> String {
    errorText { _ = try binder(layout, row, platforms: platforms) }
  }

  @Test(arguments: [
    (#""type":"text","text":"a","lineSpacing":-4"#, nil),
    (#""type":"stack","lineSpacing":-4"#, nil),
    (#""type":"stack","spacing":1e300"#, "spacing: is 1e+300, but must be between -10000000 and 10000000"),
    (#""type":"text","text":"a","headIndent":1e39"#, "headIndent: is 1e+39, but must be between"),
    (#""type":"text","text":"a","maximumNumberOfLines":2.0"#, nil),
    (#""type":"text","text":"a","maximumNumberOfLines":2.5"#, "maximumNumberOfLines: is a number, but must be a whole"),
    (#""type":"spec","style":{"flexGrow":1e300}"#, "style.flexGrow: is 1e+300, but must be from 0 to less than"),
    (#""type":"spec","style":{"flexShrink":-1}"#, "style.flexShrink: is -1.0, but must be from 0"),
  ])
  func numbersAreOfUsableSize(element: String, mistake: String?) {
    #expect(error("{\(element)}").hasPrefix(mistake.map { "cells.A.layout.\($0)" } ?? "no error"))
  }

  @Test(arguments: [
    (#"{"android":{"lineSpacingMultiplier":-1}}"#, "android.lineSpacingMultiplier"),
    (#"{"flutter":{"strut":{"leading":-1}}}"#, "flutter.strut.leading"),
  ])
  func factorsOfLinesAreNotNegative(platforms: String, place: String) {
    let found = error(#"{"type":"spec"}"#, platforms: platforms)
    #expect(found == "platforms.\(place): is -1.0, but must not be negative")
  }

  @Test(arguments: [
    (#""type":"image","imageSize":["w",2]"#, #"imageSize[0]: is the string "w", but must be a number"#),
    (#""type":"node","calculatedSize":[[1,2],[3,true]]"#, "calculatedSize[1][1]: is true or false"),
    (#""type":"text","text":"a","pointSizeScaleFactors":[0.9,"x"]"#, "pointSizeScaleFactors[1]: is the string"),
    (#""type":"spec","style":{"sizeRange":{"max":[3,"4em"]}}"#, #"style.sizeRange.max[1]: is "4em""#),
    (#""type":"spec","style":{"layoutPosition":["{x}",2]}"#, "style.layoutPosition[0]: is the string"),
  ])
  func mistakesInListsNameTheElement(element: String, mistake: String) {
    let found = error("{\(element)}", #"{"x":"?"}"#)
    #expect(found.contains("layout.\(mistake)"), "\(found)")
  }

  @Test(arguments: [
    (
      #""type":"text","text":{"caption":null}"#,
      #"text: is an object, but must be a string; for the field write quotes: "{caption}""#
    ),
    (#""<<":{"type":"spec"}"#, "needs a type; merge keys (<<) are not read: use a template"),
  ])
  func formsOfYAMLHaveAWayOut(element: String, mistake: String) {
    #expect(error("{\(element)}").hasSuffix(mistake))
  }

  @Test func aMistakeQuotesTheBeginningOfALongValue() {
    let accents = String(repeating: "e\u{301}", count: 50_000)
    let found = error(#"{"type":"spec","style":{"width":"{w}"}}"#, #"{"w":"\#(accents)"}"#)
    #expect(found.unicodeScalars.count < 400 && found.contains("…\", but a dimension is"), "\(found.prefix(99))")
  }

  /// A line of an error would otherwise look like an error of its own.
  @Test func aMistakeQuotesAValueInOneLine() {
    let found = error(#"{"type":"spec","style":{"width":"{w}"}}"#, #"{"w":"a\nrows.jsonl:9: b"}"#)
    #expect(found.contains(#"is "a\nrows.jsonl:9: b", but"#), "\(found)")
  }

  @Test func mistakesInTheRangeOfARowNameTheNumber() {
    let row = #"{"constrainedSize":{"max":[100,-2]}}"#
    #expect(error(#"{"type":"spec"}"#, row) == "constrainedSize.max[1]: must not be negative")
  }

  /// Rows of typed tables have every member of their columns.
  @Test(arguments: [
    (#""type":"spec""#, #""constrainedSize":null,"layout":null,"cell":null,"id":null"#, nil),
    (#""type":"spec""#, #""constrainedSize":{"min":null,"max":null}"#, nil),
    // The last of duplicate keys is used.
    (#""type":"spec""#, #""constrainedSize":{"max":[9,-2]},"constrainedSize":null,"cell":"B","cell":null"#, nil),
    (#""type":"inset","insets":"{v}","child":{"type":"spec"}"#, #""v":{"top":4,"left":null,"bottom":null}"#, nil),
    (#""type":"spec","style":{"sizeRange":"{v}"}"#, #""v":{"min":null,"max":[9,9]}"#, nil),
    (#""type":"text","text":"a","exclusionPaths":"{v}""#, #""v":[{"side":"left","y":null,"width":9,"height":9}]"#, nil),
    (
      #""type":"text","text":"a","exclusionPaths":"{v}""#, #""v":[{"side":null,"width":9}]"#,
      "layout.exclusionPaths[0]: has no side"
    ),
    // A binding without ? needs a value, and null is one in a list.
    (#""type":"inset","insets":"{v}","child":{"type":"spec"}"#, #""v":null"#, "layout.insets: is null"),
    (#""type":"image","imageSize":"{v}""#, #""v":[null,9]"#, "layout.imageSize[0]: is null"),
    (
      #""type":"inset","insets":{"top":"{v}","left":null},"child":{"type":"spec"}"#, #""v":1"#,
      "cells.A.layout.insets.left: is null"
    ),
  ])
  func aMemberOfTheRowThatIsNullIsAbsent(element: String, row: String, mistake: String?) {
    let found = error("{\(element)}", "{\(row)}")
    #expect(mistake.map { found.hasPrefix($0) } ?? (found == "no error"), "\(found)")
  }
}
