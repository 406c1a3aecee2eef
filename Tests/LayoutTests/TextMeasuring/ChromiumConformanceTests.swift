import Foundation
import GalleyTestSupport
import Testing

@testable import TextMeasuring

/// The lines of texts compared to those of Chromium with the same font files (text-rules).
@Suite struct ChromiumConformanceTests {
  @Test func lineCountsAreThoseOfChromium() throws {
    let report = try report("chromium-texts.jsonl")
    #expect(report.total.rows > 18_000)
    // The remaining difference is an ogham space, for which Chromium used a font of the system that is not in the list.
    #expect(report.total.share(.lines) >= 0.9997)
    #expect(report.total.share(.widths) >= 0.997)
    #expect(report.total.share(.starts) == 1)
    #expect(report.classes["clamp"]?.share(.lines) == 1)
    #expect(report.classes["rich"]?.share(.lines) == 1)
    #expect(report.classes["letterSpacing"]?.share(.lines) == 1)
    #expect(report.classes["letterSpacing"]?.share(.widths) == 1)
  }

  @Test func randomMixedTextsBreakAsInChromium() throws {
    let report = try report("chromium-fuzz.jsonl")
    #expect(report.total.rows == 6000)
    #expect(report.total.share(.lines) >= 0.999)
    #expect(report.total.share(.starts) >= 0.998)
  }

  /// Measures the texts of `Tests/ChromiumCases`, each kind of which is a class. The remaining differences are described in
  /// text-rules.
  @Test func textsThatAreHardToBreakAreFilledAsInChromium() throws {
    let report = try report("chromium-cases.jsonl")
    let shares = [
      "soft-hyphens": 0.99, "controls": 0.98, "spaces": 0.996, "separators": 1, "emoji-spacing": 1, "cjk-heights": 1,
      "mixed": 0.995, "posts": 1, "sizes": 1, "rules": 1, "khmer-lao": 1,
    ]
    for (name, share) in shares {
      let tally = try #require(report.classes["cases \(name)"])
      #expect(tally.rows == (name == "rules" ? 144 : 300))
      #expect(tally.share(.lines) >= share, "\(name)")
    }
  }

  /// Measures the texts of `Tests/ChromiumCases` that have properties of CSS.
  @Test func textsWithPropertiesOfCSSAreFilledAsInChromium() throws {
    let report = try report("chromium-css.jsonl")
    #expect(report.total.rows == 3600)
    #expect(report.total.share(.lines) >= 0.999)
    #expect(report.total.share(.starts) >= 0.995)
    for (name, tally) in report.classes where name != "cases" {
      #expect(tally.rows == 400 && tally.share(.lines) >= 0.995, "\(name)")
    }
  }

  @Test func textsAreHyphenatedAsInChromium() throws {
    let report = try report("chromium-hyphens.jsonl")
    #expect(report.total.rows == 2000)
    #expect(report.total.share(.lines) >= 0.999)
    #expect(report.total.share(.starts) >= 0.995)
  }

  /// Measures the cases in the file that the environment variable `GALLEY_CASES` names, which
  /// `Tests/ChromiumCases/make_cases.py` made with other seeds.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLEY_CASES"] != nil))
  func casesOfTheEnvironmentBreakAsInChromium() throws {
    let file = try #require(ProcessInfo.processInfo.environment["GALLEY_CASES"])
    let report = try report(of: Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0a))
    #expect(report.total.share(.lines) >= 0.999)
  }

  private func report(_ fixture: String) throws -> ConformanceReport { try report(of: Fixtures.lines(fixture)) }

  private func report(of lines: [Data]) throws -> ConformanceReport {
    let fonts = try ChromiumFonts()
    var measurer = TextMeasurer(book: fonts.book, dictionaries: try DebianDictionaries.all.get())
    measurer.recordsLines = true
    var report = ConformanceReport()
    for line in lines {
      let group = try JSONDecoder().decode(Group.self, from: line)
      for row in group.rows { check(row, of: group, fonts, &measurer, &report) }
    }
    report.print()
    return report
  }

  private func check(
    _ row: Row, of group: Group, _ fonts: ChromiumFonts, _ measurer: inout TextMeasurer,
    _ report: inout ConformanceReport
  ) {
    var options = TextOptions()
    options.whiteSpace = row.whiteSpace == "normal" ? .collapse : .preserve
    if group.class == "sizes" { options.platform = .web }
    options.maximumNumberOfLines = Int32(row.clamp)
    if let css = group.css { options.css = css.options }
    measurer.removeAll()
    let strings = (group.runs ?? [Group.Run(text: group.text, weight: row.weight)])
    let runs = strings.map { run in
      (
        run.text,
        TextStyle(
          face: fonts.face(row.family, run.weight, features: group.css?.features), size: row.size,
          lineHeight: row.lineHeight ?? .nan, letterSpacing: row.letterSpacing)
      )
    }
    let text = withRuns(runs) { measurer.prepare($0, options) }
    var exclusions = group.css?.exclusions ?? ExclusionPaths()
    let measured = measurer.measure(
      text, textScale: 1, maxWidth: row.width, maxHeight: .infinity, around: &exclusions)
    let same = Int(measured.lines) == row.lines && abs(measured.height - row.height) < 0.01
    // Where spaces are preserved, the width of Chromium includes hanging spaces.
    let ends = Array(measurer.lineEnds)
    let widest = ends.map { row.whiteSpace == "normal" ? $0.width : $0.hangingWidth }.max() ?? 0
    let sameWidth = row.maxLineWidth.map { abs($0 - widest) <= 0.05 }
    let starts = measurer.lineStarts(of: text, writtenAs: strings.map(\.text).joined())
    let sameStarts = row.lineStarts.map { $0 == starts }
    report.note(
      "\(row.kind) \(group.class)", row.kind, lines: same, starts: sameStarts, widths: sameWidth,
      "\(row.family) \(row.weight) \(row.size) +\(row.letterSpacing) in \(row.width) \(row.whiteSpace) of "
        + "\(row.lineHeight ?? 0): \(measured.lines) lines \(measured.height) \(widest), not \(row.lines) \(row.height) "
        + "\(row.maxLineWidth ?? 0) starts \(starts) \(row.lineStarts ?? []): \(group.text.debugDescription)")
  }
}
