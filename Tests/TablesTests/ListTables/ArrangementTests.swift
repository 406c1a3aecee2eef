import Foundation
import SeededRandom
import Testing

@testable import LayoutTables
@testable import ListTables

/// Tests of arrangements in files: they have the frames that were placed, and find the rows of an interval.
@Suite struct ArrangementTests {
  private static let twoColumns = ArrangementRules(
    columns: 2, flow: .waterfall, spacing: 16, lineSpacing: 12,
    insets: .init(top: 16, left: 16, bottom: 16, right: 16))

  /// Arranges a list, and returns the arrangement of the file.
  @discardableResult
  private func arrange(
    _ path: String, _ rules: ArrangementRules = twoColumns, headers: [String] = [], footers: [String] = [],
    pinsHeaders: Bool = false,
    headersFrom: String? = nil
  ) throws -> Arrangement {
    let source = try ArrangementSource(
      path, rules, headerClasses: headers, footerClasses: footers, pinsHeaders: pinsHeaders, headersFrom: headersFrom)
    let summary = try source.summary()
    var table = try ArrangementTable(in: path, metadata: summary.metadata(source))
    var rows = source.rows
    while let frame = try rows.next() {
      try table.append(x: frame.x, y: frame.y, width: frame.width, height: frame.height, column: frame.column)
    }
    try table.finish()
    let arrangement = try #require(try MappedTables(path).arrangement())
    #expect(arrangement.summary == summary)
    return arrangement
  }

  private static func randomRows(_ count: Int, _ random: inout SplitMix) -> [SampleList.Row] {
    (0..<count).map { row in
      if random.below(20) == 0 { return .init(id: "bad \(row)", height: 0, error: "line \(row + 1): it is bad") }
      let height = random.below(30) == 0 ? 3000 : random.below(8) == 0 ? 0 : Float(random.below(900)) / 3
      return .init(id: "r\(row)", height: height, cell: random.below(9) == 0 ? "Header" : "Cell", width: 171)
    }
  }

  /// Returns the same rows at the width of the list.
  private static func wide(_ rows: [SampleList.Row]) -> [SampleList.Row] {
    rows.map {
      var row = $0
      row.width = 390
      row.height /= 2
      return row
    }
  }

  // MARK: Lines

  @Test func cellsOfUnequalWidthsFillLinesBelowHeaders() throws {
    let widths: [Float] = [390, 100, 120, 90, 200, 150]
    let list = try SampleList(
      widths.enumerated().map { row, width in
        .init(id: "\(row)", height: Float(40 + row), cell: row == 0 ? "Header" : "Cell", width: width)
      })
    let rules = ArrangementRules(
      columns: 1, flow: .justifiedWrap, spacing: 10, lineSpacing: 5,
      insets: ListInsets(top: 1, left: 15, bottom: 2, right: 15))
    let arrangement = try arrange(list.path, rules, headers: ["Header"])
    // The three cells of the first line have 310 of 360 points, the two of the last one 350.
    let frames = widths.indices.map { arrangement.frame(of: $0) }
    #expect(frames.map(\.x) == [0, 15, 140, 285, 15, 225])
    #expect(frames.map(\.y) == [0, 41, 41, 41, 89, 89])
    #expect(arrangement.summary.contentWidth == 390 && arrangement.summary.contentHeight == 136)
    #expect(arrangement.rows(overlapping: 82.5, 83) == [2..<4])
    let tooWide = ArrangementRules(columns: 1, flow: .wrap, insets: ListInsets(left: 100, right: 100))
    let room =
      "its row 0 (\"0\") is 390 points wide, but a line has 190: give the row a smaller constrainedSize, or use smaller insets"
    #expect { try arrange(list.path, tooWide) } throws: { "\($0)".contains(room) }
    let none = ArrangementRules(columns: 1, flow: .wrap, insets: ListInsets(left: 200, right: 200))
    #expect { try arrange(list.path, none) } throws: { "\($0)".contains("insets of 400 points leave no room") }
  }

  // MARK: Margins

  @Test func contentMarginsMoveAllRowsAndTheEndOfTheContent() throws {
    var random = SplitMix(seed: 12)
    let rows = Self.randomRows(300, &random)
    let list = try SampleList(rows, variant: "w171")
    let wide = try SampleList(Self.wide(rows), variant: "w390")
    var rules = Self.twoColumns
    let plain = try arrange(list.path, rules, headers: ["Header"], headersFrom: wide.path)
    rules.contentMargins = ListInsets(top: 47, left: 59, bottom: 34, right: 11)
    let moved = try arrange(list.path, rules, headers: ["Header"], headersFrom: wide.path)
    #expect(moved.summary.contentWidth == plain.summary.contentWidth + 70)
    #expect(moved.summary.contentHeight == plain.summary.contentHeight + 81)
    for row in rows.indices {
      #expect(moved.frame(of: row) == plain.frame(of: row).moved(x: 59, y: 47))
    }
  }

  /// In one column, an arrangement with margins is a list with these margins.
  @Test func marginsOfAListAndOfAnArrangementGiveTheSameAnswers() throws {
    var random = SplitMix(seed: 13)
    let list = try SampleList(
      (0..<80).map { .init(id: "\($0)", height: Float(1 + random.below(300)) / 3, width: 171) }, variant: "w171")
    let margins = ListInsets(top: 59.3, left: 0, bottom: 34, right: 0)
    let tables = try MappedTables(list.path)
    let arrangement = try arrange(list.path, ArrangementRules(columns: 1, contentMargins: margins))
    let arranged = PrefetchPlanner(tables, placement: RowPlacement(arrangement))
    let planner = PrefetchPlanner(tables, placement: RowPlacement(tables.heights, contentMargins: margins))
    for number in 0..<580 {
      // The viewports of the first queries begin where a row does.
      let offset =
        number < 80 ? planner.placement.start(number) : (random.unit() * 1.4 - 0.2) * planner.placement.contentLength
      let query = PrefetchQuery(
        offset: offset, viewport: Double(1 + random.below(900)),
        direction: random.below(2) == 0 ? .down : .up)
      let answers = [planner.answer(query), arranged.answer(query)]
      #expect(answers[0].visible.ranges == answers[1].visible.ranges, "\(query)")
      #expect(answers[0].preload.ranges == answers[1].preload.ranges, "\(query)")
      #expect(
        answers[0].remaining == answers[1].remaining && answers[0].fetchesNextBatch == answers[1].fetchesNextBatch)
    }
  }

  // MARK: Frames

  @Test func theFileHasTheFramesOfAllBatches() throws {
    let rows = (0..<70_000).map { SampleList.Row(id: "\($0)", height: Float(1 + $0 % 7), width: 171) }
    let list = try SampleList(rows, variant: "w171")
    let arrangement = try arrange(list.path)
    var placement = ArrangementPlacement(Self.twoColumns, columnWidth: 171)
    for (index, row) in rows.enumerated() {
      let frame = placement.placeCell(width: 171, height: row.height)
      if index % 97 == 0 || index > 69_990 { #expect(arrangement.frame(of: index) == frame) }
    }
    #expect(arrangement.summary.contentWidth == 390)
    #expect(arrangement.summary.contentHeight == placement.contentHeight)
    #expect(arrangement.summary.rowCount == 70_000)
  }

  @Test func arrangingAgainReplacesTheFileByTheSameBytes() throws {
    var random = SplitMix(seed: 1)
    let list = try SampleList(Self.randomRows(100, &random), variant: "w171")
    let file = URL(fileURLWithPath: list.path + "/arrangement.arrow")
    try arrange(list.path)
    let first = try Data(contentsOf: file)
    try arrange(list.path, ArrangementRules(columns: 3))
    #expect(try Data(contentsOf: file) != first)
    try arrange(list.path)
    #expect(try Data(contentsOf: file) == first)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: list.path).sorted()
        == ["arrangement.arrow", "frames.arrow", "heights.arrow", "resources.arrow"])
  }

  @Test func aListWithoutRowsHasNoHeight() throws {
    let list = try SampleList([], variant: "w171")
    let arrangement = try arrange(list.path)
    #expect(arrangement.summary.contentHeight == 0 && arrangement.summary.contentWidth == 390)
    #expect(arrangement.rows(overlapping: -10, 10).isEmpty)
  }

  @Test func aVariantThatIsNotArrangedHasNoArrangement() throws {
    let list = try SampleList([.init(id: "1", height: 1)])
    #expect(try MappedTables(list.path).arrangement() == nil)
  }

  // MARK: Intervals

  @Test func rowsOfIntervalsEqualThoseOfANaiveSearch() throws {
    var random = SplitMix(seed: 2)
    var found = 0
    for test in 0..<24 {
      let rows = Self.randomRows([1, 3, 40, 150][test % 4], &random)
      let cells = try SampleList(rows, variant: "w171")
      let wide = try SampleList(Self.wide(rows))
      var rules = Self.twoColumns
      if test % 3 == 0 { rules.flow = .grid }
      let hasHeaders = test % 2 == 0
      let arrangement = try arrange(
        cells.path, rules, headers: hasHeaders ? ["Header"] : [], headersFrom: hasHeaders ? wide.path : nil)
      let frames = rows.indices.map { arrangement.frame(of: $0) }
      let content = arrangement.summary.contentHeight
      for _ in 0..<120 {
        let lower = (random.unit() * 1.4 - 0.2) * content
        let upper = random.below(10) == 0 ? lower : lower + random.unit() * random.unit() * content
        // Bounds at the edges of cells, which only touch.
        let edges = frames[random.below(frames.count)]
        let bounds = [
          (lower, upper), (lower.rounded(), upper.rounded()), (edges.y, edges.y + Double(edges.height)),
          (edges.y + Double(edges.height), upper),
        ][random.below(4)]
        let expected = frames.indices.filter { row in
          let (top, bottom) = (frames[row].y, frames[row].y + Double(frames[row].height))
          return top < bottom && max(top, bounds.0) < min(bottom, bounds.1)
        }
        let ranges = arrangement.rows(overlapping: bounds.0, bounds.1)
        #expect(ranges.flatMap { Array($0) } == expected)
        for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound < next.lowerBound) }
        found += expected.count
      }
    }
    #expect(found > 5_000)
  }

  @Test func rowsOfIntervalsAreFoundAcrossBatches() throws {
    let rows = (0..<140_000).map { SampleList.Row(id: "\($0)", height: 10, width: 100) }
    let list = try SampleList(rows, variant: "w100")
    let arrangement = try arrange(list.path, ArrangementRules(columns: 3))
    // A line has three cells, so that row 65,535 is the first of line 21,845.
    #expect(arrangement.rows(overlapping: 218_445, 218_455) == [65_532..<65_538])
    #expect(arrangement.rows(overlapping: -.infinity, .infinity) == [0..<140_000])
    #expect(arrangement.rows(overlapping: .nan, 10).isEmpty && arrangement.rows(overlapping: 0, .nan).isEmpty)
  }

  // MARK: Headers

  @Test func headersHaveTheSizesOfTheListsOwnWidth() throws {
    let rows = [
      SampleList.Row(id: "a", height: 50, cell: "Header", width: 171), .init(id: "b", height: 60, width: 171),
      .init(id: "c", height: 70, width: 171), .init(id: "d", height: 80, width: 171),
    ]
    let cells = try SampleList(rows, variant: "w171")
    let wide = try SampleList(Self.wide(rows))
    let arrangement = try arrange(cells.path, headers: ["Header"], headersFrom: wide.path)
    #expect(arrangement.frame(of: 0) == ArrangedFrame(x: 0, y: 0, width: 390, height: 25, column: 0))
    #expect(arrangement.frame(of: 1) == ArrangedFrame(x: 16, y: 41, width: 171, height: 60, column: 0))
    #expect(arrangement.frame(of: 2) == ArrangedFrame(x: 203, y: 41, width: 171, height: 70, column: 1))
    #expect(arrangement.frame(of: 3) == ArrangedFrame(x: 16, y: 113, width: 171, height: 80, column: 0))
    #expect(arrangement.summary.contentHeight == 209)
    // A variant of another directory is not named: one with its name can lie beside the cells.
    let source = try ArrangementSource(
      cells.path, Self.twoColumns, headerClasses: ["Header"], headersFrom: wide.path)
    #expect(!arrangement.summary.metadata(source).contains { $0.key == "headers_from" })
  }

  @Test func headersAreTakenFromTheVariantOfTheListsWidthBesideTheCells() throws {
    let rows = [SampleList.Row(id: "a", height: 50, cell: "Header", width: 171)]
    let cells = try SampleList(rows, variant: "w171-t1.35")
    #expect { try arrange(cells.path, headers: ["Header"]) } throws: {
      "\($0)".contains(
        "2 columns of 171 points with insets and spacings of 48 points make a list of 390 points, but "
          + "\(cells.directory) has no w390-t1.35 for its headers: lay the rows out with --width 171,390, or name other "
          + "tables with --headers-from")
    }
    let wide = try SampleList(Self.wide(rows), variant: "w390-t1.35")
    try FileManager.default.moveItem(atPath: wide.path, toPath: cells.directory + "/w390-t1.35")
    let arrangement = try arrange(cells.path, headers: ["Header"])
    #expect(arrangement.frame(of: 0).height == 25)
    let beside = try ArrangementSource(cells.path, Self.twoColumns, headerClasses: ["Header"])
    #expect(arrangement.summary.metadata(beside).contains { $0.key == "headers_from" && $0.value == "w390-t1.35" })
    // A path through a symbolic link leads to the same directory.
    let link = cells.directory + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: cells.directory)
    defer { try? FileManager.default.removeItem(atPath: link) }
    #expect(VariantDirectory(link + "/w390-t1.35").isBeside(cells.path))
    for other in ["w390", "android-w390-t1.35"] {
      let other = try SampleList(Self.wide(rows), variant: other)
      #expect { try arrange(cells.path, headers: ["Header"], headersFrom: other.path) } throws: {
        "\($0)".contains("has another platform, text scale or scale than")
      }
      // The headers are not those of the first variant of the width either.
      try FileManager.default.moveItem(
        atPath: other.path, toPath: cells.directory + "/" + VariantDirectory(other.path).name)
      #expect(try arrange(cells.path, headers: ["Header"]).frame(of: 0).height == 25)
      let source = try ArrangementSource(cells.path, Self.twoColumns, headerClasses: ["Header"])
      #expect(source.headers?.path == cells.directory + "/w390-t1.35")
    }
  }

  /// The variants beside the link are others.
  @Test func aLinkToAVariantLeadsToTheHeadersOfItsRun() throws {
    let rows = [SampleList.Row(id: "a", height: 50, cell: "Header", width: 171)]
    let cells = try SampleList(rows, variant: "w171")
    let wide = try SampleList(Self.wide(rows))
    try FileManager.default.moveItem(atPath: wide.path, toPath: cells.directory + "/w390")
    let link = cells.directory + ".link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: cells.path)
    defer { try? FileManager.default.removeItem(atPath: link) }
    let directory = VariantDirectory(link)
    #expect(directory.name == "w171" && directory.parent == cells.directory)
    #expect(directory.isBeside(cells.directory + "/w390"))
    let arrangement = try arrange(link, headers: ["Header"])
    #expect(arrangement.frame(of: 0).height == 25 && arrangement.headerResources != nil)
  }

  /// The directories of two runs can be copied beside each other.
  @Test func headersOfAnotherRunBesideTheCellsAreAnError() throws {
    let rows = [
      SampleList.Row(id: "a", height: 50, cell: "Header", width: 171), .init(id: "b", height: 60, width: 171),
      .init(id: "c", height: 50, cell: "Header", width: 171),
    ]
    let cells = try SampleList(rows, variant: "w171")
    let beside = cells.directory + "/w390"
    func lieBeside(_ rows: [SampleList.Row]) throws {
      let wide = try SampleList(Self.wide(rows))
      try? FileManager.default.removeItem(atPath: beside)
      try FileManager.default.moveItem(atPath: wide.path, toPath: beside)
    }
    try lieBeside(rows)
    try arrange(cells.path, headers: ["Header"])
    var changed = rows
    changed[2].height = 70
    var renamed = rows
    renamed[0].id = "x"
    for (others, difference) in [
      (Array(rows[..<2]), "has 2 rows instead of 3"), (changed, "its row 2 is another header"),
      (renamed, "its row 0 is another header"),
    ] {
      try lieBeside(others)
      #expect { _ = try MappedTables(cells.path).arrangement() } throws: {
        "\($0)"
          == "\(beside): \(difference), as it is of another run than \(cells.path)/arrangement.arrow, which has its headers "
          + "from here; lay both widths out in one run, and arrange the list again (galley arrange)"
      }
    }
    // The cells of the list are not those of the other variant.
    changed = rows
    changed[1].height = 90
    try lieBeside(changed)
    #expect(try MappedTables(cells.path).arrangement()?.headerResources != nil)
  }

  /// A header that is bad at one of the two widths is a header too, and takes no place.
  @Test func aHeaderThatIsBadAtTheListsWidthTakesNoPlace() throws {
    let rows = [
      SampleList.Row(id: "a", height: 50, cell: "Header", width: 171), .init(id: "b", height: 60, width: 171),
    ]
    let cells = try SampleList(rows, variant: "w171")
    let wide = try SampleList([.init(id: "a", height: 0, error: "line 1: it is bad"), rows[1]])
    let arrangement = try arrange(cells.path, headers: ["Header"], headersFrom: wide.path)
    #expect(arrangement.frame(of: 0) == ArrangedFrame(x: 0, y: 0, width: 0, height: 0, column: 0))
    #expect(arrangement.frame(of: 1).y == 16)
  }

  @Test func headersOfOtherRowsAreAnError() throws {
    let rows = [
      SampleList.Row(id: "a", height: 50, cell: "Header", width: 171), .init(id: "b", height: 60, width: 171),
    ]
    let cells = try SampleList(rows, variant: "w171")
    let fewer = try SampleList([rows[0]])
    #expect { try arrange(cells.path, headers: ["Header"], headersFrom: fewer.path) } throws: {
      "\($0)"
        == "\(fewer.path): has 1 rows, but \(cells.path) has 2; lay both widths out in one run: --width 171,390"
    }
    let swapped = try SampleList([rows[1], rows[0]])
    #expect { try arrange(cells.path, headers: ["Header"], headersFrom: swapped.path) } throws: {
      "\($0)".hasSuffix(
        ": its row 0 is \"b\", but that of \(cells.path) is \"a\"; lay both widths out in one run: --width 171,390")
    }
  }

  @Test func headerClassesOfWhichThereIsNoRowAreNamed() throws {
    let rows = [SampleList.Row(id: "a", height: 50, cell: "Header", width: 171)]
    let cells = try SampleList(rows, variant: "w171")
    let wide = try SampleList(Self.wide(rows))
    let source = try ArrangementSource(
      cells.path, Self.twoColumns, headerClasses: ["Header", "Heder"], headersFrom: wide.path)
    #expect(source.missingHeaderClasses == ["Heder"])
  }

  // MARK: Widths

  @Test func aWidthThatDoesNotFitNamesTheWidthToLayOutAt() throws {
    let rows = [SampleList.Row(id: "a", height: 50)]
    let list = try SampleList(rows)
    #expect { try arrange(list.path, headers: ["Header"], headersFrom: list.path) } throws: {
      "\($0)"
        == "\(list.path): 2 columns of 390 points with insets and spacings of 48 points make a list of 828 points, but "
        + "that of \(list.path) has 390: lay the rows out with --width 171"
    }
    var rules = Self.twoColumns
    rules.columns = 3
    #expect { try arrange(list.path, rules, headers: ["Header"], headersFrom: list.path) } throws: {
      "\($0)".hasSuffix("lay the rows out with --width 108.667")
    }
    rules.spacing = 200
    #expect { try arrange(list.path, rules, headers: ["Header"], headersFrom: list.path) } throws: {
      "\($0)".hasSuffix("use fewer columns, or smaller insets and spacings")
    }
    let thirds = try SampleList([.init(id: "a", height: 50, width: 108.667)], variant: "w108.667")
    rules.spacing = 16
    #expect(
      try arrange(thirds.path, rules, headers: ["Header"], headersFrom: list.path).summary.contentWidth == 390)
  }

  @Test func aCellThatIsWiderThanItsColumnIsAnErrorAndANarrowerOneIsNot() throws {
    let narrow = try SampleList([.init(id: "a", height: 50, width: 100)], variant: "w171")
    #expect(try arrange(narrow.path).frame(of: 0).width == 100)
    let wide = try SampleList([.init(id: "a", height: 50), .init(id: "b", height: 5, width: 200)], variant: "w390")
    #expect(try arrange(wide.path).frame(of: 1).x == 422)
    let wider = try SampleList([.init(id: "a", height: 50, width: 171), .init(id: "b", height: 5)], variant: "w171")
    #expect { try arrange(wider.path) } throws: {
      "\($0)"
        == "\(wider.path): its row 1 (\"b\") is 390 points wide, but a column has 171: lay the rows out with --width "
        + "171, or correct the row's constrainedSize"
    }
    let hidden = try SampleList([.init(id: "a", height: 50, width: 171), .init(id: "b", height: 0)], variant: "w171")
    #expect(try arrange(hidden.path).summary.contentHeight == 82)
  }

  /// Texture and Android round the sizes of cells up to whole pixels, which a column of a third of a list may not have.
  @Test(arguments: [
    ("w108.67", 109.0, true), ("w108.67", 109.5, false), ("w108.67@3x", 109, true), ("w108.67@3x", 109.2, false),
    ("android-w411.43-t1.35@2.625x", 411.8095, true), ("android-w411.43-t1.35@2.625x", 412.2, false),
  ])
  func aCellCanBeRoundedUpToAPixelBeyondItsColumn(variant: String, width: Float, fits: Bool) throws {
    let list = try SampleList([.init(id: "a", height: 50, width: width)], variant: variant)
    let frame = try? arrange(list.path).frame(of: 0)
    #expect((frame?.width == width) == fits && (frame == nil) == !fits)
  }

  @Test func aRenamedDirectoryHasTheWidthOfItsRows() throws {
    let list = try SampleList([.init(id: "a", height: 50, width: 171)], variant: "small")
    #expect(try arrange(list.path).summary.contentWidth == 390)
    #expect { try arrange(list.path, headers: ["Header"]) } throws: {
      "\($0)".hasSuffix("is not named as a variant; name the tables that have the headers with --headers-from")
    }
  }

  @Test func aRenamedDirectoryHasTheWidthThatItsTablesState() throws {
    let list = try SampleList([.init(id: "a", height: 50, width: 100)], variant: "w171")
    let renamed = list.directory + "/feed"
    try FileManager.default.moveItem(atPath: list.path, toPath: renamed)
    #expect(try arrange(renamed).summary.contentWidth == 390)
  }

  @Test func headersAreThoseOfTheNearestWidth() throws {
    let rows = [SampleList.Row(id: "a", height: 50, cell: "Header", width: 171)]
    let cells = try SampleList(rows, variant: "w171")
    for width in ["389.96", "390", "390.04"] {
      let wide = try SampleList(Self.wide(rows), variant: "w\(width)")
      try FileManager.default.moveItem(atPath: wide.path, toPath: cells.directory + "/w\(width)")
    }
    let source = try ArrangementSource(cells.path, Self.twoColumns, headerClasses: ["Header"])
    #expect(source.headers?.path == cells.directory + "/w390")
  }

  // MARK: Files that do not belong to the tables

  @Test func tablesThatAreReplacedWhileTheyAreArrangedAreAnError() throws {
    let list = try SampleList([.init(id: "a", height: 50, width: 171)], variant: "w171")
    let source = try ArrangementSource(list.path, Self.twoColumns)
    try source.check()
    let other = try SampleList([.init(id: "a", height: 50, width: 171)], variant: "w171")
    try FileManager.default.removeItem(atPath: list.path)
    try FileManager.default.moveItem(atPath: other.path, toPath: list.path)
    #expect { try source.check() } throws: { "\($0)".contains("heights.arrow: was changed while it was open") }
  }

  @Test func anArrangementOfAnotherRunIsAnError() throws {
    let (first, second) = (
      SampleList.Row(id: "a", height: 50, width: 171), SampleList.Row(id: "b", height: 20, width: 171)
    )
    let list = try SampleList([first, second], variant: "w171")
    try arrange(list.path)
    for (rows, message) in [
      ([first, .init(id: "b", height: 21, width: 171)], "is of other heights than those in heights.arrow"),
      ([second, first], "is of other heights than those in heights.arrow"),
      ([.init(id: "a", height: 70)], "has 2 rows, but heights.arrow has 1"),
    ] {
      let other = try SampleList(rows, variant: "w171")
      try FileManager.default.copyItem(
        atPath: list.path + "/arrangement.arrow", toPath: other.path + "/arrangement.arrow")
      #expect { _ = try MappedTables(other.path).arrangement() } throws: {
        "\($0)".contains(message) && "\($0)".hasSuffix("arrange the list again (galley arrange)")
      }
    }
  }

  @Test func damagedArrangementsAreErrorsOrValuesButNeverEndTheProcess() throws {
    var random = SplitMix(seed: 3)
    let list = try SampleList(Self.randomRows(30, &random), variant: "w171")
    try arrange(list.path)
    let path = list.path + "/arrangement.arrow"
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let heights = try Heights(list.path + "/heights.arrow")
    for count in stride(from: 0, to: whole.count, by: 23) {
      try whole.prefix(count).write(to: URL(fileURLWithPath: path))
      #expect(throws: TableError.self) { _ = try Arrangement(in: list.path, of: heights) }
    }
    var refused = 0
    for _ in 0..<500 {
      var changed = whole
      for _ in 0...random.below(4) { changed[random.below(whole.count)] = UInt8(random.below(256)) }
      try changed.write(to: URL(fileURLWithPath: path))
      do {
        let arrangement = try #require(try Arrangement(in: list.path, of: heights))
        for row in 0..<30 { _ = arrangement.frame(of: row) }
        _ = arrangement.rows(overlapping: 0, 500)
      } catch is TableError { refused += 1 }
    }
    #expect(refused > 50)
  }
}
