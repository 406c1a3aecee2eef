import GalleyTestSupport
import Testing

/// Tests of what all verbs do with arguments and environment variables.
@Suite struct ArgumentsTests {
  private let scratch = Scratch()

  @Test(arguments: [
    ("layout rows --cells cells --output out --width -3", "-3"),
    ("layout rows --cells cells --output out --width 390 --workers -2", "--workers is from 1 to 1024"),
    ("loadtest --sweep-workers -2", "--sweep-workers is from 1 to"),
    ("arrange tables --spacing -.5", "--spacing -0.5 is not a length"),
    ("arrange tables --inset -1,2,3,4", "--inset -1 is not a length"),
    ("export tables --uncertain -1", "--uncertain is a length in points above 0"),
    ("coordinator --listen ipc://x --spool spool --keep -5d", "The value '-5d' is invalid for '--keep <keep>'"),
  ])
  func aNegativeNumberIsTheValueOfTheOptionBeforeIt(command: String, message: String) throws {
    let outcome = try Galley.run(command.split(separator: " ").map(String.init)).expectFailure(2, message)
    #expect(!outcome.errors.contains("Missing value"), "\(outcome.errors)")
  }

  @Test func aNegativeNumberBelongsToNoFlagAndIsNoOptionAfterTheEnd() throws {
    try Galley.run(["arrange", "tables", "--wrap", "-3"]).expectFailure(2, "Unknown option '-3'")
    let rows = try Galley.run([
      "layout", "--cells", "c", "--width", "1", "--output", scratch.path("o"), "--", "--width", "-3",
    ])
    #expect(rows.code == 1, "\(rows.errors)")
  }

  @Test func aVariableThatDoesNotSetItsFlagIsAWarning() throws {
    let file = try scratch.file("cells.yaml", "version: 1\ncells: {A: {layout: {type: spec}}}\n")
    for (value, code, warning) in [
      ("on", 1, "galley: GALLEY_FORCE=on does not set --force; 1, true and yes set it, and 0, false and no do not\n"),
      ("No", 1, ""), ("yes", 0, ""),
    ] as [(String, Int32, String)] {
      let pack = ["pack", file, "--output", scratch.path("cells.galley")]
      #expect(try Galley.run(pack, environment: ["GALLEY_FORCE": "1"]).code == 0)
      let outcome = try Galley.run(pack, environment: ["GALLEY_FORCE": value])
      #expect(outcome.code == code && outcome.errors.hasPrefix(warning), "\(outcome.errors)")
      #expect(outcome.errors.contains("GALLEY_FORCE") != warning.isEmpty, "\(outcome.errors)")
    }
  }
}
