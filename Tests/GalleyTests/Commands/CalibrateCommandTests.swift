import Foundation
import GalleyTestSupport
import Testing

/// Tests of `galley calibrate`: a kit is written, and what a device has measured of it is compared and fitted.
@Suite struct CalibrateCommandTests {
  private let scratch = Scratch()

  private func cells(_ calibration: String = "") throws -> String {
    try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}, "the name": {family: Inter, weight: bold, size: 13}}
      fallback: [Noto Sans Hebrew]
      \(calibration)
      cells:
        A:
          layout:
            type: stack
            direction: vertical
            children:
              - {type: text, text: "{text}", font: body}
              - {type: text, text: "{text}", font: "the name", maximumNumberOfLines: 2}
              - {type: text, when: mixed, runs: [{text: "two ", font: body}, {text: fonts, font: "the name"}], font: body}

      """)
  }

  private static let rows: String = {
    let words = [
      "a", "list", "of", "שלום", "texts", "with", "other", "lines", "and", "heights", "on", "each", "device",
    ]
    return (0..<60).map { row in
      let text = (0...row / 2).map { words[($0 * 7 + row) % words.count] }.joined(separator: " ")
      return #"{"id":"\#(row)","text":"\#(text)","mixed":true}"# + "\n"
    }.joined()
  }()

  private func sample(_ calibration: String = "", _ more: String...) throws -> String {
    let kit = scratch.path("kit-\(UUID().uuidString)")
    let outcome = try Galley.run(
      ["calibrate", "sample", "-", "--cells", cells(calibration), "--width", "150", "--output", kit] + more,
      input: Self.rows)
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return kit
  }

  private struct Text: Decodable {
    struct Size: Decodable { let lines: Int, height: Double }
    let id: Int, text: String, font: String, starts: [Int], expected: Size
  }

  private func texts(_ kit: String) throws -> [Text] {
    try Data(contentsOf: URL(fileURLWithPath: "\(kit)/texts.jsonl")).split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(Text.self, from: $0) }
  }

  private func compare(_ kit: String, _ measured: String) throws -> Galley.Outcome {
    try Galley.run(["calibrate", "compare", kit, "-"], input: measured)
  }

  private func measured(_ kit: String, _ height: (Text) -> Double) throws -> String {
    try texts(kit).map { #"{"id":\#($0.id),"lines":\#($0.expected.lines),"height":\#(height($0))}"# + "\n" }.joined()
  }

  @Test func aKitHasItsTextsFontsAndPrograms() throws {
    let kit = try sample()
    let files = try FileManager.default.subpathsOfDirectory(atPath: kit).sorted()
    #expect(
      files == [
        "MeasureTexts.jsx", "MeasureTexts.kt", "MeasureTextsCompose.kt", "MeasureTextsTexture.swift",
        "MeasureTextsUIKit.swift", "README.md", "cells.galley", "fonts", "fonts/1.otf", "fonts/2.otf", "fonts/3.ttf",
        "kit.json", "measure.html", "measure_texts_test.dart", "texts.jsonl",
      ])
    for file in files where ["jsx", "kt", "swift", "html", "dart"].contains(URL(fileURLWithPath: file).pathExtension) {
      let program = try String(contentsOfFile: "\(kit)/\(file)", encoding: .utf8)
      #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 100, "\(file)")
    }
    let texts = try texts(kit)
    #expect(texts.count == 120 && Set(texts.map(\.font)) == ["body", "the name"])
    #expect(texts.allSatisfy { $0.starts.count == $0.expected.lines && $0.starts[0] == 0 })
    let outcome = try compare(kit, measured(kit) { $0.expected.height })
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("120 of 120 texts were measured; "))
    #expect(outcome.output.contains(#/\nall +120 +100.0 % +100.0 %\n/#))
    #expect(
      outcome.output.hasSuffix("\n\nNo other calibration would make more of the texts equal.\n"), "\(outcome.output)")
  }

  @Test func theTextsOfAKitAreMeasuredAsTheLayoutMeasuresThem() throws {
    for platform in ["texture", "web", "webkit", "firefox", "flutter", "android", "reactNative"] {
      let options = ["--platform", platform, "--scale", "2.625", "--text-scale", "1.3"]
      let kit = scratch.path("kit-\(platform)")
      for arguments in [["calibrate", "sample"], ["layout", "--in-process"]] {
        let output = arguments[0] == "layout" ? scratch.path("tables-\(platform)") : kit
        let rows = try scratch.file("rows.jsonl", #"{"id":"a","text":"texts of a device, with some lines"}"#)
        try Galley.run(
          arguments + [rows, "--cells", cells(), "--width", "150", "--output", output] + options
        ).expectSuccess()
      }
      let tables = scratch.path("tables-\(platform)")
      let variant = try #require(
        try FileManager.default.contentsOfDirectory(atPath: tables).first { $0.contains("w150") })
      let frames = try Galley.run(["export", "\(tables)/\(variant)", "--format", "jsonl"]).output
      for text in try texts(kit) { #expect(frames.contains(#""lines":\#(text.expected.lines),"#), "\(platform)") }
    }
  }

  @Test func aCalibrationIsFittedAndTakesEffect() throws {
    let plain = try sample("", "--platform", "flutter")
    let outcome = try compare(plain, measured(plain) { $0.expected.height * ($0.font == "body" ? 1.1 : 1.25) })
    #expect(outcome.output.contains(#/\nall +120 +100.0 % +0.0 % +100.0 % +100.0 %\n/#), "\(outcome.output)")
    let block = """
      calibration:
        flutter:
          lineHeights:
            body: {addition: 2}
            "the name": {factor: 1.25}
      """
    #expect(outcome.output.contains("\nIn the cells file, add:\n\n\(block)\n"), "\(outcome.output)")

    let calibrated = try sample(block, "--platform", "flutter")
    let expected = try texts(plain).map { ($0.expected.height * ($0.font == "body" ? 1.1 : 1.25) * 1000).rounded() }
    #expect(try texts(calibrated).map { ($0.expected.height * 1000).rounded() }.sorted() == expected.sorted())
    let again = try compare(calibrated, measured(calibrated) { $0.expected.height })
    #expect(again.output.contains("No other calibration"), "\(again.output)")
    let removed = try compare(calibrated, measured(plain) { $0.expected.height })
    #expect(removed.output.hasSuffix("In the cells file, remove the calibration of flutter.\n"), "\(removed.output)")
  }

  /// The line height of 20 is 30 at 1.5, and grows by the factor of the font, 22.5 / 15.
  @Test func anAdditionIsFittedAtTextScaleOne() throws {
    func kit(_ calibration: String) throws -> String {
      try sample(calibration, "--platform", "android", "--scale", "2", "--text-scale", "1.5")
    }
    let plain = try kit("")
    let device = try measured(plain) { $0.expected.height + ($0.font == "body" ? 3 * Double($0.expected.lines) : 0) }
    let block = "calibration:\n  android:\n    lineHeights:\n      body: {addition: 2}\n"
    let outcome = try compare(plain, device)
    #expect(outcome.output.hasSuffix("\nIn the cells file, add:\n\n\(block)"), "\(outcome.output)")
    let again = try compare(kit(block), device)
    #expect(again.output.contains(#/\nall +120 +100.0 % +100.0 %\n/#), "\(again.output)")
  }

  @Test func aFontWithoutMeasuredTextsKeepsItsLineHeights() throws {
    let other = "calibration: {flutter: {lineHeights: {\"the name\": {addition: 3}}}}"
    let kit = try sample(other, "--platform", "flutter")
    func compareBody(_ factor: Double) throws -> String {
      let texts = try texts(kit).filter { $0.font == "body" }
      let lines = texts.map {
        #"{"id":\#($0.id),"lines":\#($0.expected.lines),"height":\#($0.expected.height * factor)}"#
      }
      return try compare(kit, lines.joined(separator: "\n") + "\n").output
    }
    #expect(try compareBody(1).hasSuffix("\nNo other calibration would make more of the texts equal.\n"))
    let fitted = try compareBody(1.1)
    let heights = """
          lineHeights:
            body: {addition: 2}
            "the name": {addition: 3}

      """
    #expect(fitted.hasSuffix(heights), "\(fitted)")
  }

  @Test func aWrongLineIsLeftOut() throws {
    let kit = try sample()
    let lines = try measured(kit) { $0.expected.height }.split(separator: "\n")
    let wrong = [
      (#"{"id":1,"lines":1,"height":20}"#, "text 1 is measured twice; its first measurement counts"),
      (#"{"id":999,"lines":1,"height":20}"#, "the kit has no text 999; measure the texts of this kit"),
      (#"{"id":3,"lines":1.5,"height":20}"#, "text 3 has no lines, or not a whole number of them from 1; write "),
      (#"{"id":3,"lines":1,"height":-1}"#, "text 3 has no height, or not a number of points above 0; write "),
      (#"{"id":3,"lines":1,"height":0}"#, "text 3 has no height, or not a number of points above 0; write "),
      (#"{"id":3,"lines":0,"height":20}"#, "text 3 has no lines, or not a whole number of them from 1; write "),
      (#"{"id":3,"lines":1,"height":NaN}"#, "is not JSON"),
      (#"{"id":"3","lines":1,"height":20}"#, "has no id, or one that is not a whole number; write "),
      ("[3, 1, 20]", "is not an object; write "),
    ]
    for (line, message) in wrong {
      let outcome = try compare(kit, lines.prefix(2).joined(separator: "\n") + "\n" + line + "\n")
      #expect(
        outcome.code == 3 && outcome.errors.hasPrefix("galley: standard input:3: \(message)"), "\(outcome.errors)")
      #expect(outcome.errors.contains("118 texts of the kit are not measured, the first of them text 3"))
      #expect(outcome.output.hasPrefix("2 of 120 texts were measured; "))
    }
    try compare(kit, "{}\n").expectFailure(1, "has no measurement of the kit's texts; \(kit)/README.md says how")
  }

  @Test func measurementsUnderOtherConditionsAreDoubted() throws {
    let kit = try sample("calibration: {web: {widthTolerance: 0.5}}", "--platform", "flutter", "--scale", "3")
    let pixels = try compare(kit, measured(kit) { ($0.expected.height * 2.625).rounded(.up) })
    #expect(pixels.errors.contains("galley: most heights are 2.6"), "\(pixels.errors)")
    let constant = try compare(kit, measured(kit) { _ in 44 })
    #expect(
      constant.errors.contains(#/[0-9]+ of 120 texts have another number of lines or another height than /#))
    let other = try compare(kit, measured(kit) { $0.expected.height + Double($0.expected.lines) })
    #expect(other.errors.isEmpty)
    let block = "\nIn the cells file, add to the key calibration:\n\n  flutter:\n"
    #expect(other.output.contains(block), "\(other.output)")
  }

  @Test func aDirectoryThatIsNotAKitIsRefused() throws {
    let kit = try sample()
    try FileManager.default.removeItem(atPath: "\(kit)/kit.json")
    try compare(kit, "").expectFailure(1, "kit.json cannot be read; give the directory that galley calibrate sample")
    try Data(#"{"version": 2}"#.utf8).write(to: URL(fileURLWithPath: "\(kit)/kit.json"))
    try compare(kit, "").expectFailure(1, "is of version 2, and this program reads version 1; make the kit again")
  }

  @Test func aKitHasOneVariantAndSomeTexts() throws {
    let arguments = ["calibrate", "sample", "-", "--cells", try cells(), "--output", scratch.path("none")]
    try Galley.run(arguments + ["--width", "320,390"], input: Self.rows).expectFailure(
      2, "a kit has one variant, and these are 2")
    try Galley.run(arguments + ["--width", "320"], input: "{\"id\":\"a\"}\n").expectFailure(
      1, "standard input: has no text in one font")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    try Galley.run(arguments + ["--width", "320"], input: Self.rows + "{]\n").expectFailure(3, "standard input:61: ")
  }

  @Test func textsWithPropertiesThatTheProgramsDoNotSetAreLeftOut() throws {
    let kit = scratch.path("kit")
    func sample(_ cells: String) throws -> Galley.Outcome {
      let options = ["--cells", cells, "--width", "150", "--platform", "web", "--output", kit]
      return try Galley.run(["calibrate", "sample", "-"] + options, input: Self.rows)
    }
    let language = try sample(cells("lang: de"))
    #expect(
      language.code == 1 && language.errors.hasSuffix("; the programs of a kit do not set lang, which texts have\n"),
      "\(language.errors)")
    let plain = try String(contentsOfFile: cells(), encoding: .utf8)
    let features = try sample(
      scratch.file("features.yaml", plain.replacing("size: 13", with: "size: 13, fontFeatures: {tnum: 1}")))
    #expect(features.code == 0 && features.errors.isEmpty, "\(features.errors)")
    #expect(try Set(texts(kit).map(\.font)) == ["body"])
  }

  @Test func environmentVariablesSetTheOptionsOfAVerbOfTheVerb() throws {
    try Galley.run(
      ["calibrate", "sample", "-", "--cells", cells(), "--output", scratch.path("kit")], input: Self.rows,
      environment: ["GALLEY_WIDTH": "150", "GALLEY_PLATFORM": "web"]
    ).expectSuccess()
    try Galley.run(["calibrate", "sample", "-", "--width", "1", "--width", "2"]).expectFailure(
      2, "--width is given twice")
  }
}
