import Foundation
import GalleyTestSupport
import Testing

@testable import TextMeasuring

/// The lines of texts compared to those of Chromium with the same font files (text-rules).
@Suite struct ChromiumConformanceTests {
  @Test func lineCountsAreThoseOfChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-texts.jsonl")
    report.print()
    #expect(report.total.rows > 18_000)
    // The remaining difference is an ogham space, for which Chromium used a font of the system that is not in the list.
    #expect(report.total.share(\.sameLines) >= 0.9997)
    #expect(report.total.share(\.sameWidth) >= 0.997)
    #expect(report.total.sameStarts == report.total.withStarts)
    #expect(report.classes["clamp"]?.share(\.sameLines) == 1)
    #expect(report.classes["rich"]?.share(\.sameLines) == 1)
    #expect(report.classes["letterSpacing"]?.share(\.sameLines) == 1)
    #expect(report.classes["letterSpacing"]?.share(\.sameWidth) == 1)
  }

  @Test func randomMixedTextsBreakAsInChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-fuzz.jsonl")
    report.print()
    #expect(report.total.rows == 6000)
    #expect(report.total.share(\.sameLines) >= 0.999)
    #expect(Double(report.total.sameStarts) >= 0.998 * Double(report.total.withStarts))
  }

  /// Measures the texts of `Tests/ChromiumCases`, each kind of which is a class. The remaining differences are described in
  /// text-rules.
  @Test func textsThatAreHardToBreakAreFilledAsInChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-cases.jsonl")
    report.print()
    let shares = [
      "soft-hyphens": 0.99, "controls": 0.98, "spaces": 0.996, "separators": 1, "emoji-spacing": 1, "cjk-heights": 1,
      "mixed": 0.995, "posts": 1, "sizes": 1, "rules": 1, "khmer-lao": 1,
    ]
    for (name, share) in shares {
      let tally = try #require(report.classes["cases \(name)"])
      #expect(tally.rows == (name == "rules" ? 144 : 300))
      #expect(tally.share(\.sameLines) >= share, "\(name)")
    }
  }

  /// Measures the texts of `Tests/ChromiumCases` that have properties of CSS.
  @Test func textsWithPropertiesOfCSSAreFilledAsInChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-css.jsonl")
    report.print()
    #expect(report.total.rows == 3600)
    #expect(report.total.share(\.sameLines) >= 0.999)
    #expect(Double(report.total.sameStarts) >= 0.995 * Double(report.total.withStarts))
    for (name, tally) in report.classes where name != "cases" {
      #expect(tally.rows == 400 && tally.share(\.sameLines) >= 0.995, "\(name)")
    }
  }

  @Test func textsAreHyphenatedAsInChromium() throws {
    let report = try ChromiumReport(fixture: "chromium-hyphens.jsonl")
    report.print()
    #expect(report.total.rows == 2000)
    #expect(report.total.share(\.sameLines) >= 0.999)
    #expect(Double(report.total.sameStarts) >= 0.995 * Double(report.total.withStarts))
  }

  /// Measures the cases in the file that the environment variable `GALLEY_CASES` names, which
  /// `Tests/ChromiumCases/make_cases.py` made with other seeds.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLEY_CASES"] != nil))
  func casesOfTheEnvironmentBreakAsInChromium() throws {
    let file = try #require(ProcessInfo.processInfo.environment["GALLEY_CASES"])
    let report = try ChromiumReport(lines: Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0a))
    report.print()
    #expect(report.total.share(\.sameLines) >= 0.999)
  }
}

/// A comparison of measured texts with the lines of Chromium.
struct ChromiumReport {
  /// The counts of a class of rows.
  struct Tally {
    var rows = 0
    var sameLines = 0
    var sameWidth = 0
    /// The number of rows whose line starts in Chromium are known.
    var withStarts = 0
    /// The number of rows with the same line starts.
    var sameStarts = 0

    func share(_ count: KeyPath<Tally, Int>) -> Double { rows == 0 ? 1 : Double(self[keyPath: count]) / Double(rows) }
  }

  private(set) var total = Tally()
  private(set) var classes: [String: Tally] = [:]
  private(set) var differences: [String] = []

  init(fixture: String) throws { try self.init(lines: Fixtures.lines(fixture)) }

  init(lines: [Data]) throws {
    let fonts = try ChromiumFonts()
    var measurer = TextMeasurer(book: fonts.book, dictionaries: try DebianDictionaries.all.get())
    measurer.recordsLines = true
    for line in lines {
      let group = try JSONDecoder().decode(Group.self, from: line)
      for row in group.rows { try check(row, of: group, fonts, &measurer) }
    }
  }

  private mutating func check(
    _ row: Row, of group: Group, _ fonts: ChromiumFonts, _ measurer: inout TextMeasurer
  ) throws {
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
    let measured =
      if var exclusions = group.css?.exclusions {
        measurer.measure(text, textScale: 1, maxWidth: row.width, maxHeight: .infinity, around: &exclusions)
      } else {
        measurer.measure(text, textScale: 1, maxWidth: row.width, maxHeight: .infinity)
      }
    let same = Int(measured.lines) == row.lines && abs(measured.height - row.height) < 0.01
    // Where spaces are preserved, the width of Chromium includes hanging spaces.
    let ends = Array(measurer.lineEnds)
    let widest = ends.map { row.whiteSpace == "normal" ? $0.width : $0.hangingWidth }.max() ?? 0
    let width = row.maxLineWidth.map { abs($0 - widest) <= 0.05 } ?? true
    let starts = measurer.lineStarts(of: text, writtenAs: strings.map(\.text).joined())
    let sameStarts = row.lineStarts.map { $0 == starts }
    for name in ["\(row.kind) \(group.class)", row.kind] {
      classes[name, default: Tally()].rows += 1
      classes[name, default: Tally()].sameLines += same ? 1 : 0
      classes[name, default: Tally()].sameWidth += width ? 1 : 0
      classes[name, default: Tally()].withStarts += sameStarts == nil ? 0 : 1
      classes[name, default: Tally()].sameStarts += sameStarts == true ? 1 : 0
    }
    total.withStarts += sameStarts == nil ? 0 : 1
    total.sameStarts += sameStarts == true ? 1 : 0
    total.rows += 1
    total.sameLines += same ? 1 : 0
    total.sameWidth += width ? 1 : 0
    if !same || !width || sameStarts == false {
      differences.append(
        "\(same ? "" : "LINES ")\(width ? "" : "WIDTH ")\(sameStarts == false ? "STARTS " : "")\(row.kind) "
          + "\(group.class) \(row.family) \(row.weight) \(row.size) +\(row.letterSpacing) in \(row.width) "
          + "\(row.whiteSpace) of \(row.lineHeight ?? 0): "
          + "\(measured.lines) lines \(measured.height) \(widest), not \(row.lines) \(row.height) "
          + "\(row.maxLineWidth ?? 0) starts \(starts) \(row.lineStarts ?? []): \(group.text.debugDescription)")
    }
  }

  /// Prints a line for each class: rows, wrong line counts, wrong widths, and wrong line starts of those that are known.
  func print() {
    Swift.print("class".padding(toLength: 34, withPad: " ", startingAt: 0), "rows lines widths starts")
    for (name, tally) in classes.sorted(by: { $0.key < $1.key }) + [("all", total)] {
      let name = name.padding(toLength: 34, withPad: " ", startingAt: 0)
      Swift.print(
        name, tally.rows, tally.rows - tally.sameLines, tally.rows - tally.sameWidth,
        "\(tally.withStarts - tally.sameStarts)/\(tally.withStarts)")
    }
    if let file = ProcessInfo.processInfo.environment["GALLEY_DIFFERENCES"] {
      try? differences.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
  }
}
