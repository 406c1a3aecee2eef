import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley examples`.
@Suite struct ExamplesCommandTests {
  @Test(arguments: ["posts", "products", "kittens", "asdkgram", "social", "catdeals", "asdktube", "specs", "shop"])
  func everyRowOfTheExamplesIsGood(name: String) throws {
    let scratch = Scratch()
    try Galley.run(["examples", scratch.path("examples")])
    let path = scratch.path("examples/\(name)")
    try scratch.layOut(path + ".jsonl", path + ".yaml", width: "320,375,414", to: "tables").expectSuccess()
  }

  @Test func filesThatWereEditedAreKept() throws {
    let scratch = Scratch()
    let directory = scratch.path("examples")
    let first = try Galley.run(["examples", directory])
    #expect(first.code == 0 && first.output.hasSuffix("\(directory)/demo.yaml\n\(directory)/demo.jsonl\n"))
    #expect(try Galley.run(["examples", directory]).output == first.output, "the same contents are no obstacle")
    let edited = "\(directory)/posts.yaml"
    try Data("version: 1\n".utf8).write(to: URL(fileURLWithPath: edited))
    let outcome = try Galley.run(["examples", directory])
    #expect(outcome.code == 1)
    #expect(
      outcome.errors
        == "galley: \(edited): is there with other contents; give another directory, or remove the file\n")
    #expect(try String(contentsOfFile: edited, encoding: .utf8) == "version: 1\n")
  }

  @Test func nothingIsWrittenBesideADirectoryOrALinkOfTheNameOfAFile() throws {
    let scratch = Scratch()
    let manager = FileManager.default
    try manager.createDirectory(atPath: scratch.path("a/demo.jsonl"), withIntermediateDirectories: true)
    try manager.createDirectory(atPath: scratch.path("b"), withIntermediateDirectories: true)
    try manager.createSymbolicLink(atPath: scratch.path("b/demo.jsonl"), withDestinationPath: "nowhere")
    for name in ["a", "b"] {
      #expect(try Galley.run(["examples", scratch.path(name)]).code == 1)
      #expect(try manager.contentsOfDirectory(atPath: scratch.path(name)) == ["demo.jsonl"])
    }
  }
}
