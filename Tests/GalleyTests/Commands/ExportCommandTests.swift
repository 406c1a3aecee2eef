import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley export`: each form has what the tables have.
@Suite struct ExportCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
    fallback: [Noto Sans Hebrew, Noto Color Emoji]
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: text, id: "te\\"xt", text: "{text}", font: body, maximumNumberOfLines: 1}
            - {type: node, id: map, when: height, style: {height: "{height}", width: "33.3%"}}
    """

  private static let rows = #"""
    {"id":"plain","text":"Hello","height":12.5}
    {"id":"a,\"b\"\nc\\\u0001\t\u2028","text":"A long text that has only one line of two, and so on and on and on and on"}
    {"id":"שלום 😀","text":"","height":0.1}
    {"id":"bad","text":["no text"]}
    {"text":"x","height":123456.7}
    """#

  private var ids: [String] { ["plain", "a,\"b\"\nc\\\u{1}\t\u{2028}", "שלום 😀", "bad", "4"] }
  /// Heights are rounded up to pixels of half a point.
  private let heights: [Float] = [32.5, 20, 0.5, 0, 123477]

  private func layout(_ more: [String] = []) throws -> String {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let outcome = try scratch.layOut("-", cells, to: "tables", more, input: Self.rows)
    #expect(outcome.code == 3, "\(outcome.errors)")
    return scratch.path("tables/w390")
  }

  private func export(_ variant: String, _ format: String) throws -> String {
    let outcome = try Galley.run(["export", variant, "--format", format])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test func jsonHasIdsAndHeights() throws {
    let text = try export(layout(), "json")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(object.keys) == ["variant", "width", "ids", "heights"])
    #expect(object["variant"] as? String == "w390" && object["width"] as? Double == 390)
    #expect(object["ids"] as? [String] == ids)
    #expect((object["heights"] as? [Double])?.map { Float($0) } == heights)
    #expect(text.contains(#""heights":[32.5,20,"#), "numbers are short: \(text)")
  }

  @Test func f32HasTheHeightsAndNothingElse() throws {
    let file = scratch.path("heights.f32")
    let outcome = try Galley.run(["export", layout(), "--format", "f32", "--output", file])
    #expect(outcome.code == 0 && outcome.output.isEmpty)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    #expect(bytes.count == 4 * heights.count)
    for (index, height) in heights.enumerated() {
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[4 * index + $1]) << (8 * UInt32($1)) }
      #expect(Float(bitPattern: bits) == height)
    }
  }

  @Test func csvHasTheColumnsOfTheHeights() throws {
    let text = try export(layout(), "csv")
    var lines = text.components(separatedBy: "\n")
    #expect(lines.removeLast().isEmpty)
    #expect(lines[0] == "row,id,cell,width,height,y,first_frame,frame_count,error,missing_glyphs")
    #expect(lines[1] == "0,plain,A,390,32.5,0,0,2,,0")
    // The id has a line break.
    #expect(lines[2...3].joined(separator: "\n") == "1,\"a,\"\"b\"\"\nc\\\u{1}\t\u{2028}\",A,390,20,32.5,2,1,,0")
    #expect(lines[4].hasPrefix("2,שלום 😀,A,390,"))
    #expect(lines[5].wholeMatch(of: #/3,bad,A,0,0,[0-9.]+,[0-9]+,0,"?line 4: .*,0/#) != nil, "\(lines[5])")
    #expect(lines.count == 7 && lines[6].hasPrefix("4,4,A,390,123477,53,5,2,,0"))
  }

  @Test func jsonlHasAnObjectForEachRowWithItsFrames() throws {
    let lines = try export(layout(), "jsonl").split(separator: "\n")
    let rows = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
    }
    #expect(rows.map { $0["id"] as? String } == ids)
    #expect(rows.map { $0["row"] as? Int } == [0, 1, 2, 3, 4])
    #expect(rows.map { $0["height"] as? Double }.map { Float($0 ?? -1) } == heights)
    #expect(rows.map { $0["y"] as? Double }.prefix(3) == [0, 32.5, 52.5])
    #expect(rows.map { ($0["frames"] as? [Any])?.count } == [2, 1, 2, 0, 2])
    #expect((rows[3]["error"] as? String)?.hasPrefix("line 4: ") == true && rows[0]["error"] == nil)
    #expect(
      lines[0].contains(
        #""frames":[{"node":"te\"xt","type":"text","parent":-1,"x":0,"y":0,"width":"#), "\(lines[0])")
    #expect(
      lines[0].hasSuffix(#""y":20,"width":390,"height":12.5,"lines":0,"truncated":false}]}"#), "\(lines[0])")
    let text = try #require((rows[1]["frames"] as? [[String: Any]])?.first)
    #expect(text["lines"] as? Int == 1 && text["truncated"] as? Bool == true)
  }

  @Test func textLinesHasTheCharactersOfEachLine() throws {
    let lines = try export(layout(["--lines"]), "text-lines").split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == #"{"row":0,"node":"te\"xt","lines":["Hello"]}"#)
    #expect(lines[1].hasPrefix(#"{"row":1,"node":"te\"xt","lines":["A long text"#) && lines[1].hasSuffix(#"…"]}"#))
    #expect(lines[2] == #"{"row":2,"node":"te\"xt","lines":[]}"#)
  }

  @Test func textLinesOfTablesWithoutLinesIsAnError() throws {
    try Galley.run(["export", layout(), "--format", "text-lines"]).expectFailure(
      1, "has no lines of texts; lay out the rows again with --lines")
  }

  @Test func uncertainRowsAreListedForAnyLengthAboveZero() throws {
    let cells = """
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
      cells: {A: {layout: {type: text, text: "{text}", font: body}}}
      """
    let input = #"{"text":"Five words in two lines"}"#
    let outcome = try scratch.layOut("-", scratch.file("cells.yaml", cells), width: "100", to: "tables", input: input)
    #expect(outcome.code == 0, "\(outcome.errors)")
    let variant = scratch.path("tables/w100")
    let outputs = try ["1e-300", "1e30", "1e308"].map { length in
      let outcome = try Galley.run(["export", variant, "--uncertain", length])
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      return outcome.output
    }
    #expect(outputs[0].isEmpty && outputs[1].contains(#""margin_narrower""#) && outputs[2] == outputs[1])
  }

  @Test func aListWithoutGoodRowsIsExported() throws {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let path = scratch.path("tables")
    _ = try Galley.run(["layout", "-", "--cells", cells, "--width", "1.5", "--output", path], input: "1\n")
    #expect(
      try export(path + "/w1.5", "json") == #"{"variant":"w1.5","width":1.5,"ids":["0"],"heights":[0]}"# + "\n")
    #expect(try export(path + "/w1.5", "jsonl").contains(#""frames":[]}"#))
  }

  @Test func aLinkToAVariantHasTheNameOfTheVariant() throws {
    let link = scratch.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: layout())
    #expect(try export(link, "json").hasPrefix(#"{"variant":"w390","#))
  }

  // MARK: Output

  @Test func aFileIsReplacedAndOneThatCannotBeWrittenIsAnError() throws {
    let variant = try layout()
    let file = try scratch.file("out.csv", "old")
    #expect(try Galley.run(["export", variant, "--format", "csv", "--output", file]).code == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == export(variant, "csv"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.directory)
    #expect(names.sorted() == ["cells.yaml", "out.csv", "tables"])
    for (path, reason) in [
      (scratch.path("tables"), "Is a directory"), (scratch.path("none/x"), "No such file or directory"),
      ("/dev/full", "No space left on device"),
    ] {
      let outcome = try Galley.run(["export", variant, "--format", "jsonl", "--output", path])
      #expect(outcome.code == 1 && outcome.errors == "galley: \(path): \(reason)\n")
    }
  }

  @Test func aFileOfTheRunThatIsExportedIsNotReplaced() throws {
    let variant = try layout()
    let before = try scratch.tables("tables")
    for path in ["\(variant)/heights.arrow", scratch.path("tables/hashes.arrow"), scratch.path("tables/manifest.json")]
    {
      try Galley.run(["export", variant, "--format", "csv", "--output", path]).expectFailure(
        2, "--output \(path) would replace \(path), which the command reads; give another file")
    }
    let link = scratch.path("link")
    try FileManager.default.linkItem(atPath: "\(variant)/heights.arrow", toPath: link)
    try Galley.run(["export", variant, "--format", "csv", "--output", link]).expectFailure(
      2, "--output \(link) would replace \(variant)/heights.arrow, which")
    #expect(try scratch.tables("tables") == before)
  }

  @Test func standardOutputMayBeFullOrClosed() throws {
    let variant = try layout()
    func shell(_ line: String) throws -> Galley.Outcome {
      try Galley.start(["-c", "set -o pipefail; \(line)"], executable: "/bin/bash", environment: ["V": variant]).wait()
    }
    let program = Galley.program.path
    for format in ["json", "f32", "csv", "jsonl"] {
      let full = try shell("\(program) export $V --format \(format) > /dev/full")
      #expect(full.code == 1)
      #expect(full.errors == "galley: standard output cannot be written: No space left on device\n")
      let closed = try shell("\(program) export $V --format \(format) | true")
      #expect(closed.code == 0 || closed.code == 141)
      #expect(closed.errors.isEmpty)
    }
  }

  /// The program that runs a command in a terminal.
  private static let script = "/usr/bin/script"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: script), "needs the program script"))
  func f32IsNotWrittenToATerminal() throws {
    let variant = try layout()
    let command = "\(Galley.program.path) export \(variant) --format f32"
    let outcome = try Galley.start(["-qec", command, "/dev/null"], executable: Self.script).wait()
    #expect(outcome.code == 2)
    #expect(outcome.output.contains("f32 is no text for a terminal; give it a file with --output"), "\(outcome.output)")
  }

  @Test func tablesThatAreMissingAreAnError() throws {
    let variant = try layout()
    try Galley.run(["export", scratch.path("tables"), "--format", "csv"]).expectFailure(
      1, "give one of its variants w390")
    #expect(try Galley.run(["export", variant, "--format", "xml"]).code == 2)
    try Galley.run(["export", variant, "--format", "csv", "--output", ""]).expectFailure(
      2, "--output is a file; leave it out for standard output")
    try FileManager.default.removeItem(atPath: variant + "/frames.arrow")
    #expect(try Galley.run(["export", variant, "--format", "json"]).code == 0)
    try Galley.run(["export", variant, "--format", "jsonl"]).expectFailure(
      1, "frames.arrow: does not exist; copy all files of the directory again")
  }
}
