import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley css`: the sheet, its fonts and its warnings.
@Suite struct CSSCommandTests {
  private let scratch = Scratch()

  private static let cells = """
    version: 1
    fonts: {body: {family: Inter, size: 15, lineHeight: 20}}
    fallback: [Noto Sans, Noto Sans Hebrew]
    cells:
      A: {layout: {type: text, id: text, text: "{text}", lang: he}}
    """

  private func css(_ arguments: [String]) throws -> Galley.Outcome {
    try Galley.run(["css", try scratch.file("cells.yaml", Self.cells)] + arguments)
  }

  @Test func theFontsHaveTheCharactersOfTheRows() throws {
    let rows = try scratch.file("rows.jsonl", #"{"text": "שלום"}"#)
    let outcome = try css([rows, "--fonts", scratch.path("site/fonts")])
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(#"url("fonts/Noto-Sans-Hebrew-Regular.woff2")"#))
    #expect(outcome.output.contains("\n.body, .A-text {\n"))
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("site/fonts")).sorted()
    #expect(files == ["Inter-Regular.woff2", "Noto-Sans-Hebrew-Regular.woff2"])
    let warning = "cells.yaml:5:54: cells.A.layout.lang: is an attribute in HTML: lang=\"he\"\n"
    #expect(outcome.errors.hasPrefix("galley: ") && outcome.errors.hasSuffix(warning), "\(outcome.errors)")
    #expect(outcome.errors.count { $0 == "\n" } == 1)
    let kept = try css([rows, "--fonts", scratch.path("site/fonts"), "--keep", "cyrillic", "--font-url", "/f"])
    #expect(kept.output.contains(#"url("/f/Inter-Regular.woff2")"#))
  }

  /// The second run would otherwise leave the cells file with a font that lacks most characters.
  @Test func aFontOfTheCellsFileIsNotReplaced() throws {
    let (fonts, font) = (scratch.path("fonts"), scratch.path("fonts/Inter-Regular.woff2"))
    #expect(try css(["--fonts", fonts]).code == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: font))
    let text = Self.cells.replacing("family: Inter", with: "file: fonts/Inter-Regular.woff2")
    let cells = try scratch.file("own.yaml", text)
    let rows = try scratch.file("rows.jsonl", #"{"text": "A"}"#)
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: fonts)
    for directory in [fonts, scratch.path("link")] {
      try Galley.run(["css", cells, rows, "--fonts", directory]).expectFailure(
        2, "--fonts \(directory) would replace \(font), which the command reads; give another directory")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: font)) == before)
    #expect(try Galley.run(["css", cells, rows, "--fonts", scratch.path("site")]).code == 0)
  }

  @Test func theFontsNeedADirectory() throws {
    let file = try scratch.file("file", "")
    try css(["--fonts", file]).expectFailure(1, "\(file): is a file; give the directory for the fonts")
  }

  @Test func theWarningsOfValuesConcernApplications() throws {
    let outcome = try css(["--format", "json"])
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains(#""lang" : "he""#) && outcome.output.contains(#""notes" : ["#))
  }

  @Test(arguments: [
    (["rows.jsonl"], 2, "rows choose the characters of the fonts; give the directory for these to --fonts"),
    (["--keep", "latin"], 2, "--keep adds characters to those of rows; give the rows, or leave out --keep"),
    (["--format", "json", "--unit", "rem"], 2, "--format json has numbers and names of files"),
    (["--unit", "em"], 2, "--unit"),
  ])
  func aMistakeStatesTheRemedy(arguments: [String], code: Int32, message: String) throws {
    let outcome = try css(arguments)
    #expect(outcome.code == code && outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test func anUnknownScriptIsAnError() throws {
    let rows = try scratch.file("rows.jsonl", #"{"text": "A"}"#)
    try css([rows, "--fonts", scratch.path("fonts"), "--keep", "klingon"]).expectFailure(
      2, "--keep klingon: no font of")
  }
}
