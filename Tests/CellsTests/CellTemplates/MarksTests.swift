import LayoutEngine
import SeededRandom
import Testing

@testable import CellTemplates

/// Tests of texts with marks from the row.
@Suite struct MarksTests {
  private func error(_ text: String, _ row: String) -> String { errorText { _ = try runs(text, row) } }

  @Test func marksDivideATextIntoRuns() throws {
    let text = #""text":"{t}","marks":"mentions","markFont":"b""#
    let row = #"{"t":"Hi @ada and @bob!","mentions":[{"start":12,"end":16,"font":"c"},{"start":3,"length":4}]}"#
    #expect(try runs(text, row) == ["Hi |10 0", "@ada|20 1", " and |10 0", "@bob|30 2", "!|10 0"])
    #expect(try runs(text, #"{"t":"Hi"}"#) == ["Hi|10 0"] && runs(text, #"{"t":"Hi","mentions":[]}"#) == ["Hi|10 0"])
    #expect(
      try runs(#""text":"{t}","marks":"{m?}""#, #"{"t":"ab","m":[{"start":1,"end":2,"lineHeight":30}]}"#)
        == ["a|10 0", "b|10 0 of 30.0"])
  }

  @Test func aMarkCanStateItsEndTwice() throws {
    let text = #""text":"{t}","marks":"m","markFont":"b""#
    for mark in [#""end":1,"length":1"#, #""end":null,"length":1"#, #""end":1,"length":null"#] {
      #expect(try runs(text, #"{"t":"ab","m":[{"start":0,\#(mark)}]}"#) == ["a|20 1", "b|10 0"])
    }
  }

  @Test(arguments: [("utf16", 3, 5), ("utf8", 6, 9), ("scalars", 2, 4)])
  func offsetsAreCountedInTheUnitThatTheTextStates(unit: String, start: Int, end: Int) throws {
    // The emoji has 2 UTF-16 units and 4 bytes, each of the letters of Greek 2 bytes.
    let found = try runs(
      #""text":"{t}","marks":"m","markFont":"b","markOffsets":"\#(unit)""#,
      #"{"t":"👍αßx","m":[{"start":\#(start),"end":\#(end)}]}"#)
    #expect(found == ["👍α|10 0", "ßx|20 1"])
  }

  @Test(arguments: [
    (#"[{"start":2,"end":9}]"#, #"marks[0]: has the offset 9, but the text has 4 UTF-16 units"#),
    (#"[{"start":0,"end":1},{"start":1,"end":3}]"#, "marks[0]: has the offset 1, which is inside a character"),
    (#"[{"start":1,"end":1},{"start":0,"end":9}]"#, "marks[1]: has the offset 9"),
    (#"[{"start":3,"end":2}]"#, "marks[0]: ends at 2, before its start at 3"),
    (#"[{"end":2}]"#, "marks[0]: has no start; a mark has start, and end or length"),
    (#"[{"start":1}]"#, "marks[0]: has no length"),
    (
      #"[{"start":0,"end":2,"length":1}]"#,
      "marks[0]: has an end that is not its start plus its length; give one of them"
    ),
    (#"[{"start":-1,"end":2}]"#, "marks[0].start: is a number, but must be a whole number from 0 to 4194304"),
    (#"[{"start":2,"end":3,"font":"bolt"}]"#, "marks[0].font"),
    (#"[3]"#, "marks[0]"), (#"{"a":1}"#, "marks: "),
  ])
  func wrongMarksAreErrorsOfTheRow(marks: String, message: String) {
    let found = error(#""text":"{t}","marks":"m""#, #"{"t":"👍ab","m":\#(marks)}"#)
    #expect(found.contains(message), "\(found)")
  }

  /// A mark that begins inside another one is a single run.
  @Test func anEndInsideALaterMarkDividesNothing() throws {
    let found = try runs(
      #""text":"{t}","marks":"m""#,
      #"{"t":"Hi @ada ok","m":[{"start":0,"end":5,"font":"b"},{"start":3,"end":7,"font":"c"}]}"#)
    #expect(found == ["Hi |20 1", "@ada|30 2", " ok|10 0"])
  }

  /// Each character has the font of the last mark that contains it.
  @Test func ofMarksThatOverlapTheLastOneCounts() throws {
    var random = SplitMix(seed: 12)
    for _ in 0..<300 {
      let text = (0..<2 + random.below(20)).map { _ in ["a", "b", " ", "é", "日"][random.below(5)] }.joined()
      let count = text.utf16.count
      let cut = random.below(count + 1)
      var fonts = [Int](repeating: 0, count: count)
      let marks = (0..<random.below(5)).map { _ in
        let start = random.below(count + 1)
        let end = start + random.below(count - start + 1)
        let font = 1 + random.below(2)
        for unit in start..<end { fonts[unit] = font }
        return #"{"start":\#(start),"end":\#(end),"font":"\#(["a", "b", "c"][font])"}"#
      }
      let units = Array(text.utf16)
      let (first, second) = (
        String(decoding: units[..<cut], as: UTF16.self), String(decoding: units[cut...], as: UTF16.self)
      )
      // The marks count the characters of all runs together.
      let found = try runs(
        #""runs":[{"text":"{x}"},{"text":"{y}"}],"marks":"m""#,
        #"{"x":"\#(first)","y":"\#(second)","m":[\#(marks.joined(separator: ","))]}"#)
      let parts = found.map { $0.split(separator: "|", omittingEmptySubsequences: false) }
      #expect(parts.map { $0[0] }.joined() == text)
      let shown = parts.flatMap { part in part[0].utf16.map { _ in Int(part[1].suffix(1)) ?? -1 } }
      #expect(shown == fonts, "\(text) \(marks)")
    }
  }
}
