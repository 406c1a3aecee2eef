import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `galley arrange`: where it writes, what it prints, and its errors.
@Suite struct ArrangeCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    cells:
      Card: {layout: {type: node, id: card, style: {height: "{height}"}}}
      SectionHeader: {layout: {type: ratio, ratio: 0.1, child: {type: node, id: header}}}
    """

  private static let rows = """
    {"id":"h","cell":"SectionHeader"}
    {"id":"a","cell":"Card","height":100}
    {"id":"b","cell":"Card","height":60.5}
    {"id":"bad","cell":"Card","height":"high"}
    {"id":"c","cell":"Card","height":50}
    """

  private func layout(_ widths: String, _ more: String...) throws -> Galley.Outcome {
    let cells = try scratch.file("cells.yaml", Self.cells)
    return try scratch.layOut("-", cells, width: widths, to: "tables", more, input: Self.rows)
  }

  private func arrange(_ variant: String, _ more: String...) throws -> Galley.Outcome {
    try Galley.run(["arrange", scratch.path("tables/\(variant)")] + more)
  }

  private static let gaps = ["--columns=2", "--spacing=16", "--line-spacing=12", "--inset=16,16,16,16"]

  @Test func theSizeOfTheContentIsPrinted() throws {
    #expect(try layout("171,390").code == 3)
    let path = scratch.path("tables/w171")
    // The header has 17 points in a column and 39 points as a header.
    let grid = try Galley.run(["arrange", path] + Self.gaps)
    #expect(grid.code == 0 && grid.errors.isEmpty, "\(grid.errors)")
    #expect(grid.output == "\(path): 5 rows in 2 columns, 390 x 204.5 points\n")
    let waterfall = try Galley.run(["arrange", path, "--waterfall", "--headers=SectionHeader", "--json"] + Self.gaps)
      .expectSuccess()
    #expect(
      waterfall.output == #"{"columns":2,"content_height":193.5,"content_width":390,"rows":5}"# + "\n")
    #expect(try scratch.tables("tables").keys.contains("w171/arrangement.arrow"))
    let gaps = try arrange("w390", "--line-spacing", "8")
    #expect(gaps.output.hasSuffix("/w390: 5 rows in 1 column, 390 x 273.5 points\n"), "\(gaps.output)")
    #expect(gaps.errors.isEmpty)
  }

  @Test func optionsForSeveralColumnsAreAWarningWithOne() throws {
    #expect(try layout("390").code == 3)
    let outcome = try arrange("w390", "--spacing", "8", "--waterfall")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == """
        galley: --waterfall has no effect: the list has one column
        galley: --spacing has no effect: the list has one column

        """)
  }

  @Test func cellsOfUnequalWidthsFillLines() throws {
    let cells = try scratch.file(
      "tags.yaml",
      """
      version: 1
      cells:
        Tag: {layout: {type: node, id: tag, style: {width: "{w}", height: 30}}}
      """)
    let tags = [200, 150, 80].enumerated().map { index, width in
      #"{"id":"\#(index)","w":\#(width),"constrainedSize":{"min":[0,0],"max":[390,100]}}"#
    }
    try scratch.layOut("-", cells, to: "tags", input: tags.joined(separator: "\n")).expectSuccess()
    let path = scratch.path("tags/w390")
    let outcome = try Galley.run(["arrange", path, "--wrap", "--justify", "--spacing=8", "--line-spacing=10"])
    #expect(outcome.output == "\(path): 3 rows in lines, 390 x 70 points\n", "\(outcome.errors)")
    for (options, message) in [
      (["--wrap", "--columns=2"], "--wrap and --columns exclude each other"),
      (["--wrap", "--waterfall"], "--wrap and --waterfall exclude each other"),
      (["--justify"], "--justify needs --wrap"),
      (["--pin-headers"], "--pin-headers needs --headers"),
      (["--footers=A,,B"], "--footers needs the names of cell classes"),
      (["--headers-from=x"], "--headers-from needs --headers or --footers"),
      (["--content-margins=1,2,3"], "--content-margins needs four numbers"),
      (["--content-margins=1,2,3,-4"], "--content-margins -4 is not a length"),
    ] {
      try Galley.run(["arrange", path] + options).expectFailure(2, message)
    }
  }

  @Test func aPinnedHeaderIsVisibleInItsWholeSection() throws {
    #expect(try layout("390").code == 3)
    let path = scratch.path("tables/w390")
    #expect(try Galley.run(["arrange", path, "--headers=SectionHeader", "--pin-headers", "--footers=Foter"]).code == 0)
    let query = ["prefetch", path, "--offset", "145", "--viewport", "10", "--mode", "visibleOnly", "--no-resources"]
    let outcome = try Galley.run(query)
    #expect(outcome.output.hasPrefix(#"{"visible":[[0,1],[2,3]],"#), "\(outcome.output)")
  }

  @Test func prefetchUsesAnArrangementUnlessItIsToldNotTo() throws {
    #expect(try layout("171,390").code == 3)
    let path = scratch.path("tables/w171")
    #expect(try Galley.run(["arrange", path] + Self.gaps).code == 0)
    // The second line begins at 128: row 2 has 60.5 points, the bad row 3 none, and row 4 50 points.
    let queries = """
      {"offset": 130, "viewport": 20}
      {"offset": 180, "viewport": 5}
      {"offset": 118, "viewport": 10}
      """
    let options = ["prefetch", path, "--mode", "visibleOnly", "--no-resources", "--queries", "-"]
    let run = try Galley.run(options, input: queries)
    #expect(
      run.output == """
        {"visible":[[2,3],[4,5]],"display":[[2,3],[4,5]],"preload":[[2,3],[4,5]],"fetch_next_batch":false,"remaining":54.5}
        {"visible":[[2,3]],"display":[[2,3]],"preload":[[2,3]],"fetch_next_batch":false,"remaining":19.5}
        {"visible":[],"display":[],"preload":[],"fetch_next_batch":false,"remaining":76.5}

        """,
      "\(run.errors)")
    let plain = try Galley.run(options + ["--no-arrangement"], input: queries)
    #expect(plain.output.hasPrefix(#"{"visible":[2,3],"#), "\(plain.output)")
    // An arrangement of other rows is an error.
    let row = #"{"id":"a","cell":"Card","height":100}"#
    try scratch.layOut("-", scratch.path("cells.yaml"), width: "171", to: "other", input: row).expectSuccess()
    try FileManager.default.copyItem(
      atPath: path + "/arrangement.arrow", toPath: scratch.path("other/w171/arrangement.arrow"))
    try Galley.run(["prefetch", scratch.path("other/w171"), "--offset", "0", "--viewport", "100"]).expectFailure(
      1, "as it is of another run; arrange the list again (galley arrange)")
  }

  @Test func aNewRunReplacesTheDirectoryOfAnArrangement() throws {
    #expect(try layout("171,390").code == 3)
    #expect(try arrange("w171").code == 0)
    // What a process that was killed leaves.
    let leftover = scratch.path("tables/w171/arrangement.arrow.galley-partial-abcdef")
    try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: false)
    _ = try scratch.file("tables/w171/arrangement.arrow.galley-partial-abcdef/file", "ARROW1")
    #expect(try layout("171", "--force").code == 3)
    #expect(try !scratch.tables("tables").keys.contains("w171/arrangement.arrow"))
    try FileManager.default.createDirectory(atPath: leftover, withIntermediateDirectories: false)
    #expect(try arrange("w171").code == 0)
    #expect(!FileManager.default.fileExists(atPath: leftover))
  }

  @Test func whatIsNoFileIsNotReplacedThroughALink() throws {
    #expect(try layout("171,390").code == 3)
    let pipe = scratch.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("tables/w171/arrangement.arrow"), withDestinationPath: pipe)
    try arrange("w171").expectFailure(1, "\(pipe): is not a regular file, and is not replaced")
    #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
  }

  @Test func aWidthThatDoesNotFitNamesTheWidthToLayOutAt() throws {
    #expect(try layout("171,390").code == 3)
    let list = scratch.path("tables/w390")
    let outcome = try Galley.run(["arrange", list, "--headers=SectionHeader", "--headers-from", list] + Self.gaps)
    #expect(outcome.code == 1)
    #expect(
      outcome.errors == "galley: \(list): 2 columns of 390 points with insets and spacings of 48 points make a list of "
        + "828 points, but that of \(list) has 390: lay the rows out with --width 171\n")
    try arrange("w171", "--columns=3", "--headers=SectionHeader").expectFailure(
      1, "lay the rows out with --width 171,513, or name other tables")
  }

  @Test func aHeaderClassThatNoRowHasIsAWarning() throws {
    #expect(try layout("171,390").code == 3)
    let outcome = try Galley.run(
      ["arrange", scratch.path("tables/w171"), "--headers", "SectionHeader,Sectionheader"] + Self.gaps)
    #expect(outcome.code == 0)
    #expect(
      outcome.errors == "galley: no row has the cell class \"Sectionheader\" of --headers "
        + "(did you mean \"SectionHeader\"?)\n")
  }

  @Test(arguments: [
    (["--columns=0"], "--columns 0 is not a number of columns from 1 to 1024"),
    (["--columns=1025"], "--columns 1025 is not"), (["--columns=two"], "'two' is invalid"),
    (["--spacing=nan"], "--spacing nan is not a length; a length is at least 0 and below 10000000 points"),
    (["--line-spacing=-1"], "--line-spacing -1 is not a length"),
    (["--inset=1,2,3,inf"], "--inset inf is not a length"),
    (["--inset=16"], "--inset needs four numbers: top,left,bottom,right, such as 16,16,16,16"),
    (["--headers-from=tables/w390"], "--headers-from needs --headers"),
    (["--headers=A,B", "--footers=C,B"], "--headers and --footers both name B; a cell is a header or a footer"),
    (["--headers=A,,B"], "--headers needs the names of cell classes"),
  ])
  func invalidOptionsAreUsageErrors(options: [String], message: String) throws {
    try Galley.run(["arrange", "tables/w171"] + options).expectFailure(2, message)
  }

  @Test func tablesThatAreMissingAreAnError() throws {
    #expect(try layout("171").code == 3)
    try Galley.run(["arrange", scratch.path("tables")]).expectFailure(
      1, "has no tables of its own; give one of its variants w171")
    try arrange("w390").expectFailure(1, "does not exist; ")
  }
}
