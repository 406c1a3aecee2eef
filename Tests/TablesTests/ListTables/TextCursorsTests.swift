import BatchLayout
import CellTemplates
import Foundation
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import ListTables
import Testing

/// Tests of the texts of rows with their lines.
@Suite struct TextCursorsTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15}},"fallback":[],"cells":{"Texts":{"layout":{"type":"stack","direction":"vertical",
      "children":[{"type":"text","id":"t","text":"{a}","font":"body"},
        {"type":"text","id":"t","text":"{b}","font":"body"}]}}}}
    """#

  /// An empty text has no lines, but on Android.
  @Test(arguments: [Platform.texture, .android, .web])
  func linesAreThoseOfTheirTextWhereTextsHaveOneName(platform: Platform) throws {
    let program = try Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: 300, platform: platform, hasLines: true)])
    let texts = [["", "second"], ["first", ""], ["", "\nsecond"], ["first", "second"], ["", ""]]
    let rows = texts.map { #"{"a":"\#($0[0])","b":"\#($0[1].replacing("\n", with: "\\n"))"}"# + "\n" }.joined()
    let scratch = Scratch()
    let tables = try BatchTables(
      scratch.path("tables"), variants: [("w300", 2)], types: ElementType.names, hasLines: true)
    _ = layout.layout(Programs.keep(Array(rows.utf8)), firstLine: 1, firstRow: 0)
    try layout.withTables { try tables.take($0) }
    try tables.finish { _ in Array(#"{"format": 1, "version": "test"}"#.utf8) }
    let mapped = try MappedTables(scratch.path("tables/w300"))
    for (row, texts) in texts.enumerated() {
      let drawn = try mapped.texts(of: row)
      let lines = drawn.map { text in text.lines.map { text.characters(of: $0) } }
      let expected = texts.map { text in
        text.isEmpty && platform != .android
          ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
      #expect(lines == expected)
    }
    try FileManager.default.removeItem(atPath: scratch.path("tables/w300/lines.arrow"))
    #expect { try MappedTables(scratch.path("tables/w300")) } throws: {
      "\($0)".contains("lines.arrow: does not exist")
    }
  }
}
