import Foundation
import GalleyTestSupport
import Testing

/// Tests of what the program writes to standard output and standard error, and of pipes.
@Suite struct StandardStreamsTests {
  private let scratch = Scratch()

  /// Runs a line of shell, in which `$G` is the program and the examples are in the working directory.
  private func shell(_ line: String) throws -> Galley.Outcome {
    try Galley.run(["examples", scratch.directory])
    return try Galley.start(
      ["-c", "cd \(scratch.directory); set -o pipefail; \(line)"], executable: "/bin/bash",
      environment: ["G": Galley.program.path]
    ).wait()
  }

  @Test(arguments: [
    "--help", "--version", "help layout", "help cells", "help cells stack", "schema", "check posts.yaml",
    "check posts.yaml posts.jsonl", "inspect posts.jsonl --cells posts.yaml --width 390 --tree",
    "inspect posts.jsonl --cells posts.yaml --width 390 --svg", "inspect posts.jsonl --cells posts.yaml --width 390",
    "inspect posts.jsonl --cells posts.yaml --width 390 --html -", "examples more", "keys keys",
    "layout posts.jsonl --cells posts.yaml --width 390 --output t --in-process",
    "layout posts.jsonl --cells posts.yaml --width 390 --output t --in-process --json",
  ])
  func resultsThatCannotBeWrittenAreAnError(arguments: String) throws {
    let outcome = try shell("$G \(arguments) > /dev/full")
    #expect(outcome.code == 1)
    #expect(outcome.errors == "galley: standard output cannot be written: No space left on device\n")
  }

  @Test(arguments: [
    "schema", "help cells", "examples more", "inspect posts.jsonl --cells posts.yaml --width 390 --html -",
  ])
  func aReaderThatEndsIsNoError(arguments: String) throws {
    let outcome = try shell("$G \(arguments) | true")
    #expect(outcome.code == 0 || outcome.code == 141)
    #expect(outcome.errors.isEmpty)
  }

  @Test func messagesThatCannotBeWrittenDoNotChangeTheExitCode() throws {
    #expect(try shell("$G nonsense 2> /dev/full").code == 2)
    #expect(try shell("$G check missing.yaml 2> /dev/full").code == 1)
  }

  /// The stream reads a copy of the font, because mapped bytes would change below HarfBuzz.
  @Test func anInstalledFontThatIsWrittenInPlaceDoesNotEndAStream() throws {
    let cells = """
      version: 1
      fonts: {b: {family: DejaVu Sans, size: 15}}
      cells: {A: {layout: {type: node, layout: {type: stack, children: [{type: text, text: "{text}", font: b}]}}}}
      """
    _ = try scratch.file("c.yaml", cells)
    let configuration = """
      <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig><dir>\(scratch.path("fonts"))</dir><cachedir>\(scratch.path("cache"))</cachedir></fontconfig>
      """
    _ = try scratch.file("fonts.conf", configuration)
    try shell(
      """
      mkdir fonts && cp \(DebianFonts.path("DejaVuSans.ttf")) fonts/font.ttf
      export FONTCONFIG_FILE=$PWD/fonts.conf
      grown() { for i in {1..1000}; do [ "$(stat -c %s out)" -gt $1 ] && return; sleep 0.02; done; }
      {
        grown 0
        size=$(stat -c %s out)
        echo '{"cell": "A", "text": "one"}'
        grown $size
        cat \(DebianFonts.path("DejaVuSans-Bold.ttf")) > fonts/font.ttf
        echo '{"cell": "A", "text": "two"}'
      } | $G layout - --cells c.yaml --width 320 --output - --in-process > out
      """
    ).expectSuccess()
  }

  /// A file with the number of a closed stream would receive what is written to it.
  @Test func noFileHasTheNumberOfAClosedStream() throws {
    let socket = scratch.path("pool")
    let coordinator = try Galley.start(
      ["-c", "exec \(Galley.program.path) coordinator --listen ipc://\(socket) 0<&- 1>&- 2>&-"],
      executable: "/bin/bash")
    defer { coordinator.end() }
    try eventually { FileManager.default.fileExists(atPath: socket) }
    for stream in 0...2 {
      let path = "/proc/\(coordinator.process.processIdentifier)/fd/\(stream)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "/dev/null")
    }
  }

  @Test(arguments: [("0<&- 1>&-", 1), ("0<&- 2>&-", 3), ("0<&- 1>&- 2>&-", 1)])
  func closedStreamsDoNotDamageTables(redirections: String, code: Int32) throws {
    let outcome = try shell(
      """
      echo '{"cell":"Nope"}' >> posts.jsonl
      $G layout posts.jsonl --cells posts.yaml --width 320,390 --output t --in-process \(redirections); code=$?
      for width in w320 w390; do $G export t/$width --format f32 > heights || exit 99; done
      exit $code
      """)
    #expect(outcome.code == code, "\(outcome.errors)")
  }

  @Test func anInputThatIsClosedIsAnError() throws {
    try shell("$G layout - --cells posts.yaml --width 390 --output t --in-process <&-").expectFailure(
      1, "Bad file descriptor")
  }

  @Test func cellsFilesAreReadFromPipes() throws {
    try shell(
      "$G layout posts.jsonl --cells <(cat posts.yaml) --width 390 --output t --in-process > /dev/null"
    ).expectSuccess()
  }

  /// Bad rows are errors. Other notes and warnings are left out.
  @Test(arguments: ["--quiet --log-format json", "--log-level error --log-format json", "--log-level error", "--quiet"])
  func badRowsAreWrittenWhereOnlyErrorsAre(options: String) throws {
    let outcome = try shell(
      "$G layout posts.jsonl --cells posts.yaml --width 320,390 --output t --in-process > /dev/null 2>&1; "
        + "echo '{\"cell\":\"Nope\"}' | $G layout - --cells posts.yaml --width 390 --output t --in-process --force \(options)"
        + " > /dev/null")
    #expect(outcome.code == 3)
    #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
    #expect(outcome.errors.contains("standard input:1: cell "), "\(outcome.errors)")
  }

  @Test func helpOfAnUnknownVerbIsAUsageError() throws {
    try shell("$G help layot > /dev/null").expectFailure(2, "\"layot\" is not a verb (did you mean \"layout\"?)")
    #expect(try shell("$G help help > /dev/null && $G layout --help | grep -q 'USAGE: galley layout'").code == 0)
  }

  @Test func messagesAreLinesOfTheLogWhereTheUserAsksForThat() throws {
    let outcome = try shell(
      "echo '{\"cell\":\"Nope\"}' | $G layout - --cells posts.yaml --width 390 --output t --workers 1 --log-format json"
        + " --log-level info --quiet > /dev/null; "
        + "echo '{\"cell\":\"Nope\"}' | $G layout - --cells posts.yaml --width 390 --output u --workers 1"
        + " --log-format json --log-level info > /dev/null")
    #expect(outcome.code == 3)
    let lines = try outcome.errors.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let messages = lines.compactMap { $0["message"] as? String }
    #expect(messages.contains("1 of 1 rows is bad; it has height 0 in the tables"), "\(messages)")
    #expect(messages.contains { $0.hasPrefix("standard input:1: cell \"Nope\" is not") }, "\(messages)")
    #expect(Set(lines.compactMap { $0["process"] as? String }) == ["galley layout", "galley worker"])
    #expect(messages.contains { $0.hasPrefix("connected to the coordinator at ipc://") })
    #expect(messages.contains { $0.hasPrefix("the worker ends: ") })
  }

  private func writeFilesWithControlCharacters() throws {
    _ = try scratch.file(
      "c.yaml",
      #"""
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
      cells: {"\e[31mC\u202e": {layout: {type: text, id: "\e]0;x\a\u202e", text: "{t}", font: body}}}
      """#)
    _ = try scratch.file(
      "r.jsonl",
      #"""
      {"cell":"\u001b[31mX","t":1}
      {"cell":"\u001b[31mC\u202e","t":"a"}
      """#)
    _ = try scratch.file(
      "m.yaml",
      #"""
      version: 1
      cells: {A: {layout: {type: text, text: a, font: "\e[31m\u202e"}}, B: {layout: {type: "\e[2J"}}}
      """#)
  }

  @Test(arguments: [
    "check c.yaml r.jsonl", "check m.yaml", "layout r.jsonl --cells c.yaml --width 390 --output t --in-process",
    "inspect r.jsonl --cells c.yaml --width 390", "inspect r.jsonl --cells c.yaml --width 390 --row 1",
    "inspect r.jsonl --cells c.yaml --width 390 --row 1 --tree", "check $'\\e[31m.yaml'", "check m.yaml $'--\\e[31m'",
  ])
  func rowsAndCellsFilesDoNotControlATerminal(arguments: String) throws {
    try writeFilesWithControlCharacters()
    let output = try shell("$G \(arguments) 2>&1").output
    #expect(output.contains(#"\u{1b}"#), "\(output)")
    #expect(!output.unicodeScalars.contains { ["\u{1b}", "\u{7}", "\u{202e}"].contains($0) }, "\(output)")
  }

  @Test func resultsForProgramsHaveAllCharacters() throws {
    try writeFilesWithControlCharacters()
    let outcome = try shell("$G inspect r.jsonl --cells c.yaml --width 390 --row 1 --json").expectSuccess()
    #expect(outcome.output.contains("\"\\u001b]0;x\\u0007\u{202e}\""), "\(outcome.output)")
  }

  @Test func anEmptyVariableForSocketsIsOneThatIsNotSet() throws {
    let outcome = try shell(
      "XDG_RUNTIME_DIR= $G layout posts.jsonl --cells posts.yaml --width 390 --output t --workers 1 --log-level info")
    #expect(outcome.code == 0 && outcome.errors.contains(" at ipc:///tmp/galley-pool-"), "\(outcome.errors)")
  }

  /// A reader of standard output must not wait for workers, nor for the backtrace of one that crashes.
  @Test func workersDoNotHaveTheFilesOfTheProcessThatStartsThem() throws {
    let endpoint = "ipc://\(scratch.path("pool"))"
    let coordinator = try Galley.start(
      ["-c", "exec \(Galley.program.path) coordinator --listen \(endpoint) --workers 1 5< /dev/zero"],
      executable: "/bin/bash")
    defer { coordinator.end() }
    var worker: pid_t?
    try eventually {
      // Before it is a worker, the process has the command line of the coordinator.
      worker = coordinator.children.first { text("/proc/\($0)/cmdline").contains("\0worker\0") }
      return worker != nil
    }
    let directory = "/proc/\(try #require(worker))"
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(directory)/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/fd/\($0)")
    }
    #expect(!files.contains("/dev/zero"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/fd/1") == "/dev/null")
    #expect(text("\(directory)/environ").contains("SWIFT_BACKTRACE=enable=no"))
  }

  private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}
