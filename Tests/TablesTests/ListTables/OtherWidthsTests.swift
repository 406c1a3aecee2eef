import Buffers
import Foundation
import GalleyTestSupport
import LayoutTables
import ListTables
import TableFormats
import Testing

/// Tests of heights in lists of other widths than those that were laid out.
@Suite struct OtherWidthsTests {
  /// Writes the tables of variants with one row for each margin, which hold for the width unless `holds` is false.
  private func write(_ names: [String], _ margins: [RowMargins?], holds: Bool = true) throws -> Scratch {
    let job = JobColumns()
    for margins in margins {
      job.appendRowWithoutFrames(width: 390)
      job.columns.margins.append(PackedMargins(margins, holdsForWidth: holds).bits)
    }
    let scratch = Scratch()
    let tables = try BatchTables(scratch.path("run"), variants: names.map { ($0, 2) }, types: ["node"])
    try withExtendedLifetime(job) { try tables.take(names.map { _ in JobTable(job) }) }
    try tables.finish { _ in [] }
    return scratch
  }

  @Test func aHeightIsCertainWithinTheMarginsOfItsRow() throws {
    let scratch = try write(["android-w390@3x"], [RowMargins(narrower: 2, wider: 0.5), nil])
    let heights = try Heights(scratch.path("run/android-w390@3x/heights.arrow"))
    #expect(heights.variant == "android-w390@3x")
    let certain = [387.9, 388, 388.1, 390, 390.4, 390.5].map { heights.height(of: 0, inWidth: $0).isCertain }
    #expect(certain == [false, false, true, true, true, false])
    // A row without texts has its height in all widths.
    #expect(heights.height(of: 1, inWidth: 20) == (20, true))
  }

  @Test func aRowThatDependsOnTheWidthIsOnlyCertainInItsOwn() throws {
    let scratch = try write(["w390"], [RowMargins(narrower: .infinity, wider: .infinity), nil], holds: false)
    let heights = try Heights(scratch.path("run/w390/heights.arrow"))
    for row in 0..<2 {
      #expect(heights.height(of: row, inWidth: 390) == (20, true))
      #expect(heights.height(of: row, inWidth: 390.1) == (20, false))
    }
  }

  @Test func nothingIsCertainInTablesOfAnEarlierVersion() throws {
    let heights = try Heights(Fixtures.url("tables-0.5.0/w320").path + "/heights.arrow")
    #expect(heights.variant == nil && heights.height(of: 0, inWidth: 320) == (20, false))
  }

  @Test func theVariantWithTheNearestWidthIsFound() throws {
    let scratch = try write(["w320", "w390", "web-w400", "w360-t1.35"], [nil])
    func name(_ width: Double, _ platform: String = "texture", _ scales: String = "") throws -> String {
      try VariantDirectory(forWidth: width, in: scratch.path("run"), platform: platform, scales: scales).name
    }
    #expect(try [1, 355, 355.1, 2000].map { try name($0) } == ["w320", "w320", "w390", "w390"])
    #expect(try name(100, "web") == "web-w400" && name(100, "texture", "-t1.35") == "w360-t1.35")
    let error = #expect(throws: TableError.self) { try name(390, "flutter") }
    #expect(error?.reason == "has no variant flutter-w…, only w320, w360-t1.35, w390, web-w400")
  }
}
