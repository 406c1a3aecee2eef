import Buffers
import GalleyTestSupport
import Hashing
import ListTables
import TableFormats
import Testing

@testable import LayoutTables

/// Tests of the margins of rows in jobs and tables.
@Suite struct MarginColumnsTests {
  private static let margins: [RowMargins?] = [
    RowMargins(narrower: 0.25, wider: 3), nil, RowMargins(narrower: .infinity, wider: .infinity),
    RowMargins(narrower: 0, wider: .infinity),
  ]

  /// Returns the columns of rows, of which the one with the number 1 is bad.
  private func columns(rows: Int, hasHashes: Bool, hasMargins: Bool = true) -> [UInt8] {
    let job = JobColumns()
    for row in 0..<rows {
      if hasHashes { job.append(RowHash(ByteString("row").bytes, hasOwnID: true)) }
      if row == 1 {
        job.appendBadRow(id: "x", error: "bad")
        continue
      }
      job.appendRowWithoutFrames(width: 100)
      if hasMargins {
        let margins = PackedMargins(Self.margins[row % Self.margins.count], holdsForWidth: row % 2 == 0)
        job.columns.margins.append(margins.bits)
      }
    }
    return OwnedBytes(job).withBytes { Array($0) }
  }

  @Test func marginsAreReadBackWithAndWithoutHashes() throws {
    for rows in 1...9 {
      for hasHashes in [false, true] {
        for hasMargins in [false, true] {
          try columns(rows: rows, hasHashes: hasHashes, hasMargins: hasMargins).withUnsafeBytes { bytes in
            let table = try JobTable(bytes, rows: rows, typeCount: 1)
            #expect((table.hash(of: 0) == .unknown) == !hasHashes, "\(rows) rows")
            for row in 0..<rows {
              let expected = hasMargins && row != 1 ? Self.margins[row % Self.margins.count] : nil
              #expect(table.margins(of: row).margins == expected, "row \(row) of \(rows)")
              #expect(table.margins(of: row).holdsForWidth == (hasMargins && row % 2 == 0), "row \(row) of \(rows)")
            }
          }
        }
      }
    }
  }

  @Test func malformedMarginsAreRefused() {
    var bytes = columns(rows: 3, hasHashes: false)
    bytes.replaceSubrange(bytes.count - 8..<bytes.count, with: [0, 0, 0, 0, 0, 0, 0x80, 0xbf])
    #expect(throws: JobTable.Malformed(reason: "a margin that is no number from 0")) {
      try bytes.withUnsafeBytes { _ = try JobTable($0, rows: 3, typeCount: 1) }
    }
  }

  @Test func tablesHaveTheMarginsAndTheShareOfUncertainRows() throws {
    let scratch = Scratch()
    let tables = try BatchTables(scratch.path("tables"), variants: [("w1", 2)], types: ["node"])
    try columns(rows: 8, hasHashes: true).withUnsafeBytes { try tables.take([JobTable($0, rows: 8, typeCount: 1)]) }
    var shares: [Double?] = []
    try tables.finish { summaries in
      shares = summaries.map(\.uncertainShare)
      return []
    }
    // Of the rows 0, 2, 3, 4, 6 and 7 those with a margin of 0 or 0.25.
    #expect(shares == [4.0 / 6])
    let heights = try Heights(scratch.path("tables/w1/heights.arrow"))
    for row in 0..<8 {
      #expect(heights.margins(of: row) == (row == 1 ? nil : Self.margins[row % Self.margins.count]), "row \(row)")
      #expect(heights.holdsForWidth(row) == (row % 2 == 0), "row \(row)")
    }
  }

  @Test func tablesOfAnEarlierVersionHaveNoMargins() throws {
    let tables = try MappedTables(Fixtures.url("tables-0.5.0/w320").path)
    #expect(tables.heights.rowCount == 3 && tables.heights.contentHeight == 60)
    #expect((0..<3).allSatisfy { tables.heights.margins(of: $0) == nil && !tables.heights.holdsForWidth($0) })
    #expect(try tables.heights.id(of: 2) == "row-2")
  }

  @Test func marginsHoldForSmallerChanges() {
    let margins = RowMargins(narrower: 2, wider: .infinity)
    #expect(margins.hold(for: -1.9) && margins.hold(for: 0) && margins.hold(for: 1000))
    #expect(!margins.hold(for: -2) && margins.isUncertain(within: 2.5) && !margins.isUncertain(within: 2))
    #expect(RowMargins(narrower: 0, wider: 0).hold(for: 0))
  }
}
