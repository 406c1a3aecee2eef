import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Tests that the error of an image without a size names the length that is 0 and the element that caused it.
@Suite struct FetchedSizesTests {
  private func error(_ layout: String, rows: Int = 1, generation: Int = 2) throws -> [String] {
    let fonts = CellInspectionTests.fonts.replacing("[1,2]", with: "[]")
    let job = try JobLayout(
      Programs.compile(
        #"{"generation":\#(generation),"# + fonts.dropFirst(),
        faces: [Programs.face("Inter-Regular.otf")]), variants: [Variant(width: 390)])
    job.layOut([String](repeating: #"{"layout":\#(layout)}"#, count: rows))
    return job.errors()
  }

  private func stack(_ direction: String, _ child: String, _ style: String = "") -> String {
    #"{"type":"stack","direction":"\#(direction)","style":{\#(style)},"children":[\#(child)]}"#
  }

  private static let photo = #"{"type":"networkImage","id":"p","url":"x"}"#

  @Test func theErrorNamesTheStackThatGivesNoHeight() throws {
    #expect(
      try error(stack("vertical", Self.photo)) == [
        #"line 1: layout.children[0]: networkImage "p" ends without a size (390.0 x 0.0): its height is 0: it is "#
          + "asked for 0 to inf by the stack above (layout), where it has none of its own before it is fetched; give "
          + "its style a height, or put it into a ratio with a bounded width"
      ])
  }

  @Test func theErrorNamesAWayOutThatTheFirstGenerationHas() throws {
    let message = try error(#"{"type":"static","children":[\#(Self.photo)]}"#, generation: 1)[0]
    #expect(
      message.hasSuffix(
        "(0.0 x 0.0): it is 0 by 0 in AsyncDisplayKit 1.9 without a size of its own; give its style a preferredFrameSize, or put "
          + "it into a ratio"), "\(message)")
  }

  @Test func theErrorNamesTheCellThatGivesNoHeight() throws {
    #expect(try error(Self.photo)[0].contains("its height is 0: it is asked for 0 to inf by the cell, where"))
  }

  @Test func theErrorNamesBothLengthsIfBothAreZero() throws {
    let both = try error(stack("vertical", stack("horizontal", Self.photo)))[0]
    #expect(both.contains("its width is 0: it is asked for 0 to inf by the stack above (layout.children[0])"))
    #expect(both.contains("; its height is 0: it is asked for 0 to inf by"))
  }

  @Test func theErrorExplainsABoundedWidthWithoutABoundedHeight() throws {
    let width = try error(
      #"{"type":"stack","direction":"vertical","alignItems":"start","children":[\#(Self.photo)]}"#)[0]
    #expect(width.contains("its width is 0: it would fill 390 pt if its height were bounded too, but that is 0 to inf"))
  }

  @Test func theErrorNamesTheAncestorThatLeavesNoRoom() throws {
    let direct = try error(
      #"{"type":"wrapper","style":{"height":20},"children":[{"type":"inset","id":"frame","insets":{"top":15,"bottom":15},"child":\#(Self.photo)}]}"#
    )[0]
    #expect(direct.contains(#"its height is 0: the inset above ("frame") leaves it nothing of its 20 pt"#))
  }

  @Test func theErrorNamesAStyleOfZero() throws {
    let own = try error(Self.photo.replacing(#""url""#, with: #""style":{"height":0},"url""#))[0]
    #expect(own.contains("its height is 0: its own style says so"))
  }

  /// The frames of repeated rows are in the cache.
  @Test func rowsWithTheSameContentHaveTheSameError() throws {
    let errors = try error(stack("vertical", Self.photo), rows: 40)
    #expect(errors.count == 40)
    #expect(Set(errors.map { $0.drop { $0 != ":" } }).count == 1)
  }
}
