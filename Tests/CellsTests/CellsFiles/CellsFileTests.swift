import CellsFiles
import Foundation
import GalleyTestSupport
import Testing

@Suite struct CellsFileTests {
  private let scratch = Scratch()

  private func message(_ text: String, name: String = "cells.yaml") throws -> String {
    let path = try scratch.file(name, text)
    return errorText { _ = try CellsFile(path) }.replacingOccurrences(of: scratch.directory + "/", with: "")
  }

  @Test(arguments: [
    ("cells: {A: {layout: [}", "cells.yaml:1:22: is not YAML: while parsing a flow node"),
    ("version: 1\ncells: \u{1}", "cells.yaml:2:8: is not YAML: control characters are not allowed"),
    (
      "cells: " + String(repeating: "[", count: 2000),
      "cells.yaml:1:9: is not YAML: its lists and mappings are nested too deeply"
    ),
    ("\u{feff}colls: {}", "cells.yaml:1:1: colls: is not a part of a cells file"),
    ("cells:\n  A: {layout: {type: spec}}\n  A: {layout: {type: spec}}", "cells.yaml:2:3: has the key \"A\" twice"),
    ("cells:\n  1: {layout: {type: spec}}\n  \"1\": {layout: {type: spec}}", "cells.yaml:3:3: has the key \"1\" twice"),
    ("cells:\n  ? [a]\n  : {layout: {type: spec}}", "cells.yaml:2:5: has a key that is a list or a mapping"),
    (
      "cells:\n  A:\n    layout:\n      type: stack\n      children:\n        - {type: txt}",
      "cells.yaml:6:12: cells.A.layout.children[0].type: \"txt\" is not an element type (did you mean \"text\"?)"
    ),
    (
      "cells:\n  A:\n    layout:\n      type: stack\n      colour: red",
      "cells.yaml:5:7: cells.A.layout.colour: is not a property of stack"
    ),
    ("fonts: {b: {family: Intre, size: 12}}", "cells.yaml:1:13: fonts.b.family: font family \"Intre\" is not among"),
    (
      "fonts: {b: {file: no.ttf, size: 12}}",
      "cells.yaml:1:13: fonts.b.file: no.ttf cannot be read: No such file or directory"
    ),
    ("fonts: {b: {file: cells.yaml, size: 12}}", "cells.yaml:1:13: fonts.b.file: cells.yaml is not a font file"),
    ("fonts: {b: {family: Inter}}", "cells.yaml:1:9: fonts.b: needs a size in points"),
    ("fonts: {b: {family: Inter, size: 0}}", "cells.yaml:1:28: fonts.b.size: needs a size in points, more than 0"),
    ("fonts: {b: {family: Inter, size: 12, weight: heavy}}", "cells.yaml:1:38: fonts.b.weight: must be a number"),
    (
      "fonts: {b: {family: Inter, size: 12, italic: oblique}}", "cells.yaml:1:38: fonts.b.italic: must be true or false"
    ),
    ("fonts: {b: {family: Inter, size: 12, italic: null}}", "cells.yaml:1:38: fonts.b.italic: must be true or false"),
    (
      "cells: {A: {layout: {type: button, backgroundImage: !!bool banana}}}",
      "cells.yaml:1:36: cells.A.layout.backgroundImage: is the string \"banana\", but must be true or false"
    ),
    ("cells:\r\n\tA: {}", "cells.yaml:2:1: is not YAML: a tab indents the line; YAML is indented with spaces"),
    ("version: 7", "cells.yaml:1:1: version: is not supported"),
    ("colls: {}", "cells.yaml:1:1: colls: is not a part of a cells file (did you mean \"cells\"?)"),
    ("- 1", "cells.yaml:1:1: must be a mapping"),
  ])
  func aMistakeIsReportedWithItsLineAndColumn(text: String, message expected: String) throws {
    let message = try message(text)
    #expect(message.hasPrefix(expected), "\(message)")
  }

  /// The core schema of YAML 1.2.
  @Test(arguments: [
    ("when: {field: c, equals: NO}", "when: {field: c, equals: 'NO'}"),
    ("when: {field: c, equals: 12:30}", "when: {field: c, equals: '12:30'}"),
    ("when: {field: c, equals: 0123}", "when: {field: c, equals: '0123'}"),
    ("when: {field: c, equals: -0}", "when: {field: c, equals: 0}"),
    ("when: {field: c, equals: True}", "when: {field: c, equals: true}"),
    ("style: {spacingAfter: -.5}", "style: {spacingAfter: -0.5}"),
    ("style: {spacingAfter: +.5e1}", "style: {spacingAfter: 5.0}"),
    ("style: {spacingAfter: 0x10}", "style: {spacingAfter: 16}"),
    ("style: {spacingAfter: 0o17}", "style: {spacingAfter: 15}"),
    ("style: {spacingAfter: 5.}", "style: {spacingAfter: 5.0}"),
  ])
  func plainTextsAreNumbersOnlyInTheFormOfNumbers(written: String, equals other: String) throws {
    func program(_ properties: String) throws -> [UInt8] {
      let layout = "{type: stack, children: [{type: spec, \(properties)}]}"
      return try CellsFile(text: "version: 1\ncells: {A: {layout: \(layout)}}", path: "/cells.yaml").archive()
        .withBytes { Array($0) }
    }
    #expect(try program(written) == program(other))
  }

  @Test func aRatioWithAColonIsAMistake() throws {
    let message = try message("cells: {A: {layout: {type: ratio, ratio: 16:9, child: {type: node}}}}")
    #expect(
      message.hasSuffix(
        #"ratio: is the string "16:9", but must be a number (height over width) or a size [width, height]"#))
  }

  @Test func jsonCanBeIndentedWithTabs() throws {
    let text = "{\n\t\"version\": 1,\n\t\"cells\": {\"A\": {\"layout\": {\"type\": \"spec\"}}}\n}"
    #expect(try message(text, name: "cells.json") == "no error")
  }

  @Test func jsonCanHaveEscapesOfSurrogates() throws {
    func json(_ text: String) -> String {
      #"{"version":1,"fonts":{"b":{"family":"Inter","size":12}},"cells":{"A":{"layout":{"type":"text","text":"\#(text)"}}}}"#
    }
    let escaped = try CellsFile(scratch.file("escaped.json", json(#"\\\ud83d\ude00 \\ud83d"#))).archive()
    let written = try CellsFile(scratch.file("written.json", json(#"\\😀 \\ud83d"#))).archive()
    #expect(escaped.withBytes { Array($0) } == written.withBytes { Array($0) })
  }

  @Test func propertiesOfFontsThatAreNotUsedAreWarnings() throws {
    let font = try DebianFonts.path("Inter-Regular.otf")
    let path = try scratch.file(
      "cells.yaml",
      """
      version: 1
      fonts: {a: {file: \(font), size: 12, italic: true}, b: {family: Inter, size: 12, faceIndex: 3}}
      fallback: [{family: Inter, size: 12}]
      cells: {A: {layout: {type: spec}}}
      """)
    #expect(
      try CellsFile(path).warnings.map { "\($0.path): \($0.message)" } == [
        "fonts.a.italic: is not used: the file is used as it is; name an italic one",
        "fonts.b.faceIndex: is not used: the face is found by its family and weight",
        "fallback[0].size: is not used: a fallback font has the one of the font that it stands in for",
      ])
  }

  @Test func theErrorOfAMissingFileNamesTheFile() {
    #expect(throws: CellsFileError(path: "/no/cells.yaml", message: "cannot be read: No such file or directory")) {
      _ = try CellsFile("/no/cells.yaml")
    }
  }

  @Test func facesOfOneFileShareItsBytes() throws {
    let fonts = "a: {family: Inter, size: 12}, b: {family: Inter, size: 15}, c: {family: Inter, weight: bold, size: 12}"
    let path = try scratch.file("cells.yaml", "version: 1\nfonts: {\(fonts)}\nfallback: [Inter]")
    let files = try ["Inter-Regular.otf", "Inter-Bold.otf"].map {
      try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path($0))).count
    }
    let size = try CellsFile(path).archive().count
    #expect(size > files.reduce(0, +) && size < files.reduce(0, +) + 2000)
  }

  @Test func anIntegerOf64BitsIsANumber() throws {
    func program(_ number: String) throws -> [UInt8] {
      let cells = "version: 1\ncells: {A: {layout: {type: spec, when: {field: n, equals: \(number)}}}}"
      return try CellsFile(text: cells, path: "/cells.yaml").archive().withBytes { Array($0) }
    }
    #expect(try program("9300000000000000000") == program("0x81103cb9fb220000"))
    #expect(try program("9300000000000000000") != program("'9300000000000000000'"))
  }

  @Test func oneRunFindsEveryMistakeOnce() throws {
    let text = """
      version: 1
      fonts: [a]
      fallback: Inter
      lang: [ja]
      platforms: {ios: {linearText: true}}
      calibration: {ios: {widthTolerance: 1}}
      cells:
        A: {layout: {type: button, title: hi, style: {preferredFrameSize: [x, 3]}}}
        B: {layout: {type: stack, childs: []}}
      """
    let error = #expect(throws: CellsFileError.self) { try CellsFile(text: text, path: "/all.yaml") }
    #expect(error?.mistakes.compactMap(\.line) == [2, 3, 4, 5, 6, 8, 8, 9])
    #expect(error?.mistakes.filter { $0.message.contains("preferredFrameSize") }.count == 1)
  }

  @Test func ofManyMistakesTheFirstAreListedAndTheOthersCounted() throws {
    let children = Array(repeating: "{type: spec, a: 1}", count: 250).joined(separator: ", ")
    let error = #expect(throws: CellsFileError.self) {
      try CellsFile(
        text: "version: 1\ncells: {A: {layout: {type: stack, children: [\(children)]}}}", path: "/many.yaml")
    }
    #expect(error?.mistakes.count == 250)
    #expect(error?.lines.count == 101 && error?.lines.last == "… and 150 more")
  }
}
