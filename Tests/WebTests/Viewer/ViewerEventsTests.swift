import Foundation
import GalleyTestSupport
import Testing

@testable import Viewer

/// Tests of a list that is laid out again while a page shows it.
@Suite struct ViewerEventsTests {
  @Test func aNewLayoutIsAnotherRevision() throws {
    let sample = try ViewedSample(ViewedSample.rows(9), widths: [390])
    let viewer = try sample.viewer()
    let page = try sample.client()
    page.request("GET", "/events")
    #expect(try page.response(atLeast: 1).headers["content-type"] == "text/event-stream")
    #expect(try sample.get("/cells/w390?first=0&end=1&revision=1").status == 200)
    let run = try ViewedRun(sample.directory)
    viewer.show(run, texts: try sample.texts(run))
    #expect(try page.more(atLeast: 1).text.contains("event: list\ndata: {\"revision\":2}\n\n"))
    let stale = try sample.get("/cells/w390?first=0&end=1&revision=1")
    #expect(stale.status == 409)
    #expect(stale.headers["galley-revision"] == "2")
    #expect(try sample.get("/cells/w390?first=0&end=1&revision=2").status == 200)
  }

  @Test func anErrorStaysUntilItIsMended() throws {
    let sample = try ViewedSample(ViewedSample.rows(9), widths: [390])
    let viewer = try sample.viewer()
    viewer.report(ViewedProblem("cells.yaml:3:5: is not YAML", line: 3, column: 5))
    let error = try sample.json("/list.json")["error"]
    #expect(error?["line"] == .number(3) && error?["column"] == .number(5))
    // The list is that of the last good state.
    #expect(try sample.get("/cells/w390?first=0&end=1&revision=1").status == 200)
    let page = try sample.client()
    page.request("GET", "/events")
    #expect(try page.response(atLeast: 20).text.contains("event: error\n"))
    viewer.reportGood()
    #expect(try page.more(atLeast: 1).text.contains("event: good\n"))
    #expect(try sample.json("/list.json")["error"] == .null)
  }
}
