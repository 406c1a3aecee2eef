import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley prefetch`.
@Suite struct PrefetchCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: networkImage, id: photo, url: "{url}", style: {width: 50, height: "{h}"}}
    """

  /// Lays out rows of 100 points, and returns the directory of the variant.
  private func tables(_ count: Int, url: (Int) -> String = { "u\($0)" }) throws -> String {
    let rows = (0..<count).map { #"{"id":"r\#($0)","h":100,"url":"\#(url($0))"}"# }.joined(separator: "\n")
    let cells = try scratch.file("cells.yaml", Self.cells)
    try scratch.layOut("-", cells, to: "t", input: rows).expectSuccess()
    return scratch.path("t/w390")
  }

  private struct Answer: Decodable, Equatable {
    struct Resource: Decodable, Equatable {
      let row: Int
      let node, url, type: String
      let pixel_width, pixel_height: Int
      let range: String
    }
    var visible, display, preload: [Int]?
    var resources: [Resource]?
    var fetch_next_batch: Bool?
    var remaining: Double?
    var remaining_time: Double?
    var error: String?
  }

  private func answers(_ outcome: Galley.Outcome) throws -> [Answer] {
    try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
  }

  // MARK: One query

  @Test func aQueryHasOneAnswer() throws {
    let outcome = try Galley.run(["prefetch", tables(20), "--offset", "1012.5", "--viewport", "100"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let expected =
      #"{"visible":[10,12],"display":[9,13],"preload":[8,14],"resources":["#
      + [(10, "visible"), (11, "visible"), (12, "display"), (9, "display"), (13, "preload"), (8, "preload")].map {
        #"{"row":\#($0),"node":"photo","url":"u\#($0)","type":"networkImage","pixel_width":100,"pixel_height":200,"#
          + #""range":"\#($1)"}"#
      }.joined(separator: ",") + #"],"fetch_next_batch":false,"remaining":887.5}"# + "\n"
    #expect(outcome.output == expected)
  }

  @Test func optionsChangeTheAnswer() throws {
    let tables = try tables(20)
    func answer(_ options: String...) throws -> Answer {
      let outcome = try Galley.run(["prefetch", tables, "--viewport", "100", "--no-resources"] + options)
        .expectSuccess()
      return try #require(try answers(outcome).first)
    }
    #expect(
      try answer("--offset", "1000", "--direction", "up")
        == Answer(visible: [10, 11], display: [9, 12], preload: [7, 13], fetch_next_batch: false, remaining: 900))
    #expect(try answer("--offset", "1000", "--mode", "lowMemory").preload == [10, 10])
    #expect(try answer("--offset", "1000", "--mode", "minimum").preload == [9, 12])
    #expect(try answer("--offset", "1000", "--display", "3,0", "--preload", "0,1").display == [10, 14])
    #expect(try answer("--offset", "1000", "--display", "3,0", "--preload", "0,1").preload == [9, 11])
    #expect(try answer("--offset", "1000", "--leading-screens-for-batching", "9").fetch_next_batch == true)
    #expect(try answer("--offset", "1850").fetch_next_batch == true)
    #expect(try answer("--offset", "1850", "--fetching").fetch_next_batch == false)
    #expect(try answer("--offset", "1850", "--hidden").fetch_next_batch == false)
    #expect(try answer("--offset", "1850", "--velocity", "-2").remaining_time == nil)
    #expect(try answer("--offset", "1850", "--velocity", "2").remaining_time == 0.025)
    #expect(try answer("--offset", "-350").visible == [0, 0])
    #expect(try answer("--offset", "-350").remaining == 2250)
    // The rows end at 2050 points, and the content at 2080.
    let margins = try answer("--offset", "1000", "--content-margins", "50,0,30,0")
    #expect(margins.visible == [9, 11] && margins.remaining == 980)
    #expect(try answer("--offset", "5000").visible == [20, 20])
    #expect(try answer("--offset", "5000").remaining == -3100)
  }

  /// The end of the rows lies at the top of an inverted list, so that a scroll upwards asks for more of them.
  @Test func anInvertedListCountsFromTheBottom() throws {
    let tables = try tables(20)
    func answer(_ options: String...) throws -> Answer {
      let outcome = try Galley.run(
        ["prefetch", tables, "--viewport", "100", "--no-resources", "--inverted", "--offset", "1800"] + options
      ).expectSuccess()
      return try #require(try answers(outcome).first)
    }
    let up = Answer(visible: [18, 19], display: [17, 20], preload: [16, 20], fetch_next_batch: true, remaining: 100)
    #expect(try answer() == up && answer("--direction", "up") == up)
    #expect(
      try answer("--direction", "down")
        == Answer(visible: [18, 19], display: [17, 20], preload: [15, 20], fetch_next_batch: false, remaining: 100))
  }

  /// Ten cells of 40 and ten of 60 points beside each other are 1000 points.
  @Test func aListThatScrollsHorizontallyHasTheWidthsOfItsCells() throws {
    let size = #""constrainedSize":{"min":[0,0],"max":[1000,500]}"#
    let rows = (0..<20).map { #"{"id":"r\#($0)","w":\#($0 % 2 == 0 ? 40 : 60),\#(size)}"# }.joined(separator: "\n")
    let cells = try scratch.file(
      "carousel.yaml",
      """
      version: 1
      cells:
        A: {layout: {type: node, id: card, style: {width: "{w}", height: 100}}}
      """)
    try scratch.layOut("-", cells, to: "c", input: rows).expectSuccess()
    let queries = """
      {"offset": 500, "direction": "right"}
      {"offset": 400, "direction": "left"}
      {"offset": 400, "direction": "up"}
      """
    let options = [
      "prefetch", scratch.path("c/w390"), "--viewport", "100", "--queries", "-", "--no-resources", "--horizontal",
    ]
    let right = Answer(
      visible: [10, 12], display: [9, 14], preload: [7, 18], fetch_next_batch: false, remaining: 400)
    let back = Answer(visible: [8, 10], display: [6, 12], preload: [3, 14], fetch_next_batch: false, remaining: 500)
    let outcome = try Galley.run(options, input: queries)
    #expect(outcome.code == 3)
    #expect(try Array(answers(outcome).prefix(2)) == [right, back])
    #expect(outcome.errors.contains(#":3: direction must be one of "right", "left""#), "\(outcome.errors)")
    // Mirrored, the first row is at the right, and a viewport at 400 points shows what that at 500 shows.
    let mirrored = try answers(try Galley.run(options + ["--right-to-left"], input: queries))
    #expect(mirrored.dropFirst().first == right && mirrored.first?.visible == [8, 10])
    #expect(try Galley.run(["arrange", scratch.path("c/w390")]).code == 0)
    try Galley.run(options, input: queries).expectFailure(1, "scrolls horizontally, add --no-arrangement")
  }

  @Test func stringsAreEscaped() throws {
    let url = #"\"\\/\n\u0001\u001f é😍"#
    let outcome = try Galley.run(["prefetch", tables(1) { _ in url }, "--offset", "0", "--viewport", "100"])
    #expect(try answers(outcome).first?.resources?.first?.url == "\"\\/\n\u{1}\u{1f} é😍")
  }

  @Test(arguments: [
    (["--offset", "1"], "Missing expected argument '--viewport <viewport>'"),
    (["--viewport", "1"], "Missing expected argument '--offset <offset>'"),
    (["--offset", "1", "--viewport", "-5"], "--viewport is -5.0; write 0 or more points"),
    (["--offset", "nan", "--viewport", "5"], "--offset is nan; write a number of points"),
    (["--offset", "1", "--viewport", "inf"], "--viewport is inf; write a number of points"),
    (["--offset", "1e17", "--viewport", "1"], "--offset is 1e+17, which no list reaches; write a number of points"),
    (["--offset", "1", "--viewport", "5", "--mode", "ful"], "'ful' is invalid"),
    (
      ["--offset", "1", "--viewport", "5", "--direction", "left"],
      "--direction is left, but the list scrolls down or up"
    ),
    (
      ["--offset", "1", "--viewport", "5", "--horizontal", "--direction", "up"],
      "--direction is up, but the list scrolls right or left"
    ),
    (
      ["--offset", "1", "--viewport", "5", "--horizontal", "--inverted"],
      "--inverted and --horizontal exclude each other"
    ),
    (
      ["--offset", "1", "--viewport", "5", "--content-margins", "1,2"],
      "--content-margins needs four numbers: top,left,bottom,right, such as 16,16,16,16"
    ),
    (["--offset", "1", "--viewport", "5", "--right-to-left"], "--right-to-left needs --horizontal"),
    (["--offset", "1", "--viewport", "5", "--display", "1"], "such as 1,0.5; each is from 0 to 1,000,000"),
    (["--offset", "1", "--viewport", "5", "--preload", "1,-1"], "such as 1,0.5; each is from 0 to 1,000,000"),
    (["--offset", "1", "--viewport", "5", "--preload", "nan,1"], "such as 1,0.5; each is from 0 to 1,000,000"),
    (
      ["--offset", "1", "--viewport", "5", "--leading-screens-for-batching", "nan"],
      "--leading-screens-for-batching is nan"
    ),
    (["--offset", "1", "--viewport", "5", "--velocity", "inf"], "--velocity is inf; write a number of points"),
    (["--offset", "1", "--viewport", "5", "--latency", "1"], "--latency is for --replay"),
    (["--queries", "-", "--replay", "-"], "--queries and --replay exclude each other"),
    (["--replay", "-"], "Missing expected argument '--viewport <viewport>'"),
    (["--replay", "-", "--viewport", "5", "--mode", "full"], "--mode has no effect with --replay"),
    (["--offset", "1", "--viewport", "5", "--events"], "--events is for --replay"),
    (["--replay", "-", "--viewport", "5", "--events", "--json"], "--json has no effect with --events; leave it out"),
    (["--replay", "-", "--viewport", "5", "--events", "--latency", "1"], "--latency has no effect with --events"),
    (["--replay", "-", "--viewport", "5", "--fetching"], "--fetching has no effect with --replay"),
    (["--replay", "-", "--viewport", "5", "--bandwidth", "0"], "--bandwidth is 0.0; write the bytes per second"),
    (
      ["--replay", "-", "--viewport", "5", "--bandwidth", "1e308"],
      "--bandwidth is 1e+308; write the bytes per second, from 1 to 1000000000000000"
    ),
    (["--replay", "-", "--viewport", "5", "--latency", "-1"], "--latency is -1.0; write the seconds"),
    (["--replay", "-", "--viewport", "5", "--bytes-per-pixel", "nan"], "--bytes-per-pixel is nan"),
  ])
  func aWrongCommandIsAUsageError(options: [String], message: String) throws {
    let outcome = try Galley.run(["prefetch", "tables/w390"] + options)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func tablesThatCannotBeReadAreAnError() throws {
    let tables = try tables(5)
    let run = scratch.path("t")
    func errors(_ directory: String) throws -> String {
      let outcome = try Galley.run(["prefetch", directory, "--offset", "0", "--viewport", "10"])
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      return outcome.errors
    }
    #expect(try errors(run).hasPrefix("galley: \(run): has no tables of its own; give one of its variants w390"))
    #expect(try errors(run + "/w400") == "galley: \(run)/w400: does not exist; \(run) has the variants w390\n")
    let heights = URL(fileURLWithPath: tables + "/heights.arrow")
    let whole = try Data(contentsOf: heights)
    try whole.prefix(whole.count / 2).write(to: heights)
    #expect(try errors(tables).contains("heights.arrow: its end is missing; the file is damaged or was copied only in"))
    try whole.write(to: heights)
    let manifest = URL(fileURLWithPath: run + "/manifest.json")
    try Data(#"{"format": 2, "version": "7.0.0"}"#.utf8).write(to: manifest)
    #expect(try errors(tables).contains("was written by Galley 7.0.0 in format 2, and this version reads format 1"))
  }

  // MARK: Queries

  @Test func queriesOverrideTheOptions() throws {
    let queries = """
      \u{feff}{"offset": 1000}\r
       \t
      {"offset": 1000, "direction": "up"}

      {"direction": "down", "offset": 1e3, "viewport": 50.5, "mode": "visibleOnly"}
      {"offset": 1000, "display": [0, 0], "preload": [0.5, 3], "leading_screens_for_batching": 100}
      {"offset": 1850, "direction": "down", "velocity": 0.5, "fetching": false, "hidden": false}
      {"offset": 1850, "direction": "down", "fetching": true}
      """
    let outcome = try Galley.run(
      [
        "prefetch", tables(20), "--queries", "-", "--viewport", "100", "--direction", "up", "--no-resources",
        "--hidden",
      ],
      input: queries)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let up = Answer(visible: [10, 11], display: [9, 12], preload: [7, 13], fetch_next_batch: false, remaining: 900)
    #expect(
      try answers(outcome) == [
        up, up,
        Answer(visible: [10, 11], display: [10, 11], preload: [10, 11], fetch_next_batch: false, remaining: 949.5),
        Answer(visible: [10, 11], display: [10, 11], preload: [9, 14], fetch_next_batch: false, remaining: 900),
        Answer(
          visible: [18, 20], display: [18, 20], preload: [17, 20], fetch_next_batch: true, remaining: 50,
          remaining_time: 0.1),
        Answer(visible: [18, 20], display: [18, 20], preload: [17, 20], fetch_next_batch: false, remaining: 50),
      ])
  }

  @Test(arguments: [
    ("nonsense", "is not JSON: "), ("[1]", "is no JSON object; write one such as"),
    (#"{"offset": 1, "viewport": 5"#, "is not JSON: "),
    (#"{"viewport": 5}"#, "offset is missing; write it in the query, or give --offset"),
    (#"{"offset": 5}"#, "viewport is missing; write it in the query, or give --viewport"),
    (#"{"offset": NaN, "viewport": 5}"#, "offset is NaN, which is no number in JSON; write a finite number"),
    (#"{"offset": 5, "viewport": -Infinity}"#, "viewport is -Infinity, which is no number in JSON"),
    (#"{"offset": 1e999, "viewport": 5}"#, "offset is 1e999, which is no number in JSON; write a finite number"),
    (#"{"offset": 1e16, "viewport": 5}"#, "offset is 1e+16, which no list reaches; write a number of points"),
    (#"{"offset": "1", "viewport": 5}"#, "offset must be a number of points, such as 844"),
    (#"{"offset": null, "viewport": 5}"#, "offset must be a number of points, such as 844"),
    (#"{"offset": 1, "viewport": -5}"#, "viewport is -5.0; write 0 or more points"),
    (#"{"offset": 1, "viewport": 5, "direction": "left"}"#, #"direction must be one of "down", "up""#),
    (#"{"offset": 1, "viewport": 5, "mode": 1}"#, #"mode must be one of "minimum", "full", "visibleOnly""#),
    (#"{"offset": 1, "viewport": 5, "display": [1]}"#, "display must be two numbers of viewports, ahead and behind"),
    (#"{"offset": 1, "viewport": 5, "display": 1}"#, "display must be two numbers of viewports, ahead and behind"),
    (#"{"offset": 1, "viewport": 5, "preload": [1, "2"]}"#, "preload must be two numbers of viewports"),
    (#"{"offset": 1, "viewport": 5, "leading_screens_for_batching": "2"}"#, "leading_screens_for_batching must be a"),
    (#"{"offset": 1, "viewport": 5, "fetching": 1}"#, "fetching must be true or false"),
    (#"{"offset": 1, "viewport": 5, "hidden": null}"#, "hidden must be true or false"),
    (#"{"offset": 1, "viewport": 5, "velocity": "2"}"#, "velocity must be a number of points per millisecond, such as"),
    (#"{"offset": 1, "viewprt": 5}"#, #""viewprt" is not a key of a query (did you mean "viewport"?); its keys are"#),
    ("\"" + String(repeating: "x", count: 70_000) + "\"", "is longer than 65536 bytes, the limit for a query"),
    (String(repeating: "x", count: 300_000), "is longer than 65536 bytes, the limit for a query"),
  ])
  func aBadQueryCostsOnlyItsOwnAnswer(query: String, message: String) throws {
    let good = #"{"offset": 0, "viewport": 100}"#
    let file = try scratch.file("scroll.jsonl", "\(good)\n\(query)\n\(good)\n")
    let outcome = try Galley.run(["prefetch", tables(3), "--queries", file, "--no-resources"])
    #expect(outcome.code == 3)
    let answers = try answers(outcome)
    #expect(answers.map(\.visible) == [[0, 1], nil, [0, 1]])
    let error = try #require(answers.count == 3 ? answers[1].error : nil)
    #expect(error.hasPrefix("\(file):2: \(message)"), "\(error)")
    #expect(
      outcome.errors
        == "galley: \(error)\ngalley: 1 of 3 queries is bad; its answer has the member \"error\"\n")
  }

  @Test func onlyTheFirstBadQueriesAreReportedOneByOne() throws {
    let outcome = try Galley.run(
      ["prefetch", tables(3), "--queries", "-"], input: String(repeating: "x\n", count: 200))
    #expect(outcome.code == 3)
    #expect(try answers(outcome).count == 200)
    #expect(outcome.errors.split(separator: "\n").count == 6)
    #expect(outcome.errors.hasSuffix("200 of 200 queries are bad; their answers have the member \"error\"\n"))
  }

  /// The queries are longer than the buffer into which they are read.
  @Test func manyQueriesAreAnsweredInTheirOrder() throws {
    let offsets = (0..<20_000).map { ($0 * 7919) % 4000 }
    let queries = offsets.map { offset in
      #"{"offset": \#(offset),\#(String(repeating: " ", count: offset % 60)) "viewport": 100}"#
    }
    let outcome = try Galley.run(
      ["prefetch", tables(20), "--queries", "-", "--no-resources"], input: queries.joined(separator: "\n"))
    #expect(outcome.code == 0)
    let remaining = outcome.output.split(separator: "\n").map { $0.split(separator: ":").last ?? "" }
    #expect(remaining == offsets.map { "\(1900 - $0)}" })
  }

  @Test func anAnswerIsWrittenWhenNoMoreQueriesWait() throws {
    let script = """
      coproc G { '\(Galley.program.path)' prefetch '\(try tables(20))' --queries - --viewport 100 --no-resources; }
      for offset in 0 100 250; do
        echo "{\\"offset\\": $offset}" >&${G[1]}
        read -t 30 answer <&${G[0]} || exit 9
        echo "$answer"
      done
      # A part of a line is no query yet.
      printf '{"offset": ' >&${G[1]}; sleep 0.2; echo '700}' >&${G[1]}
      read -t 30 answer <&${G[0]} || exit 9
      echo "$answer"
      """
    let outcome = try Galley.start(["-c", script], executable: "/bin/bash").wait().expectSuccess()
    #expect(try answers(outcome).map(\.visible) == [[0, 1], [1, 2], [2, 4], [7, 8]])
  }

  @Test(arguments: ["/no/such/file", "/"])
  func queriesThatCannotBeReadAreAnError(file: String) throws {
    let outcome = try Galley.run(["prefetch", tables(1), "--queries", file])
    #expect(outcome.code == 1 && outcome.errors.hasPrefix("galley: \(file): cannot be read: "), "\(outcome.errors)")
  }

  // MARK: Scrolls

  private struct Report: Decodable, Equatable {
    struct Late: Decodable, Equatable { var count: Int, p50, p95, max: Double? }
    struct Loaded: Decodable, Equatable { var count: Int, bytes: Double }
    var visible, ready: Int
    var late: Late
    var never_loaded: Int
    var loaded, unused: Loaded
  }

  /// A resource has 100 × 200 pixels and 2000 bytes, and takes 1 s + 1 s.
  @Test func aScrollIsSimulated() throws {
    let arguments = [
      "prefetch", try tables(20), "--replay", "-", "--viewport", "200", "--bandwidth", "2000", "--latency", "1",
      "--bytes-per-pixel", "0.1",
    ]
    let scroll = "{\"t\": 0, \"offset\": 0}\n\n{\"t\": 20, \"offset\": 200}\n"
    let json = try Galley.run(arguments + ["--json"], input: scroll).expectSuccess()
    // Rows 0 and 1 are there at 2 s and 4 s, row 2 at 6 s. Row 3 is visible at 20 s and there at 22 s.
    let report = Report(
      visible: 4, ready: 1, late: .init(count: 3, p50: 2, p95: 4, max: 4), never_loaded: 0,
      loaded: .init(count: 4, bytes: 8000), unused: .init(count: 0, bytes: 0))
    #expect(try JSONDecoder().decode(Report.self, from: Data(json.output.utf8)) == report)
    let text = try Galley.run(arguments, input: scroll)
    #expect(
      text.output == """
        4 resources became visible; 1 were loaded by then (25 %)
        3 were late: p50 2.000 s, p95 4.000 s, max 4.000 s
        4 were loaded (7.8 KiB); 0 of them for nothing (0 B): they never became visible
        Simulated with one connection of 2000 bytes/s, 1.0 s for each request and 0.1 bytes per pixel.

        """)
  }

  /// The mode is minimum at first: the display range ends at 250 points, and the preload range at 300.
  @Test func aScrollHasTheCallbacksOfInterfaceStates() throws {
    let scroll = "{\"t\": 0, \"offset\": 0}\n{\"t\": 0.5, \"offset\": 0}\n{\"t\": 1, \"offset\": 200}\n"
    let outcome = try Galley.run(
      [
        "prefetch", tables(20), "--replay", "-", "--events", "--viewport", "200", "--display", "0,0", "--preload",
        "0,0",
      ],
      input: scroll
    ).expectSuccess()
    let changes = [
      (0, 0, "EnterPreload"), (0, 0, "EnterDisplay"), (0, 0, "EnterVisible"), (0, 1, "EnterPreload"),
      (0, 1, "EnterDisplay"), (0, 1, "EnterVisible"), (0, 2, "EnterPreload"), (0, 2, "EnterDisplay"),
      (1, 2, "EnterVisible"), (1, 3, "EnterPreload"), (1, 3, "EnterDisplay"), (1, 3, "EnterVisible"),
      (1, 0, "ExitPreload"), (1, 0, "ExitDisplay"), (1, 0, "ExitVisible"), (1, 1, "ExitPreload"), (1, 1, "ExitDisplay"),
      (1, 1, "ExitVisible"),
    ]
    let lines = changes.map { #"{"t":\#($0),"row":\#($1),"callback":"did\#($2)State"}"# }
    #expect(outcome.output == lines.joined(separator: "\n") + "\n")
  }

  @Test(arguments: [
    ("{\"t\": 1, \"offset\": 0}\n{\"t\": 0.5, \"offset\": 0}", ":2: t is 0.5, before 1.0 of the line before; sort the"),
    ("{\"offset\": 0}", ":1: t is missing; write the time in seconds"),
    ("{\"t\": 0}", ":1: offset is missing; write the offset in points"),
    ("{\"t\": \"0\", \"offset\": 0}", ":1: t must be a number of seconds"),
    ("{\"t\": 0, \"offset\": NaN}", ":1: offset is NaN, which is no number in JSON"),
    ("{\"t\": 0, \"ofset\": 0}", ":1: \"ofset\" is not a key of a line of a scroll (did you mean \"offset\"?)"),
    ("x", ":1: is not JSON: "), ("\n", ": has no lines; write lines such as {\"t\": 0.5, \"offset\": 300}"),
  ])
  func aBadLineOfAScrollIsAnError(scroll: String, message: String) throws {
    let outcome = try Galley.run(["prefetch", tables(1), "--viewport", "9", "--replay", "-"], input: scroll)
    #expect(outcome.code == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("galley: standard input\(message)"), "\(outcome.errors)")
  }
}
