import Buffers
import Foundation
import GalleyTestSupport
import Testing

@testable import TextMeasurement

/// Line counts that Chromium gives for the same font files (text-rules).
@Suite struct ChromiumConformanceTests {
  @Test func lineCountsAreThoseOfChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-texts.jsonl")
    report.print()
    #expect(report.total.rows > 18_000)
    #expect(report.total.share(\.sameLines) >= 0.99)
  }
}

struct ChromiumReport {
  struct Tally {
    var rows = 0
    var sameLines = 0
    var sameWidth = 0

    func share(_ count: KeyPath<Tally, Int>) -> Double { rows == 0 ? 1 : Double(self[keyPath: count]) / Double(rows) }
  }

  private(set) var total = Tally()
  private(set) var classes: [String: Tally] = [:]
  private(set) var differences: [String] = []

  init(fixture: String) throws {
    let fonts = try ChromiumFonts()
    var measurer = TextMeasurer(book: fonts.book)
    for line in try Fixtures.lines(fixture) {
      let group = try JSONDecoder().decode(Group.self, from: line)
      for row in group.rows { try check(row, of: group, fonts, &measurer) }
    }
  }

  private mutating func check(
    _ row: Row, of group: Group, _ fonts: ChromiumFonts, _ measurer: inout TextMeasurer
  ) throws {
    var options = TextOptions()
    options.whiteSpace = row.whiteSpace == "normal" ? .collapse : .preserve
    options.maximumNumberOfLines = Int32(row.clamp)
    measurer.removeAll()
    let strings = (group.runs ?? [Group.Run(text: group.text, weight: row.weight)])
    let pointers = strings.map { ByteString(keeping: $0.text) }
    defer { for pointer in pointers { UnsafeMutablePointer(mutating: pointer.start).deallocate() } }
    let runs = zip(strings, pointers).map { run, bytes in
      TextRun(
        text: bytes,
        style: TextStyle(
          face: fonts.face(row.family, run.weight), size: row.size, lineHeight: row.lineHeight ?? .nan,
          letterSpacing: row.letterSpacing))
    }
    let text = runs.withUnsafeBufferPointer { measurer.prepare($0, options) }
    let measured = measurer.measure(text, textScale: 1, maxWidth: row.width, maxHeight: .infinity)
    let same = Int(measured.lines) == row.lines && abs(measured.height - row.height) < 0.01
    let width = row.maxLineWidth.map { abs($0 - measured.width) <= 0.05 } ?? true
    for name in ["\(row.kind) \(group.class)", row.kind] {
      classes[name, default: Tally()].rows += 1
      classes[name, default: Tally()].sameLines += same ? 1 : 0
      classes[name, default: Tally()].sameWidth += width ? 1 : 0
    }
    total.rows += 1
    total.sameLines += same ? 1 : 0
    total.sameWidth += width ? 1 : 0
    if !same {
      differences.append(
        "\(row.kind) \(group.class) \(row.family) \(row.weight) \(row.size) in \(row.width) \(row.whiteSpace): "
          + "\(measured.lines) lines \(measured.height), not \(row.lines) \(row.height): \(group.text.prefix(60))")
    }
  }

  func print() {
    for (name, tally) in classes.sorted(by: { $0.key < $1.key })
    where tally.sameLines < tally.rows || tally.sameWidth < tally.rows * 99 / 100 {
      Swift.print(name, tally.rows, tally.rows - tally.sameLines, "widths", tally.rows - tally.sameWidth)
    }
    Swift.print("all", total.rows, "wrong", total.rows - total.sameLines, "widths", total.rows - total.sameWidth)
  }
}
