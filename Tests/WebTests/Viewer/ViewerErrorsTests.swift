import BatchLayout
import Foundation
import GalleyTestSupport
import ListTables
import RowsFiles
import Testing

@testable import Viewer

/// Tests of requests that are wrong, and of files that do not belong together.
@Suite struct ViewerErrorsTests {
  private static let wrong = [
    ("/cells/w390", 400), ("/cells/w390?first=0&end=601", 400), ("/cells/w390?first=5&end=4", 400),
    ("/cells/w390?first=-1&end=4", 400), ("/cells/w390?first=0&end=1e3", 400), ("/cells/w391?first=0&end=4", 404),
    ("/cells/w390?first=0&end=501", 400), ("/cells", 404), ("/cells/w390/1?first=0&end=4", 404), ("/heights/", 404),
    ("/heights/w390?revision=2", 409), ("/cells/w390?first=0&end=4&revision=0", 409),
    ("/cells/w390?first=0&end=601&revision=0", 409), ("/inspect/w390/600?revision=0", 409),
    ("/heights/w391?revision=0", 409),
    ("/prefetch/w390?offset=nan&viewport=1", 400), ("/prefetch/w390?offset=0&viewport=-1", 400),
    ("/prefetch/w390?viewport=1", 400), ("/changes/w390", 404), ("/replay/w390", 404), ("/find", 400),
    ("/tallest/w390?count=100000000", 400), ("/unknown", 404),
  ]

  @Test func aWrongRequestIsRefused() throws {
    let sample = try ViewedSample(ViewedSample.rows(600), widths: [390])
    _ = try sample.viewer(hasTexts: false)
    for (target, status) in Self.wrong {
      let response = try sample.get(target)
      #expect(response.status == status, "\(target)")
      #expect(response.headers["content-type"] == "application/problem+json", "\(target)")
      let problem = try JSON(parsing: Data(response.body))
      #expect(problem["detail"]?.string?.isEmpty == false, "\(target)")
    }
  }

  private static let hostile = [
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/etc/passwd", "/..%2f..%2fetc/passwd",
    "/w390/heights.arrow", "/tables/w390/heights.arrow", "/manifest.json", "/cells/..%2fw390?first=0&end=1",
    "/cells/%2e%2e?first=0&end=1", "/heights/../manifest.json", "/heights/.%00", "/fonts/../../etc/passwd",
    "/secret.txt", "/index.html/..", "/Pages/index.html",
  ]

  @Test func aPathDoesNotLeaveWhatIsServed() throws {
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    try FileManager.default.createSymbolicLink(
      atPath: sample.directory + "/secret.txt", withDestinationPath: "/etc/passwd")
    _ = try sample.viewer()
    for target in Self.hostile {
      let status = try sample.get(target).status
      #expect(status == 404, "\(target)")
    }
  }

  @Test func aVariantThatIsALinkToAnotherDirectoryIsNotShown() throws {
    let other = try ViewedSample(ViewedSample.rows(3), widths: [430])
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    try FileManager.default.createSymbolicLink(
      atPath: sample.directory + "/w430", withDestinationPath: other.directory + "/w430")
    let run = try ViewedRun(sample.directory)
    #expect(run.variants.map(\.name) == ["w390"])
    #expect(run.remarks.count == 1 && run.remarks[0].contains("w430"))
    _ = try sample.viewer(hasTexts: false)
    #expect(try sample.get("/heights/w430").status == 404)
  }

  @Test func onlyReadingIsAllowed() throws {
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    _ = try sample.viewer(hasTexts: false)
    #expect(try sample.get("/list.json", method: "DELETE").status == 405)
    #expect(try sample.get("/list.json", method: "HEAD").status == 200)
  }

  @Test func thePageRunsNoScriptsOfOthers() throws {
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    _ = try sample.viewer(hasTexts: false)
    let policy = try #require(try sample.get("/").headers["content-security-policy"])
    #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
    #expect(!policy.contains("unsafe") && !policy.contains("https:"))
    var options = ViewService.Options()
    options.loadsImages = true
    _ = try sample.viewer(hasTexts: false, options)
    let withImages = try #require(try sample.get("/").headers["content-security-policy"])
    #expect(withImages.contains("img-src 'self' data: https: http:;"))
  }

  @Test func everyFileOfThePageIsServed() throws {
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    _ = try sample.viewer(hasTexts: false)
    let pages = Fixtures.url("../../Sources/Web/Viewer/Pages").standardized.path
    let names = try FileManager.default.contentsOfDirectory(atPath: pages)
    #expect(names.contains("index.html"))
    for name in names where ["html", "css", "js"].contains(URL(fileURLWithPath: name).pathExtension) {
      let response = try sample.get("/\(name)")
      #expect(response.body == Array(try Data(contentsOf: URL(fileURLWithPath: "\(pages)/\(name)"))), "\(name)")
    }
  }

  // MARK: Rows that do not belong to the tables

  @Test func textsOfAChangedRowAreNotShown() throws {
    var rows = ViewedSample.rows(9)
    let sample = try ViewedSample(rows, widths: [390])
    // The row has the same frames, but not the same text.
    rows[4] = rows[4].replacing("\"likes\":4", with: "\"likes\":5")
    let run = try ViewedRun(sample.directory)
    let texts = try sample.texts(run, rows: sample.scratch.file("changed.jsonl", rows.joined(separator: "\n")))
    _ = try sample.serve(ViewService(run, texts: texts))
    let cells = try #require(try sample.json("/cells/w390?first=0&end=9").array)
    #expect(cells.map { $0["text_error"] != nil } == (0..<9).map { $0 == 4 })
    #expect(cells[4]["nodes"]?.array?.isEmpty == false)
    #expect(cells[4]["nodes"]?.array?.allSatisfy { $0["lines"] == .array([]) } == true)
    #expect(try sample.json("/list.json")["error"]?["message"]?.string?.contains("row 4") == true)
    #expect(try sample.get("/inspect/w390/4").status == 409)
  }

  /// So that `--watch` lays out the rows again before somebody scrolls to that row.
  @Test(arguments: [true, false])
  func anotherRowIsFoundBeforeItIsShownIfRowsAreCompared(comparing: Bool) throws {
    var rows = ViewedSample.rows(200)
    let sample = try ViewedSample(rows, widths: [390])
    rows[150] = rows[150].replacing("\"likes\":150", with: "\"likes\":151")
    let path = try sample.scratch.file("changed.jsonl", rows.joined(separator: "\n"))
    let texts = try ViewedTexts(ViewedRun(sample.directory), rows: RowsIndex([path]), archive: sample.archive) { _ in }
    texts.findRows(comparing: comparing)
    #expect((texts.problem?.message.contains("row 150 of") == true) == comparing)
  }

  @Test(arguments: [8, 10])
  func anotherNumberOfRowsIsAnError(count: Int) throws {
    let sample = try ViewedSample(ViewedSample.rows(9), widths: [390])
    let run = try ViewedRun(sample.directory)
    let path = try sample.scratch.file("other.jsonl", ViewedSample.rows(count).joined(separator: "\n"))
    _ = try sample.serve(ViewService(run, texts: try sample.texts(run, rows: path)))
    #expect(
      try sample.json("/list.json")["error"]?["message"]?.string?.contains("has \(count) rows and the tables have 9")
        == true)
    let last = try #require(try sample.json("/cells/w390?first=0&end=9").array?.last)
    #expect((last["text_error"] != nil) == (count == 8))
  }

  @Test func aRowOfATruncatedFileCannotBeInspected() throws {
    let sample = try ViewedSample(ViewedSample.rows(200), widths: [390])
    _ = try sample.viewer()
    truncate(sample.rowsPath, 100)
    let response = try sample.get("/inspect/w390/150")
    let detail = try #require(try JSON(parsing: Data(response.body))["detail"]?.string)
    #expect(response.status == 409)
    #expect(detail.hasPrefix("\(sample.rowsPath): was truncated after it was opened: row 150 is missing"))
  }

  @Test func textsOfAnotherCellsFileAreNotShown() throws {
    let sample = try ViewedSample(ViewedSample.rows(9), widths: [390])
    let other = try ViewedSample(
      ViewedSample.rows(9), widths: [390], cells: ViewedSample.cells.replacing("\"insets\":8", with: "\"insets\":9"))
    let run = try ViewedRun(sample.directory)
    _ = try sample.serve(ViewService(run, texts: try other.texts(run, rows: sample.rowsPath)))
    let cells = try #require(try sample.json("/cells/w390?first=0&end=9").array)
    #expect(cells.allSatisfy { $0["text_error"]?.string?.contains("other frames") == true })
  }

  @Test func tablesOfDifferentRunsAreAnError() throws {
    let other = try ViewedSample(ViewedSample.rows(4), widths: [430])
    let sample = try ViewedSample(ViewedSample.rows(3), widths: [390])
    try FileManager.default.copyItem(atPath: other.directory + "/w430", toPath: sample.directory + "/w430")
    #expect(throws: TableError.self) { _ = try ViewedRun(sample.directory) }
    #expect(throws: TableError.self) { _ = try ViewedRun(sample.scratch.directory) }
  }
}
