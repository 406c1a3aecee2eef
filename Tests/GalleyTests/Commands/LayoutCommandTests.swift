import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of `galley layout`.
@Suite struct LayoutCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts:
      body: {family: Inter, size: 15, lineHeight: 20}
    fallback: [Noto Sans, Noto Sans CJK JP]
    cells:
      A:
        layout:
          type: stack
          direction: vertical
          children:
            - {type: text, id: text, text: "{text}", font: body}
            - {type: networkImage, id: photo, when: photo, url: "{photo}", style: {height: 100}}
    """

  private static func rows(_ count: Int) -> String {
    (0..<count).map { row in
      let words = (0..<row % 37).map { "word\($0 * row % 101)" }.joined(separator: " ")
      return
        #"{"id":"r\#(row)","text":"\#(words) 今日は","photo":\#(row % 3 == 0 ? #""https://img.example/1""# : "null")}"#
    }.joined(separator: "\n") + "\n"
  }

  private func arguments(_ rows: String, _ output: String, _ more: String...) throws -> [String] {
    let cells = try scratch.file("cells.yaml", Self.cells)
    return ["layout", rows, "--cells", cells, "--width", "320,390", "--output", scratch.path(output)] + more
  }

  @Test func theTablesDoNotDependOnTheNumberOfWorkers() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(3000))
    #expect(try Galley.run(arguments(rows, "one", "--in-process")).code == 0)
    let expected = try scratch.tables("one")
    // Three tables for each of two widths, and the hashes of the rows.
    #expect(expected.count == 7)
    for workers in ["1", "2", "5"] {
      #expect(try Galley.run(arguments(rows, "w\(workers)", "--workers", workers)).code == 0)
      #expect(try scratch.tables("w\(workers)") == expected)
    }
    #expect(try Galley.run(arguments("-", "input"), input: Self.rows(3000)).code == 0)
    #expect(try scratch.tables("input") == expected)
  }

  /// A process loads the dictionaries of ICU once, for whatever text needs them first.
  @Test(arguments: [
    ("android", "web,android"), ("texture", "android,texture"), ("firefox", "android,firefox"),
    ("flutter", "android,flutter"),
  ])
  func theTablesOfAPlatformDoNotDependOnThoseBeforeIt(platform: String, together: String) throws {
    let cells = try scratch.file(
      "words.yaml",
      """
      version: 1
      fonts: {body: {family: Noto Sans Khmer, size: 15}}
      fallback: [Noto Sans Lao]
      cells: {A: {layout: {type: text, text: "{text}"}}}
      """)
    let rows = try scratch.file(
      "words.jsonl",
      #"{"text":"មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងភាពស្មើគ្នាក្នុងសិទ្ធិនិងសេចក្ដីថ្លៃថ្នូរ"}"# + "\n"
        + #"{"text":"ມະນຸດທຸກຄົນເກີດມາມີອິດສະຫຼະແລະສະເໝີພາບກັນໃນກຽດສັກສີແລະສິດທິມະນຸດທຸກຄົນເກີດມາມີອິດສະຫຼະ"}"# + "\n")
    for platforms in [platform, together] {
      let options = ["--platform", platforms, "--scale", "2", "--lines"]
      try scratch.layOut(rows, cells, width: "60,75", to: platforms, options).expectSuccess()
    }
    let prefix = platform == "texture" ? "w" : "\(platform)-w"
    let alone = try scratch.tables(platform).filter { $0.key.hasPrefix(prefix) }
    #expect(alone.count == 10)
    #expect(try scratch.tables(together).filter { $0.key.hasPrefix(prefix) } == alone)
  }

  @Test func killedWorkersDoNotChangeTheTables() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(20_000))
    #expect(try Galley.run(arguments(rows, "expected", "--in-process")).code == 0)
    let run = try Galley.start(arguments(rows, "killed", "--workers", "2"))
    var killed = 0
    while run.process.isRunning && killed < 6 {
      usleep(60_000)
      if let child = run.children.randomElement(), kill(child, SIGKILL) == 0 { killed += 1 }
    }
    run.wait().expectSuccess()
    #expect(killed > 0)
    #expect(try scratch.tables("killed") == scratch.tables("expected"))
  }

  @Test func badRowsAreReportedAndOthersAreLaidOut() throws {
    let outcome = try Galley.run(arguments("-", "bad"), input: "{\"text\":\"a\"}\nnonsense\n{}\n")
    #expect(outcome.code == 3)
    #expect(outcome.output.contains("3 rows"))
    #expect(outcome.errors.contains("2 of 3 rows are bad"))
    #expect(outcome.errors.contains("standard input:2: is not JSON"))
    #expect(outcome.errors.contains(#"standard input:3: layout.children[0].text: field "text" is missing"#))
  }

  /// Rows without texts have no margins, so that the share is not one of all rows.
  @Test func theSummaryStatesAShareOfTheRowsWithTexts() throws {
    let cells = try scratch.file(
      "margins.yaml",
      """
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
      cells:
        T: {layout: {type: text, text: "{text}", font: body}}
        P: {layout: {type: networkImage, url: u, style: {preferredSize: [100, 50]}}}
      """)
    func summary(_ rows: String) throws -> String {
      let rows = try scratch.file("margins.jsonl", rows)
      let output = ["--output", scratch.path("margins"), "--force"]
      return try Galley.run(["layout", rows, "--cells", cells, "--width", "390", "--in-process"] + output)
        .expectSuccess().output
    }
    let text = #"{"cell":"T","text":"one"}"# + "\n"
    let picture = #"{"cell":"P"}"# + "\n"
    let output = try summary(text + picture + picture)
    #expect(output.contains("; 0.0 % of the rows with texts are within 0.5 points of another "), "\(output)")
    #expect(try !summary(picture).contains(" % of "))
  }

  @Test func aStrictRunFailsAtTheFirstBadRow() throws {
    try Galley.run(arguments("-", "strict", "--strict"), input: "{\"text\":\"a\"}\nnonsense\n").expectFailure(
      1, "standard input:2: is not JSON")
    #expect(try scratch.tables("strict").isEmpty)
  }

  @Test func anExistingOutputIsReplacedOnlyWithForce() throws {
    #expect(try Galley.run(arguments("-", "out"), input: Self.rows(3)).code == 0)
    let before = try scratch.tables("out")
    try Galley.run(arguments("-", "out"), input: Self.rows(4)).expectFailure(1, "--force")
    #expect(try scratch.tables("out") == before)
    #expect(try Galley.run(arguments("-", "out", "--force"), input: Self.rows(4)).code == 0)
    #expect(try scratch.tables("out") != before)
  }

  /// The exit of a process freed what OpenSSL needs, while another thread computed the hash of the fonts: one of 240 processes
  /// ended with SIGSEGV.
  @Test func aCommandThatFailsWhileItsFontsAreHashedEndsWithItsCode() throws {
    let arguments = try arguments("rows.jsonl", "out", "--scale", "0")
    let running = try (0..<12).map { _ in try Galley.start(arguments) }
    for galley in running {
      galley.process.waitUntilExit()
      #expect(galley.process.terminationReason == .exit, "\(galley.errorsSoFar)")
      #expect(galley.process.terminationStatus == 2, "\(galley.errorsSoFar)")
    }
  }

  @Test(arguments: [
    ("--width", "abc", 2), ("--width", "0", 2), ("--workers", "0", 2), ("--bogus", "1", 2), ("--width", "nan", 2),
    ("--scale", "0", 2), ("--output", "/no/such/directory/x", 1), ("--cells", "/no/such/file.yaml", 1),
  ])
  func usageErrorsAndFailuresHaveDifferentExitCodes(option: String, value: String, code: Int) throws {
    var arguments = try arguments("-", "out")
    if let index = arguments.firstIndex(of: option) { arguments.removeSubrange(index...index + 1) }
    let outcome = try Galley.run(arguments + [option, value], input: Self.rows(1))
    #expect(Int(outcome.code) == code, "\(outcome.errors)")
    #expect(!outcome.errors.isEmpty)
    #expect(try scratch.tables("out").isEmpty)
  }

  @Test(arguments: [["--cells", "a.yaml"], ["--width=100"], ["--workers", "1", "--workers=2"]])
  func anOptionWithOneValueCannotBeGivenTwice(more: [String]) throws {
    try Galley.run(arguments("-", "out") + more, input: Self.rows(1)).expectFailure(
      2, " is given twice; it has one value")
    // Files after -- are no options.
    let inspected = try Galley.run(["inspect", "--row", "1", "--row", "2", "--", "--row", "--width"])
    #expect(!inspected.errors.contains("twice"), "\(inspected.errors)")
  }

  @Test func aNumberOfWorkersIsAWarningWhereNoneAreStarted() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(2))
    let outcome = try Galley.run(arguments(rows, "out", "--in-process", "--workers", "2"))
    #expect(outcome.code == 0)
    #expect(outcome.errors == "galley: --workers has no effect: --in-process starts no workers\n")
  }

  @Test func aRunWithUnreadableRowsFails() throws {
    let outcome = try Galley.run(arguments("/no/such/rows.jsonl", "out"))
    #expect(outcome.code == 1)
    #expect(outcome.errors == "galley: /no/such/rows.jsonl: cannot be read: No such file or directory\n")
  }

  @Test func environmentVariablesSetOptions() throws {
    let cells = try scratch.file("cells.yaml", Self.cells)
    let outcome = try Galley.run(
      ["layout", "-", "--output", scratch.path("out"), "--width", "200"], input: Self.rows(2),
      environment: ["GALLEY_CELLS": cells, "GALLEY_WIDTH": "100", "GALLEY_TEXT_SCALE": "1.35", "GALLEY_QUIET": "1"])
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    #expect(try scratch.tables("out").keys.contains("w200-t1.35/heights.arrow"))
  }

  @Test func usageErrorsNameTheEnvironmentVariablesThatSetOptions() throws {
    try Galley.run(["status"], environment: ["GALLEY_CONNECT": "nowhere"])
      .expectFailure(2, "galley: environment variables set options of this command: GALLEY_CONNECT")
    try Galley.run(["worker"], environment: ["GALLEY_CONNECT": "nowhere", "GALLEY_LOG_FORMAT": "json"])
      .expectFailure(2, "\"message\":\"environment variables set options of this command: GALLEY_CONNECT")
  }

  /// A directory that cannot be locked was taken for one that another process had removed, so that the run made further ones for
  /// ever. With so few files, libdispatch itself can end the process.
  @Test func aRunWithTooFewOpenFilesEnds() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(3))
    let command = try arguments(rows, "few").map { "'\($0)'" }.joined(separator: " ")
    let outcome = try Galley.start(
      ["-c", "ulimit -n 9; TMPDIR='\(scratch.directory)' exec timeout 20 '\(Galley.program.path)' \(command)"],
      executable: "/bin/sh"
    ).wait()
    let codeOfTimeout: Int32 = 124
    #expect(outcome.code != 0 && outcome.code != codeOfTimeout, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory).count < 10)
  }

  @Test func aRunOfManyVariantsHasTheFilesOpenThatTheSystemPermits() throws {
    let rows = try scratch.file("rows.jsonl", Self.rows(3))
    var arguments = try arguments(rows, "many", "--in-process", "--lines")
    if let index = arguments.firstIndex(of: "320,390") { arguments[index] = "300-320" }
    let command = arguments.map { "'\($0)'" }.joined(separator: " ")
    func run(limits: String) throws -> Galley.Outcome {
      try Galley.start(["-c", "\(limits); '\(Galley.program.path)' \(command)"], executable: "/bin/bash").wait()
    }
    try run(limits: "ulimit -n 60").expectFailure(1, "Too many open files; raise the limit")
    try run(limits: "ulimit -Hn 400; ulimit -Sn 60").expectSuccess()
  }

  @Test func aRunThatCannotWriteFailsAndRemovesItsTables() throws {
    // A limit of the file size has the same effect as a full disk, and needs no root.
    let rows = try scratch.file("rows.jsonl", Self.rows(3000))
    let command = try arguments(rows, "full").map { "'\($0)'" }.joined(separator: " ")
    try Galley.start(
      ["-c", "trap '' XFSZ; ulimit -f 100; '\(Galley.program.path)' \(command)"], executable: "/bin/sh"
    ).wait().expectFailure(1, ": File too large")
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.directory).allSatisfy { !$0.hasPrefix("full") })
  }
}
