import CellTemplates
import GalleyTestSupport
import Testing

@testable import BatchLayout

@Suite struct OverflowSummaryTests {
  private func findings(_ widths: Int...) throws -> [OverflowFinding] {
    let stacks = widths.map {
      #"{"type":"stack","children":[{"type":"node","id":"n","style":{"width":\#($0),"height":1}}]}"#
    }
    return try CellInspectionTests.inspect(
      #"{"type":"stack","direction":"vertical","children":[\#(stacks.joined(separator: ","))]}"#, width: 100
    ).overflow
  }

  @Test func anElementIsReportedOnceWithItsWorstRow() throws {
    var summary = OverflowSummary()
    summary.add(try findings(110), cell: "A", row: 0, position: "r:1")
    summary.add(try findings(160), cell: "A", row: 4, position: "r:9")
    summary.add(try findings(105), cell: "A", row: 5, position: "r:10")
    summary.add(try findings(90), cell: "A", row: 6, position: "r:11")
    #expect(summary.all.count == 1)
    let entry = try #require(summary.all.first)
    #expect(entry.path == ["cells", "A", "layout", "children", "0"])
    #expect(entry.worstPosition == "r:9")
    #expect(
      entry.message
        == #"children are longer than the stack and none may shrink: give "n" flexShrink: 1; 3 rows, row 4 by 60 pt at most"#
    )
  }

  @Test func entriesAreSortedByPathAndSeparatedByClass() throws {
    var summary = OverflowSummary()
    summary.add(try findings(110, 120), cell: "B", row: 0, position: "r:1")
    summary.add(try findings(130), cell: "A", row: 1, position: "r:2")
    summary.add(try findings(130), cell: "", row: 2, position: "r:3")
    #expect(
      summary.all.map { CellError.format($0.path) } == [
        "cells.A.layout.children[0]", "cells.B.layout.children[0]", "cells.B.layout.children[1]", "layout.children[0]",
      ])
    #expect(summary.all.allSatisfy { $0.message.contains("; 1 row, ") })
  }
}
