import Foundation
import GalleyTestSupport
import PoolProtocol
import Testing

@Suite struct DemoCommandTests {
  @Test func theDemoNeedsOnlyAFont() throws {
    let scratch = Scratch()
    #expect(try Galley.run(["demo", "--output", "-"]).errors.contains("--output is a directory for the tables"))
    let outcome = try Galley.run(["demo", "--rows", "300", "--output", scratch.path("demo")]).expectSuccess()
    #expect(outcome.output.contains("300 rows"))
    #expect(outcome.output.contains("RatioLayoutSpec"))
    #expect(outcome.output.contains("--viewport 844 --no-resources\n{\"visible\":["))
    #expect(try scratch.tables("demo").count == 4)
    let manifestPath = scratch.path("demo/manifest.json")
    try Galley.run(["demo", "--output", scratch.path("demo"), "--keep-rows", manifestPath]).expectFailure(
      2, "--keep-rows \(manifestPath) would replace \(manifestPath), which the command reads; give another file")
    // The tables of other runs are not replaced.
    let manifest = try String(contentsOfFile: scratch.path("demo/manifest.json"), encoding: .utf8)
    _ = try scratch.file("demo/manifest.json", manifest.replacingOccurrences(of: "demo rows", with: "posts.jsonl"))
    try Galley.run(["demo", "--rows", "5", "--output", scratch.path("demo")]).expectFailure(
      1, "has the tables of another run")
  }

  @Test func versionAndHelpArePrinted() throws {
    #expect(try Galley.run(["--version"]).output == "galley \(Version.current)\n")
    let help = try Galley.run(["help", "layout"])
    #expect(help.code == 0 && help.output.contains("--text-scale"))
  }
}
