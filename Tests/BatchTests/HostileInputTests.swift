import Buffers
import CellTemplates
import GalleyTestSupport
import LayoutEngine
import Testing

@testable import BatchLayout

/// Tests that hostile rows and programs are bad rows and errors, and never cause a crash.
@Suite struct HostileInputTests {
  private static let cells = #"""
    {"fonts":{"body":{"face":0,"size":15,"lineHeight":20}},"fallback":[],"cells":{
      "Post":{"layout":{"type":"stack","direction":"vertical","spacing":"{gap?}","children":[
        {"type":"text","id":"t","text":"{t}","font":"body","maximumNumberOfLines":"{max?}"},
        {"type":"ratio","when":"photo","ratio":"{photo.ratio}","child":{"type":"networkImage","id":"p","url":"{photo.url}"}},
        {"type":"stack","forEach":"comments","as":"c","children":[{"type":"text","text":"{c.by}: {c.text}","font":"body"}]},
        {"type":"node","id":"n","style":{"width":"{w?}","height":7,"flexGrow":1}}]}}}}
    """#

  private static let rows = [
    #"{"cell":"Post","t":"Hello \u00e9 \ud83d\ude00 world","photo":{"ratio":0.75,"url":"https://a.example/1"},"comments":[{"by":"a","text":"b"}]}"#,
    #"{"cell":"Post","t":"שלום 今日は","comments":[],"gap":8,"max":2,"w":"50%"}"#,
    #"{"id":"x","layout":{"type":"text","text":"inline","font":"body","style":{"maxWidth":20}}}"#,
  ]

  private static let words = [
    "null", "true", "1e309", "-1", "\\ud800", "\"inf\"", "\"100%\"", "{", "[", "\n", "\"type\":\"stack\",",
    "9999999999999999999",
    "\"children\":[", "\"forEach\":\"comments\"", "NaN", "\"-5%\"",
  ]

  @Test func hostileRowsAreBadRows() throws {
    let layout = try JobLayout(
      Programs.compile(Self.cells, faces: [Programs.face("Inter-Regular.otf")]),
      variants: [Variant(width: 390), Variant(width: 10, textScale: 2, scale: 3)])
    var mutator = Mutator(seed: 2, corpus: Self.rows.map { Array($0.utf8) }, words: Self.words)
    var good = 0
    for _ in 0..<Mutator.count {
      let line = mutator.next() + [0x0a]
      let rows = line.withUnsafeBufferPointer { bytes -> Int in
        guard let start = bytes.baseAddress else { return 0 }
        return layout.layout(
          ByteString(start: start, count: bytes.count), firstLine: 1, firstRow: 0)
      }
      layout.withColumns(of: 1) { job in
        #expect(job.columns.height.count == rows && job.columns.height.values.allSatisfy { $0.isFinite && $0 >= 0 })
        good += job.columns.errorLength.values.filter { $0 == 0 }.count
      }
    }
    #expect(good > 0, "some mutations are harmless")
  }

  @Test func hostileProgramsAreRefused() throws {
    let face = try Programs.face("Inter-Regular.otf")
    let whole = Programs.archive(Self.cells, faces: [face]).withBytes { Array($0) }
    // The mutated bytes are the cells and the head of the archive, and the font's tables.
    let head = whole.count - face.file.count
    var heads = Mutator(seed: 3, corpus: [Array(whole[..<head])], words: Self.words + ["\"face\":7", "\"size\":-1"])
    var fonts = Mutator(seed: 4, corpus: [Array(whole[head..<head + 4096])])
    let row = Programs.keep(Array(Self.rows[0].utf8))
    for round in 0..<Mutator.count / 10 {
      let archive =
        round % 2 == 0
        ? heads.next() + whole[head...] : Array(whole[..<head]) + fonts.next() + whole[(head + 4096)...]
      archive.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress,
          let program = try? CellProgram(ProgramArchive(ByteString(start: start, count: bytes.count))),
          let layout = try? JobLayout(program, variants: [Variant(width: 390)])
        else { return }
        _ = layout.layout(row, firstLine: 1, firstRow: 0)
      }
    }
  }
}
