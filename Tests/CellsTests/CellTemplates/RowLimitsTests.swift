import Buffers
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import CellTemplates

/// The bytes that a row becomes are bounded before they are put together.
@Suite struct RowLimitsTests {
  private static let limit = "the texts, URLs and names of the cell have more than 8 MiB, the limit for a row"

  /// Binds a row whose items repeat an element, and returns its error or the number of its elements.
  private func bind(_ element: String, items: Int, field: String) throws -> String {
    let layout = #"{"type":"stack","children":[{"forEach":"items",\#(element)}]}"#
    let binder = RowBinder(try Programs.compile(#"{"cells":{"A":{"layout":\#(layout)}}}"#))
    let row = #"{"long":"\#(field)","items":[\#(Array(repeating: "1", count: items).joined(separator: ","))]}"#
    do throws(CellError) {
      try binder.read(Programs.row(row))
      try binder.bind(SizeRange(width: 100))
      return "\(binder.elementCount)"
    } catch { return error.message }
  }

  @Test(arguments: [
    #""type":"networkImage","url":"{long}","style":{"width":1,"height":1}"#,
    #""type":"networkImage","url":"http://{long}","style":{"width":1,"height":1}"#,
    #""type":"node","style":{"width":"{long}{long}{long}{long}{long}{long}{long}{long}{long}"}"#,
  ])
  func aLongFieldThatIsRepeatedIsABadRow(element: String) throws {
    let field = String(repeating: "x", count: 976 << 10)
    #expect(try bind(element, items: 1000, field: field) == Self.limit)
    #expect(try bind(element, items: 10_000, field: "") != Self.limit)
  }

  @Test func aLongNameThatIsRepeatedIsABadRow() throws {
    let name = String(repeating: "n", count: 10_000)
    #expect(try bind(#""type":"node","id":"\#(name)""#, items: 10_000, field: "") == Self.limit)
    #expect(try bind(#""type":"node","id":"\#(name)""#, items: 800, field: "") == "801")
  }

  /// Whatever fields are repeated, the composed strings take no more memory than the limit.
  @Test func theStringsOfAnyRowAreBounded() throws {
    var random = SplitMix(seed: 10)
    var bad = 0
    for _ in 0..<40 {
      let pieces = (0..<1 + random.below(5)).map { _ in ["{long}", "-", "{items}", "{missing?}"][random.below(4)] }
      let length = 1 << random.below(21)
      let element = #""type":"networkImage","url":"\#(pieces.joined())","style":{"width":1,"height":1}"#
      let layout = #"{"type":"stack","children":[{"forEach":"items",\#(element)}]}"#
      let binder = RowBinder(try Programs.compile(#"{"cells":{"A":{"layout":\#(layout)}}}"#))
      let items = Array(repeating: "1", count: 1 + random.below(300)).joined(separator: ",")
      try binder.read(Programs.row(#"{"long":"\#(String(repeating: "x", count: length))","items":[\#(items)]}"#))
      do { try binder.bind(SizeRange(width: 100)) } catch { bad += 1 }
      #expect(binder.arena.pointee.size <= RowBinder.maxStringBytes)
      #expect(binder.state.stringBytes <= RowBinder.maxStringBytes + 4 << 20)
    }
    #expect(bad > 5)
  }
}
