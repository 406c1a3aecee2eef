import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Texts whose fonts become smaller until they fit. The rules are those of `ASTextKitFontSizeAdjuster`.
@Suite struct PointSizeScaleFactorsTests {
  private func inspect(_ text: String, _ width: Double, size: Int = 20, textScale: Double = 1) throws -> CellInspection
  {
    let layout = try JobLayout(
      Programs.compile(
        #"{"fonts":{"body":{"face":0,"size":\#(size),"lineHeight":26}},"cells":{}}"#,
        faces: [Programs.face("Inter-Regular.otf")]),
      variants: [Variant(width: width, textScale: textScale)])
    return layout.inspect(Programs.row(#"{"layout":{"type":"text",\#(text)}}"#))
  }

  private func sizes(_ cell: CellInspection) -> Set<Double> {
    Set(cell.nodes[0].lines.flatMap { $0.drawing.runs.map(\.size) })
  }

  @Test(arguments: [
    ("", 20.0, 3), (#","pointSizeScaleFactors":[0.7,0.5]"#, 20, 3),
    (#","maximumNumberOfLines":2,"pointSizeScaleFactors":[0.7,0.5]"#, 14, 2),
    (#","maximumNumberOfLines":2,"pointSizeScaleFactors":[0.95,0.92]"#, 18, 2),
    (#","maximumNumberOfLines":1,"pointSizeScaleFactors":[0.7,"{half}"]"#, 10, 1),
    (#","pointSizeScaleFactors":[0.9,0.7],"style":{"maxHeight":60}"#, 18, 2),
    (#","pointSizeScaleFactors":[0.9,0.7],"style":{"maxHeight":40}"#, 14, 2),
  ])
  func theFirstFactorAtWhichTheTextFitsCounts(properties: String, size: Double, lines: Int) throws {
    let cell = try inspect(
      #""text":"seven words that are not too long"\#(properties.replacing("\"{half}\"", with: "0.5"))"#, 150)
    #expect(sizes(cell) == [size] && cell.nodes[0].lines.count == lines)
  }

  @Test func theLongestWordFitsInOneLine() throws {
    let cell = try inspect(#""text":"an extraordinarily long word","pointSizeScaleFactors":[0.9,0.6,0.4]"#, 100)
    #expect(sizes(cell) == [12])
    #expect(cell.nodes[0].lines.contains { $0.text.contains("extraordinarily") })
  }

  @Test func theSizeOfAFontIsAWholeNumberOfPoints() throws {
    let cell = try inspect(
      #""text":"seven words that are not too long","maximumNumberOfLines":2,"pointSizeScaleFactors":[0.77]"#, 150)
    #expect(sizes(cell) == [15])
    // A line is 26 * 0.77 = 20.02 points high.
    #expect(abs(cell.size.height - 40.5) < 0.01)
  }

  /// 0.9 with 32 bits is less than 0.9, so that 13.5 points become 13.
  @Test func theFactorOfASizeHas32Bits() throws {
    let cell = try inspect(
      #""text":"seven words","maximumNumberOfLines":1,"pointSizeScaleFactors":[0.9]"#, 80, size: 15)
    #expect(sizes(cell) == [13])
  }

  @Test(arguments: [#"\u3000"#, #"\u2003"#, #"\u00a0"#, #"\t"#])
  func wordsAreSeparatedByAllSpaces(space: String) throws {
    let cell = try inspect(#""text":"wonder\#(space)wonder","pointSizeScaleFactors":[0.5]"#, 100)
    #expect(sizes(cell) == [20])
  }

  @Test func theSpaceBeforeParagraphsStays() throws {
    let cell = try inspect(
      #""text":"incomprehensible\nb","paragraphSpacingBefore":10,"pointSizeScaleFactors":[0.5]"#, 100)
    #expect(cell.size.height == 2 * 13 + 10)
  }

  @Test func factorsAreBetweenZeroAndOne() throws {
    let cell = try inspect(#""text":"a","pointSizeScaleFactors":[0.5,1.2]"#, 100)
    #expect(
      cell.error?.description.contains("pointSizeScaleFactors[1]: is 1.2, but a factor is above 0 and below 1") == true)
  }
}
