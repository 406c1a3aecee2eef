import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import LayoutTables
import Testing

@testable import BatchLayout

@Suite struct JobLayoutTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"cells":{
      "Text":{"layout":{"type":"text","id":"t","text":"{t}","font":"body"}},
      "Picture":{"layout":{"type":"networkImage","id":"p","url":"{u}","style":{"width":"{w?}"}}},
      "Far":{"layout":{"type":"stack","children":[{"type":"inset","insets":{"left":"{x}","right":"{0 - x}"},
        "child":{"type":"node","id":"n","style":{"width":10,"height":10}}}]}},
      "Wide":{"layout":{"type":"node","id":"n","style":{"width":"{constrainedSize.max.width}","height":7}}}}}
    """#

  private func layout(variants: [Variant] = [Variant(width: 390)]) throws -> JobLayout {
    try JobLayout(Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")]), variants: variants)
  }

  /// Returns the number, the heights and the errors of the rows in `lines`.
  private func run(_ lines: [UInt8], firstLine: UInt64 = 1) throws -> (rows: Int, heights: [Float], errors: [String]) {
    let layout = try layout()
    let rows = layout.layout(Programs.keep(lines), firstLine: firstLine, firstRow: 0)
    return (rows, layout.withColumns(of: 0) { $0.columns.height.values }, layout.errors())
  }

  private func error(_ line: String) throws -> String { try error(Array(line.utf8)) }
  private func error(_ line: [UInt8]) throws -> String { try run(line).errors.first ?? "no row" }

  /// A tree that could not be bound is incomplete, so that another variant must not be laid out with it.
  @Test func anErrorInOneVariantChangesNoOther() throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"cells":{"C":{"layout":{"type":"stack","direction":"vertical",
        "children":[{"type":"text","text":"a"},{"type":"stack","children":[
          {"type":"text","text":"{missing}","when":{"field":"constrainedSize.max.width","atLeast":350}}]},
          {"type":"text","text":"b"}]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    let variants = [Platform.texture, .web].flatMap { platform in
      [320.0, 390].map { Variant(width: $0, platform: platform) }
    }
    let layout = try JobLayout(program, variants: variants)
    layout.layOut(["{}"])
    let heights = variants.indices.map { layout.withColumns(of: $0) { $0.columns.height[0] } }
    #expect(heights == [40, 0, 40, 0])
  }

  @Test func linesCanEndWithLFOrCRLFOrNothing() throws {
    let row = #"{"cell":"Text","t":"x"}"#
    let result = try run(Array("\u{feff}\(row)\r\n\n  \t\r\n\(row)\n\r\n\(row)".utf8))
    #expect(result.rows == 3)
    #expect(result.heights == [20, 20, 20])
  }

  @Test func blankLinesCountInLineNumbers() throws {
    let result = try run(Array("\n\nnonsense\n".utf8), firstLine: 10)
    #expect(result.errors.first?.hasPrefix("line 12: is not JSON") == true)
  }

  @Test(arguments: [
    ("nonsense", "line 1: is not JSON"), (#"{"t":"#, "line 1: is not JSON"),
    ("[1]", "line 1: is an array, but a row is an object"), ("5", "line 1: is a number, but a row is an object"),
    (#"{"cell":"Txt","t":""}"#, #"line 1: cell "Txt" is not in the cells file (did you mean "Text"?)"#),
    (#"{"t":""}"#, "line 1: needs a cell: the cells file has 4 cell classes"),
    (#"{"cell":"Text"}"#, #"line 1: layout.text: field "t" is missing; write {t?} where it may be"#),
    (#"{"cell":"Text","t":[]}"#, #"line 1: layout.text: field "t" is an array, which is no text"#),
    (
      #"{"cell":"Text","t":null}"#,
      #"line 1: layout.text: field "t" is null, which is no text; write {t?} where it may be null"#
    ),
    (#"{"cell":"Picture","u":"","w":-1}"#, "line 1: layout.style.width: is -1.0"),
    (#"{"cell":"Picture","u":"","w":NaN}"#, "line 1: is not JSON"),
    (#"{"cell":"Picture","u":"","w":"NaN%"}"#, #"line 1: layout.style.width: is "NaN%""#),
    (#"{"cell":"Picture","u":"x"}"#, #"line 1: layout: networkImage "p" ends without a size (390.0 x 0.0)"#),
    (#"{"layout":{"type":"nod"}}"#, #"line 1: layout.type: "nod" is not an element type (did you mean "node"?)"#),
    (#"{"layout":{"type":"inset","insets":"inf","child":{"type":"node"}}}"#, "line 1: layout: its size is not finite"),
  ])
  func aBadRowHasAnErrorWithTheReason(line: String, message: String) throws {
    #expect(try error(line).hasPrefix(message))
  }

  @Test func invalidUTF8IsABadRow() throws {
    #expect(try error([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).hasPrefix("line 1: is not JSON"))
  }

  @Test func tenThousandLevelsOfNestingAreABadRow() throws {
    let line = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
    #expect(try error(line).hasPrefix("line 1: is not JSON: the JSON document was too deep"))
  }

  @Test func aTenMegabyteLineIsABadRowWithoutAClass() throws {
    let long = Array(#"{"cell":"Text","t":""#.utf8) + [UInt8](repeating: 0x78, count: 10_000_000) + Array("\"}".utf8)
    let result = try run(Array(#"{"cell":"Text","t":"x"}"#.utf8) + [0x0a] + long)
    #expect(result.errors == ["", "line 2: is longer than 4194304 bytes, the limit for a row"])
  }

  @Test func theLastOfDuplicateKeysCounts() throws {
    #expect(try run(Array(#"{"cell":"Text","t":{},"t":"x"}"#.utf8)).errors == [""])
  }

  @Test func anUnpairedSurrogateIsMeasuredAsAReplacementCharacter() throws {
    #expect(try run(Array(#"{"cell":"Text","t":"a \ud83d b \\ud83d"}"#.utf8)).heights == [20])
  }

  @Test func aBadRowDoesNotAffectOtherRows() throws {
    let good = #"{"cell":"Text","t":"x"}"#
    #expect(try run(Array("\(good)\nnonsense\n\(good)\n".utf8)).heights == [20, 0, 20])
  }

  @Test func aCellWithFramesBeyondTheLimitIsABadRow() throws {
    let message = try error(#"{"cell":"Far","x":2e9}"#)
    #expect(message.hasSuffix("points at (2000000000.0, 0.0); the limit is 1000000000 points"), "\(message)")
  }

  @Test func rowsThatReadTheConstraintAreBoundForEachWidth() throws {
    let layout = try layout(variants: [Variant(width: 100), Variant(width: 200)])
    layout.layOut([#"{"cell":"Wide"}"#])
    for (variant, width) in [Float(100), 200].enumerated() {
      #expect(layout.withColumns(of: variant) { Array($0.columns.frameRect.width.values) } == [width])
    }
  }

  /// Lays out rows, and returns the columns of each variant as they travel.
  private static func columns(_ layout: JobLayout, _ rows: ByteString) -> [[UInt8]] {
    _ = layout.layout(rows, firstLine: 1, firstRow: 0)
    return layout.variants.indices.map { variant in
      layout.withColumns(of: variant) { OwnedBytes($0).withBytes { Array($0) } }
    }
  }

  @Test func changedVariantsGiveTheResultsOfANewLayout() throws {
    let row = Programs.keep(Array(#"{"cell":"Text","t":"The quick brown fox jumps over the lazy dog"}"#.utf8))
    let changing = try layout()
    let sets = [
      [Variant(width: 100)], [Variant(width: 200, textScale: 1.5), Variant(width: 60, scale: 3)],
      [Variant(width: 100)],
    ]
    for variants in sets {
      changing.change(to: variants)
      #expect(try Self.columns(changing, row) == Self.columns(layout(variants: variants), row))
    }
  }

  /// Without the numbers of runs, the parts of these two rows would be the same.
  @Test func rowsWithTheSameRunsInOtherTextsAreOthers() throws {
    let program = try Programs.compile(
      #"""
      {"fonts":{"body":{"face":0,"size":15,"lineHeight":0}},"cells":{"C":{"layout":{"type":"stack","direction":"vertical",
        "alignItems":"start","children":[
        {"type":"text","runs":"{a}","whiteSpace":"collapse","lineSpacing":15,"breakStrategy":"simple","truncation":"X"},
        {"type":"text","runs":"{b}","whiteSpace":"collapse","lineSpacing":15,"breakStrategy":"simple","truncation":"X"}]}}}}
      """#, faces: [Programs.face("Inter-Regular.otf")])
    let layout = try JobLayout(program, variants: [Variant(width: 390)])
    let (one, two) = (#"[{"text":"X"}]"#, #"[{"text":"X"},{"text":"X"}]"#)
    layout.layOut([#"{"a":\#(one),"b":\#(two)}"#, #"{"a":\#(two),"b":\#(one)}"#])
    let widths = layout.withColumns(of: 0) { Array($0.columns.frameRect.width.values) }
    #expect(widths.count == 4 && widths[0] == widths[3] && widths[1] == widths[2] && widths[0] < widths[1], "\(widths)")
  }

  /// Rows are alike only if all options of their texts are.
  @Test(arguments: [
    #""headIndent":20"#, #""tailIndent":-5"#, #""tabSize":4"#, #""hyphens":"auto""#, #""wordBreak":"breakAll""#,
    #""lang":"ja""#, #""textContainerInset":3"#, #""alignment":"center""#, #""pointSizeScaleFactors":[0.9]"#,
    #""exclusionPaths":[{"side":"left","y":0,"width":20,"height":10}]"#,
  ])
  func rowsWithOtherOptionsOfTextsAreOthers(option: String) throws {
    let layout = try JobLayout.ofRowLayouts(Variant(width: 100))
    let rows = ["", "," + option].map { #"{"layout":{"type":"text","font":"body","text":"a b\nc d"\#($0)}}"# }
    layout.layOut(rows + rows)
    #expect(layout.cacheHits == 2)
  }

  /// The second layout of each row takes its frames from the cache.
  @Test(arguments: ["texture-layouts.jsonl", "random-layouts.jsonl"])
  func cachedLayoutsEqualTheFirstOnes(fixture: String) throws {
    let lines = try Fixtures.lines(fixture).reduce(into: [UInt8]()) { $0 += $1 + [0x0a] }
    let rows = Programs.keep(lines)
    let layout = try JobLayout(Programs.compile("{}"), variants: [Variant(width: 390), Variant(width: 100, scale: 3)])
    let first = Self.columns(layout, rows)
    let hits = layout.cacheHits
    #expect(Self.columns(layout, rows) == first)
    #expect(layout.cacheHits > hits + 300)
  }

  /// Cells with the same content are laid out once, whatever their ids are, and are not confused with others.
  @Test func repeatedCellsHaveTheResultsTheyHaveAlone() throws {
    let texts = ["short", "The quick brown fox jumps over the lazy dog", "今日は", "short "]
    let lines = (0..<400).map { row in
      row % 5 == 4
        ? #"{"id":"p\#(row)","cell":"Picture","u":"https://a.example/\#(row)","w":\#(row % 3 * 10)}"#
        : #"{"id":"r\#(row)","cell":"Text","t":"\#(texts[row % texts.count])"}"#
    }
    let variants = [Variant(width: 100), Variant(width: 300, textScale: 2), Variant(width: 100, scale: 3)]
    let together = try layout(variants: variants)
    together.layOut(lines)
    #expect(together.cacheHits > 900)
    for row in stride(from: 0, to: lines.count, by: 7) {
      let alone = try layout(variants: variants)
      _ = alone.layout(
        Programs.keep(Array(lines[row].utf8)), firstLine: UInt64(row + 1), firstRow: UInt64(row))
      for variant in variants.indices {
        let height = alone.withColumns(of: variant) { $0.columns.height[0] }
        #expect(together.withColumns(of: variant) { $0.columns.height[row] } == height, "row \(row)")
        let error = alone.withColumns(of: variant) { $0.columns.errorLength[0] }
        #expect(together.withColumns(of: variant) { $0.columns.errorLength[row] } == error, "row \(row)")
      }
    }
  }
}

extension JobLayoutTests {
  /// A worker stops a job whose columns are too large for a message, whatever the number of its rows.
  @Test(arguments: [1, 15, 16, 40])
  func aJobWithMoreColumnsThanTheLimitHasNoResult(rows: Int) throws {
    let line = #"{"cell":"Text","t":"a"}"# + "\n"
    let lines = Programs.keep(Array(String(repeating: line, count: rows).utf8))
    let layout = try layout()
    func result(_ limit: Int) -> Int? {
      layout.layout(lines, firstLine: 1, firstRow: 0, file: "", columnLimit: limit)
    }
    #expect(result(.max) == rows)
    let size = layout.withColumns(of: 0) { $0.encodedSize }
    #expect(result(size) == rows && result(size - 1) == nil)
  }
}

extension FlatBuffer {
  fileprivate var isEmpty: Bool { count == 0 }
}
