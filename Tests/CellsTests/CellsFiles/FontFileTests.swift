import BatchLayout
import Buffers
import CellsFiles
import Foundation
import GalleyTestSupport
import Glibc
import LayoutEngine
import Testing

/// Tests of font files that a cells file names: web fonts, variable fonts, damaged fonts, and files that are not fonts.
@Suite struct FontFileTests {
  private let scratch = Scratch()

  private func copy(_ url: URL, _ name: String) throws {
    try FileManager.default.copyItem(at: url, to: URL(fileURLWithPath: scratch.path(name)))
  }

  /// Returns the heights of a few texts in a font, or the error.
  private func heights(_ font: String) throws -> Result<[Float], CellsFileError> {
    let path = try scratch.file(
      "cells.yaml",
      """
      fonts: {b: {\(font), size: 15}}
      version: 1
      cells:
        A:
          layout:
            type: node
            layout: {type: stack, children: [{type: text, text: "{text}", font: b, style: {flexShrink: 1}}]}
      """)
    let file: CellsFile
    do throws(CellsFileError) { file = try CellsFile(path) } catch { return .failure(error) }
    let rows = Array(
      """
      {"text": "the quick brown fox jumps over the lazy dog again and again and again"}
      {"text": "AVAWA To. fi ffi office 0123456789 (and) “quotes” – naïve façade Ångström"}
      {"text": "pack my box with five dozen liquor jugs and do it once more for the last line"}
      """.utf8)
    return .success(
      try file.withProgram { program in
        let layout = try JobLayout(program, variants: [Variant(width: 200), Variant(width: 333, textScale: 1.35)])
        _ = layout.layout(Programs.keep(rows), firstLine: 1, firstRow: 0)
        return (0..<2).flatMap { layout.withColumns(of: $0) { Array($0.columns.height.values) } }
      })
  }

  private func message(_ font: String) throws -> String {
    switch try heights(font) {
    case .success: "no error"
    case .failure(let error): error.description.replacingOccurrences(of: scratch.directory + "/", with: "")
    }
  }

  // MARK: Features

  @Test func aFontHasTheFeaturesThatItsFileHas() throws {
    let noto = "family: Noto Sans"
    #expect(try heights(noto + ", fontFeatures: {smcp: 1, tnum: true, liga: 0}").get() != heights(noto).get())
    #expect(try heights(noto + ", fontFeatures: {zero: 0}").get() == heights(noto).get())
  }

  @Test(arguments: [
    ("{titl: 1}", "has no feature \"titl\", and none is imitated; it has "),
    ("{smcp: 1.5}", "whole number from 0 to 65535"),
    ("{smallcaps: 1}", "is not the name of a feature"), ("[smcp]", "must be numbers by the names of features"),
  ])
  func featuresThatAFontCannotHaveAreRefused(features: String, part: String) throws {
    #expect(try message("family: Noto Sans, fontFeatures: \(features)").contains(part))
  }

  // MARK: Formats

  @Test(arguments: ["variable.woff", "variable.woff2"])
  func aWebFontHasTheHeightsOfItsPlainFont(name: String) throws {
    try copy(Fixtures.url("variable.ttf"), "plain.ttf")
    try copy(Fixtures.url(name), name)
    let axes = "axes: {wdth: 150}"
    #expect(try heights("file: \(name), \(axes)").get() == heights("file: plain.ttf, \(axes)").get())
  }

  /// The file has the weight 100 itself.
  @Test func aVariableFontHasTheRegularWeightUnlessAnotherIsStated() throws {
    try copy(Fixtures.url("slanted.ttf"), "font.ttf")
    let regular = try heights("file: font.ttf").get()
    #expect(try heights("file: font.ttf, weight: regular").get() == regular)
    #expect(try heights("file: font.ttf, axes: {wght: 400}").get() == regular)
    #expect(try heights("file: font.ttf, axes: {slnt: 0}").get() == regular)
    #expect(try heights("file: font.ttf, axes: {wght: 100}").get() != regular)
  }

  @Test func axesChangeTheMeasuredHeights() throws {
    try copy(Fixtures.url("variable.ttf"), "font.ttf")
    let normal = try heights("file: font.ttf").get()
    #expect(try heights("file: font.ttf, axes: {wdth: 100, wght: 400}").get() == normal)
    #expect(try heights("file: font.ttf, axes: {wdth: 50}").get()[0] < normal[0])
    #expect(try heights("file: font.ttf, axes: {wdth: 200}").get()[0] > normal[0])
    let heavy = try heights("file: font.ttf, axes: {wdth: 150}, weight: 900").get()
    #expect(try heights("file: font.ttf, axes: {wght: 900, wdth: 150}").get() == heavy)
  }

  @Test func theMistakesOfAllFontsAreReported() throws {
    try copy(Fixtures.url("variable.ttf"), "font.ttf")
    let path = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {a: {file: font.ttf, axes: {opsz: 9}, size: 15}, b: {file: font.ttf, faceIndex: 3, size: 15}}
      cells: {A: {layout: {type: text, text: x, font: a}}}
      """)
    let error = #expect(throws: CellsFileError.self) { try CellsFile(path) }
    #expect(error?.mistakes.count == 2, "\(error?.description ?? "")")
  }

  @Test(arguments: [
    ("axes: {wdth: 201}", "1:29: fonts.b.axes: font.ttf has the axis \"wdth\" from 50 to 200, so not at 201"),
    (
      "axes: {opsz: 9}",
      "1:29: fonts.b.axes: font.ttf has no axis \"opsz\"; it has wdth from 50 to 200, wght from 100 to"
    ),
    ("axes: {width: 9}", "1:36: fonts.b.axes.width: is not the name of an axis, which has four letters"),
    ("axes: {wdth: wide}", "1:36: fonts.b.axes.wdth: must be a number"),
    ("axes: 85", "1:29: fonts.b.axes: must be numbers by the names of axes, as in {wdth: 85, opsz: 14}"),
    ("axes: {wght: 300}, weight: 300", "1:36: fonts.b.axes.wght: is the weight, which is there already"),
    ("faceIndex: 1", "1:29: fonts.b.faceIndex: font.ttf has only one face, number 0"),
    ("faceIndex: 1e19", "1:29: fonts.b.faceIndex: must be a whole number from 0 to 65535"),
    ("faceIndex: 0.5", "1:29: fonts.b.faceIndex: must be a whole number"),
    ("faceIndex: -1", "1:29: fonts.b.faceIndex: must be a whole number"),
  ])
  func anAxisOrWeightThatTheFontLacksIsAnError(font: String, message expected: String) throws {
    try copy(Fixtures.url("variable.ttf"), "font.ttf")
    let message = try message("file: font.ttf, \(font)")
    #expect(message.hasPrefix("cells.yaml:" + expected), "\(message)")
  }

  @Test func aFaceBeyondTheCollectionIsAnError() throws {
    let path = try DebianFonts.path("NotoSansCJK-Regular.ttc")
    let message = try message("file: \(path), faceIndex: 20")
    #expect(message.hasSuffix("fonts.b.faceIndex: \(path) has 10 faces, of which the last has number 9"), "\(message)")
    #expect(try message.contains("20") || heights("file: \(path), faceIndex: 9").get().count == 6)
  }

  // MARK: Files that are not fonts

  @Test(.timeLimit(.minutes(1)))
  func aPipeOrADirectoryIsAnErrorAtOnce() throws {
    #expect(mkfifo(scratch.path("pipe"), 0o600) == 0)
    #expect(try message("file: pipe").hasSuffix("pipe cannot be read: it is a pipe or a device, not a file"))
    #expect(try message("file: /dev/zero").hasSuffix("/dev/zero cannot be read: it is a pipe or a device, not a file"))
    #expect(try message("file: /tmp").hasSuffix("/tmp cannot be read: it is a directory"))
  }

  @Test func aTruncatedFontIsDamaged() throws {
    let font = try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path("Inter-Regular.otf")))
    try font.prefix(font.count / 10).write(to: URL(fileURLWithPath: scratch.path("cut.otf")))
    let message = try message("file: cut.otf")
    #expect(message.hasPrefix("cells.yaml:1:13: fonts.b.file: cut.otf is damaged: table \"CFF\" ends "), "\(message)")
    #expect(message.hasSuffix(" bytes after the end of the file"))
  }

  @Test(arguments: ["variable.ttf", "variable.woff", "variable.woff2"])
  func aFontTruncatedAtAnyLengthIsAnError(name: String) throws {
    let font = try [UInt8](Data(contentsOf: Fixtures.url(name)))
    for length in stride(from: 0, to: font.count - 4, by: 41) {
      try Data(font[..<length]).write(to: URL(fileURLWithPath: scratch.path("cut")))
      #expect(throws: CellsFileError.self, "\(length) bytes") { try heights("file: cut").get() }
    }
  }

  // MARK: Damage

  /// HarfBuzz ignores tables that it cannot use, so that a damaged font could have other heights without an error.
  @Test(arguments: ["Inter-Regular.otf", "Roboto-Regular.ttf"])
  func aDamagedFontIsAnErrorOrGivesTheSameHeights(name: String) throws {
    let font = try [UInt8](Data(contentsOf: URL(fileURLWithPath: DebianFonts.path(name))))
    try layOutDamagedCopies(font, count: Mutator.count / 15)
  }

  /// The compressed data has no checksums of its own. Decoding it must result in a font or an error.
  @Test(arguments: ["variable.woff", "variable.woff2"])
  func aDamagedWebFontDoesNotEndTheProcess(name: String) throws {
    try layOutDamagedCopies([UInt8](Data(contentsOf: Fixtures.url(name))), count: Mutator.count / 15, comparing: false)
  }

  private func layOutDamagedCopies(_ font: [UInt8], count: Int, comparing: Bool = true) throws {
    let path = scratch.path("font")
    try Data(font).write(to: URL(fileURLWithPath: path))
    let expected = try heights("file: font").get()
    var mutator = Mutator(seed: 11, corpus: [font])
    var errors = 0
    for number in 0..<count {
      // Half of the changed bytes are in the table directory.
      var damaged = mutator.next()
      if number % 2 == 0 {
        damaged = font
        for _ in 0...mutator.random.below(3) {
          damaged[mutator.random.below(300)] = UInt8(truncatingIfNeeded: mutator.random.next())
        }
      }
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      switch try heights("file: font") {
      case .success(let heights): #expect(!comparing || heights == expected || damaged == font, "damage \(number)")
      case .failure(let error):
        errors += 1
        #expect(error.mistakes.allSatisfy { $0.line == 1 && $0.message.hasPrefix("fonts.b") }, "\(error)")
      }
    }
    #expect(errors > count / 2)
  }
}
