import Foundation
import GalleyTestSupport
import ListTables
import SeededRandom
import Testing

@testable import Viewer

/// Tests that what the viewer serves is what the tables have.
@Suite struct ViewerTests {
  @Test func theListIsDescribed() throws {
    let sample = try ViewedSample(ViewedSample.rows(40))
    _ = try sample.viewer()
    let list = try sample.json("/list.json")
    let run = try ViewedRun(sample.directory)
    #expect(list["revision"] == .number(1))
    #expect(list["title"] == .string("rows.jsonl"))
    #expect(list["rows"] == .number(40))
    #expect(list["has_texts"] == .bool(true))
    #expect(list["error"] == .null)
    #expect(list["variants"]?.array?.map { $0["name"]?.string } == ["w320", "w390"])
    #expect(list["variants"]?.array?.map { $0["bad_rows"] } == [.number(3), .number(3)])
    #expect(
      list["variants"]?.array?.map { $0["height"] }
        == run.variants.map { .number($0.tables.heights.contentHeight) })
    #expect(list["fonts"]?.array?.count == 2)
  }

  @Test func heightsAreThoseOfTheTable() throws {
    let sample = try ViewedSample(ViewedSample.rows(40))
    _ = try sample.viewer(hasTexts: false)
    let heights = try #require(try ViewedRun(sample.directory).variant(named: "w390")).tables.heights
    let response = try sample.get("/heights/w390?revision=1")
    let expected = (0..<40).flatMap { row in withUnsafeBytes(of: heights.height(of: row)) { Array($0) } }
    #expect(response.body == expected)
    #expect(response.headers["content-length"] == "160")
  }

  @Test(arguments: [true, false])
  func cellsAreThoseOfTheTables(hasTexts: Bool) throws {
    let sample = try ViewedSample(ViewedSample.rows(60))
    _ = try sample.viewer(hasTexts: hasTexts)
    let run = try ViewedRun(sample.directory)
    var random = SplitMix(seed: 7)
    for variant in run.variants {
      for _ in 0..<4 {
        let first = random.below(60)
        let end = first + random.below(61 - first)
        let cells = try #require(
          try sample.json("/cells/\(variant.name)?first=\(first)&end=\(end)&revision=1").array)
        #expect(cells.count == end - first)
        for (row, cell) in zip(first..<end, cells) { try check(cell, row, variant.tables, hasTexts: hasTexts) }
      }
    }
  }

  /// A video has its poster as a second resource, and a multiplexImage all its images.
  @Test func nodesAfterOneWithSeveralImagesHaveTheirs() throws {
    let cells = #"""
      {"version":1,"cells":{"A":{"layout":{"type":"stack","children":[
      {"type":"video","id":"film","url":"film.mp4","posterUrl":"poster.jpg","style":{"width":100,"height":50}},
      {"type":"multiplexImage","id":"many","images":[
      {"url":"large.jpg","width":20,"height":10},{"url":"small.jpg","width":10,"height":5}],"style":{"width":10,"height":5}},
      {"type":"node","id":"space","style":{"width":1}},
      {"type":"networkImage","id":"photo","url":"photo.jpg","style":{"width":100,"height":50}},
      {"type":"networkImage","id":"photo","url":"other.jpg","style":{"width":100,"height":50}}]}}}}
      """#
    let sample = try ViewedSample([#"{"cell":"A"}"#], cells: cells)
    _ = try sample.viewer(hasTexts: false)
    let nodes = try sample.json("/cells/w390?first=0&end=1").array?.first?["nodes"]?.array ?? []
    let shown: [JSON] =
      ["film.mp4", "large.jpg"].map { .string($0) } + [.null, .string("photo.jpg"), .string("other.jpg")]
    #expect(nodes.compactMap { $0["url"] } == shown)
  }

  private func check(_ cell: JSON, _ row: Int, _ tables: MappedTables, hasTexts: Bool) throws {
    #expect(cell["row"] == .number(Double(row)))
    #expect(try cell["id"] == .string(tables.heights.id(of: row)))
    #expect(cell["y"] == .number(tables.heights.offset(of: row)))
    #expect(cell["height"] == .number(Double(tables.heights.height(of: row))))
    let error = try tables.heights.error(of: row)
    #expect(cell["error"] == error.map { .string($0) } ?? .null)
    #expect(cell["text_error"] == nil)
    let frames = try tables.frames(of: row)
    let nodes = try #require(cell["nodes"]?.array)
    #expect(nodes.count == frames.count)
    for (node, frame) in zip(nodes, frames) {
      #expect(node["name"] == .string(frame.node))
      #expect(node["parent"] == .number(Double(frame.parent)))
      let sides = [("x", frame.x), ("y", frame.y), ("width", frame.width), ("height", frame.height)]
      for (key, value) in sides { #expect(node[key] == .number(Double("\(value)") ?? .nan)) }
      #expect(node["line_count"] == .number(Double(frame.lines)))
      let lines = try #require(node["lines"]?.array)
      #expect(lines.count == (hasTexts ? frame.lines : 0))
      for line in lines {
        let runs = line["runs"]?.array?.compactMap { $0["text"]?.string }.joined() ?? ""
        // The spaces at the end of a line are in its runs, and a hyphen replaces a soft one.
        #expect(!runs.isEmpty && (runs.hasPrefix(line["text"]?.string ?? "") || frame.isTruncated))
        if frame.isTruncated, line == lines.last { #expect(runs.hasSuffix("\u{2026}")) }
      }
    }
    let urls = nodes.compactMap { $0["url"]?.string }
    #expect(try urls == tables.resources(of: row).map(\.url))
  }

  @Test func rowsAreFound() throws {
    let sample = try ViewedSample(ViewedSample.rows(40))
    _ = try sample.viewer(hasTexts: false)
    let heights = try #require(try ViewedRun(sample.directory).variant(named: "w390")).tables.heights
    #expect(try sample.json("/find?id=post-17") == .object(["row": .number(17)]))
    #expect(try sample.get("/find?id=post-170").status == 404)
    #expect(try sample.json("/errors").array?.map { $0["row"] } == [.number(10), .number(21), .number(32)])
    #expect(try sample.json("/errors?count=1").array?.count == 1)
    #expect(try sample.json("/tallest/w390?count=0").array?.isEmpty == true)
    let tallest = try #require(try sample.json("/tallest/w390?count=5").array)
    let expected = (0..<40).map { heights.height(of: $0) }.sorted(by: >).prefix(5)
    #expect(tallest.map { $0["height"] } == expected.map { .number(Double($0)) })
  }

  @Test func aRowIsExplained() throws {
    let sample = try ViewedSample(ViewedSample.rows(12))
    _ = try sample.viewer()
    let row = try sample.json("/inspect/w320/3?revision=1")
    #expect(row["tree"]?.array?.first?["text"]?.string?.hasPrefix("InsetLayoutSpec") == true)
    let lines = row["tree"]?.array?.filter { $0["problem"] == .bool(false) } ?? []
    #expect(lines.map { $0["node"] } == [.null, .null, .number(0), .number(1), .number(2)])
    #expect(row["error"] == .null)
    #expect(try sample.json("/inspect/w320/10")["error"]?.string?.contains("text") == true)
    #expect(try sample.get("/inspect/w320/12").status == 404)
    _ = try sample.viewer(hasTexts: false)
    #expect(try sample.get("/inspect/w320/3").status == 404)
  }

  @Test func rangesOfPrefetchAreThoseOfThePlanner() throws {
    let sample = try ViewedSample(ViewedSample.rows(60))
    _ = try sample.viewer(hasTexts: false)
    let planner = PrefetchPlanner(try #require(try ViewedRun(sample.directory).variant(named: "w390")).tables)
    let answer = planner.answer(PrefetchQuery(offset: 1200, viewport: 600, direction: .up))
    let served = try sample.json("/prefetch/w390?offset=1200&viewport=600&direction=up")
    for (name, rows) in [("visible", answer.visible), ("display", answer.display), ("preload", answer.preload)] {
      #expect(
        served[name] == .array([.number(Double(rows.first.lowerBound)), .number(Double(rows.first.upperBound))]))
    }
    #expect(try sample.get("/prefetch/w390?offset=1200&viewport=600&direction=left").status == 400)
  }

  @Test func changesAreCounted() throws {
    var rows = ViewedSample.rows(30)
    let old = try ViewedSample(rows)
    rows.remove(at: 4)
    rows.append(#"{"cell":"Post","id":"new","text":"new","likes":1}"#)
    rows[1] = #"{"cell":"Post","id":"post-1","text":"a\nb\nc","likes":1}"#
    let sample = try ViewedSample(rows)
    var options = ViewService.Options()
    options.base = try ViewedRun(old.directory)
    _ = try sample.viewer(hasTexts: false, options)
    let changes = try sample.json("/changes/w390")
    #expect(changes["inserted"] == .array([.number(29)]))
    #expect(changes["removed"] == .number(1))
    #expect(changes["changed"]?.array?.map { $0["row"] } == [.number(1)])
    #expect(changes["totals"]?["changed"] == .number(1))
    #expect(changes["redrawn"] == .array([]))
    #expect(changes["totals"]?["redrawn"] == .null)
  }

  @Test func rowsThatAreDrawnInAnotherWayAreChanges() throws {
    var rows = ViewedSample.rows(3)
    rows[1] = #"{"cell":"Post","id":"post-1","text":"a\nb","likes":1}"#
    let old = try ViewedSample(rows, hasLines: true)
    rows[1] = #"{"cell":"Post","id":"post-1","text":"b\na","likes":1}"#
    let sample = try ViewedSample(rows, hasLines: true)
    var options = ViewService.Options()
    options.base = try ViewedRun(old.directory)
    _ = try sample.viewer(hasTexts: false, options)
    let changes = try sample.json("/changes/w390")
    #expect(changes["changed"] == .array([]))
    #expect(changes["redrawn"] == .array([.number(1)]))
    #expect(changes["totals"]?["redrawn"] == .number(1))
  }

  @Test func aScrollIsSimulated() throws {
    let sample = try ViewedSample(ViewedSample.rows(60))
    var options = ViewService.Options()
    let lines = (0..<50).map { PrefetchReplay.Line(time: Double($0) / 10, offset: Double($0) * 60) }
    let connection = try #require(PrefetchReplay.Connection(bandwidth: 20_000, latency: 0.1, bytesPerPixel: 0.25))
    options.replay = ViewedReplay(lines, connection)
    _ = try sample.viewer(hasTexts: false, options)
    let tables = try #require(try ViewedRun(sample.directory).variant(named: "w390")).tables
    let result = try PrefetchReplay.run(
      lines, viewport: 600, planner: PrefetchPlanner(tables), connection: connection)
    let served = try sample.json("/replay/w390?viewport=600")
    #expect(result.delays.count > 0)
    #expect(served["late"]?["count"] == .number(Double(result.delays.count)))
    #expect(served["late_resources"]?.array?.count == result.delays.count)
    #expect(served["points"]?.array?.count == 50)
  }

  @Test func fontsAreThoseOfTheProgram() throws {
    let sample = try ViewedSample(ViewedSample.rows(3))
    _ = try sample.viewer()
    let fonts = try #require(try sample.json("/list.json")["fonts"]?.array)
    for (index, name) in ["Inter-Regular.otf", "NotoSansHebrew-Regular.ttf"].enumerated() {
      let url = try #require(fonts[index]["url"]?.string)
      let response = try sample.get(url)
      #expect(try response.body == Array(Programs.face(name).file.bytes))
      #expect(response.headers["content-type"] == (name.hasSuffix("otf") ? "font/otf" : "font/ttf"))
      #expect(response.headers["cache-control"]?.contains("immutable") == true)
    }
    #expect(try sample.get("/fonts/0?version=other").status == 404)
    #expect(try sample.get("/fonts/2?version=other").status == 404)
  }
}
