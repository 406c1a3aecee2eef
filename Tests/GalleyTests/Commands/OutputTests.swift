import Foundation
import GalleyTestSupport
import Testing

/// Tests of the widths of a run, and of the replacement of its output directory.
@Suite struct OutputTests {
  private let scratch = Scratch()

  private func layout(_ width: String, _ more: String..., output: String = "tables") throws -> Galley.Outcome {
    let cells = try scratch.file(
      "cells.yaml", "version: 1\ncells: {A: {layout: {type: node, calculatedSize: [100, 50]}}}")
    return try Galley.run(
      ["layout", "-", "--cells", cells, "--width", width, "--output", scratch.path(output)] + more, input: "{}\n{}\n")
  }

  private func variants(_ output: String = "tables") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.path(output)).filter { $0.hasPrefix("w") }.sorted()
  }

  @Test(arguments: [
    ("390", "w390"), ("320-323", "w320 w321 w322 w323"), ("320-345/10", "w320 w330 w340"),
    ("320-340/10", "w320 w330 w340"), ("430,390-400/5,395", "w390 w395 w400 w430"), ("1-1.3/0.1", "w1 w1.1 w1.2 w1.3"),
    ("320 - 321", "w320 w321"), ("390-390", "w390"),
  ])
  func rangesOfWidthsAreExpanded(width: String, expected: String) throws {
    try layout(width, "--in-process").expectSuccess()
    #expect(try variants().joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("abc", "\"abc\" is neither a width nor a range of widths; write numbers and ranges, such as 390 or"),
    ("320-", "\"320-\" is neither"), ("320-430/", "\"320-430/\" is neither"), ("1,,2", "\"\" is neither"),
    ("-5", "is neither"), ("430-320", "430-320 runs from the larger width to the smaller"),
    ("320-430/0", "the step of 320-430/0 is not above 0"),
    ("1-257", "1-257 has more than 256 widths"), ("1-200,300-400", "more than 256 widths"),
    ("1-1e9", "is neither"), ("1e7", "w10000000 cannot be laid out: a width is above 0 and below 10000000 points"),
    ("nan", "a width is above 0"),
  ])
  func invalidWidthsAreReportedWithTheFormat(width: String, message: String) throws {
    let outcome = try layout("=" + width)
    let written = try layout(width)
    #expect(outcome.code == 2 && written.code == 2)
    #expect(written.errors.contains(message) || width.hasPrefix("-"), "\(written.errors)")
  }

  @Test func aBatchOf256VariantsHasTheSameTablesWithWorkers() throws {
    for (output, more) in [("one", "--in-process"), ("many", "--workers=2")] {
      try layout("320-447", "--text-scale=1,2", more, output: output).expectSuccess()
    }
    #expect(try variants("one").count == 256)
    #expect(try scratch.tables("one") == scratch.tables("many"))
    try layout("320-448", "--text-scale=1,2", output: "more").expectFailure(
      2, "these are 258 variants; a batch has at most 256")
  }

  @Test func forceReportsTheRemovedVariants() throws {
    #expect(try layout("320,390,430").code == 0)
    let replaced = try layout("390", "--force")
    #expect(replaced.code == 0)
    #expect(
      replaced.errors == "galley: \(scratch.path("tables")): replaces w320 w390 w430; removes w320 w430, "
        + "as this run has only w390\n")
    #expect(try variants() == ["w390"])
    #expect(try layout("390,400", "--force").errors.isEmpty)
  }

  @Test func forceDoesNotReplaceOtherDirectories() throws {
    #expect(try layout("390").code == 0)
    let foreign = try scratch.file("tables/w390/notes.txt", "mine")
    try layout("390", "--force").expectFailure(1, "tables: holds w390/notes.txt, which is not of an earlier run")
    try FileManager.default.removeItem(atPath: foreign)
    _ = try scratch.file("tables/manifest.json", #"{"format": 1, "name": "an app's own manifest"}"#)
    #expect(try layout("390", "--force").errors.contains("holds manifest.json, which is not"))
  }

  @Test func directoriesOfOthersBesideTheOutputAreKept() throws {
    let notes = ["tables.partial-backup/notes.txt", "tables.galley-partial-notes/notes.txt"]
    for name in notes {
      try FileManager.default.createDirectory(
        at: URL(fileURLWithPath: scratch.path(name)).deletingLastPathComponent(), withIntermediateDirectories: true)
      _ = try scratch.file(name, "mine")
    }
    #expect(try layout("390").code == 0)
    for name in notes { #expect(FileManager.default.fileExists(atPath: scratch.path(name))) }
  }
}
