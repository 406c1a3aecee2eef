import Foundation

/// The numbers of texts that an engine and Galley measure alike, by class.
struct ConformanceReport {
  /// What of a text is compared.
  enum Measure: String, CaseIterable {
    case lines, starts, cuts, heights, widths
  }

  /// The counts of a class.
  struct Tally {
    private(set) var rows = 0
    /// The numbers of the rows whose measure is known of the engine, and of those with the same measure.
    private(set) var counts: [Measure: (known: Int, same: Int)] = [:]

    /// Returns the share of the rows with the same measure, of those whose measure is known. It is 0 if no row has the measure, so
    /// that a test fails whose fixture lacks it.
    func share(_ measure: Measure) -> Double { counts[measure].map { Double($0.same) / Double($0.known) } ?? 0 }

    fileprivate mutating func note(_ same: [Measure: Bool]) {
      rows += 1
      for (measure, isSame) in same {
        counts[measure, default: (0, 0)].known += 1
        counts[measure, default: (0, 0)].same += isSame ? 1 : 0
      }
    }
  }

  private(set) var total = Tally()
  private(set) var classes: [String: Tally] = [:]
  private var differences: [String] = []

  /// Counts a text.
  ///
  /// - Parameters:
  ///   - names: the classes of the text.
  ///   - lines: whether the numbers of lines are equal, as the further parameters are for other measures; nil if they are unknown.
  mutating func note(
    _ names: String..., lines: Bool? = nil, starts: Bool? = nil, cuts: Bool? = nil, heights: Bool? = nil,
    widths: Bool? = nil, _ difference: @autoclosure () -> String
  ) {
    let measures: [Measure: Bool?] = [
      .lines: lines, .starts: starts, .cuts: cuts, .heights: heights, .widths: widths,
    ]
    let same = measures.compactMapValues { $0 }
    total.note(same)
    for name in names { classes[name, default: Tally()].note(same) }
    let kinds = Measure.allCases.filter { same[$0] == false }.map { $0.rawValue.uppercased() }
    if !kinds.isEmpty { differences.append((kinds + [names[0], difference()]).joined(separator: " ")) }
  }

  /// Prints a line for each class with the rows, and the wrong ones of those whose measure is known.
  func print() {
    for (name, tally) in classes.sorted(by: { $0.key < $1.key }) + [("all", total)] {
      let wrong = Measure.allCases.compactMap { measure in
        tally.counts[measure].map { "\(measure) \($0.known - $0.same)/\($0.known)" }
      }
      Swift.print(name.padding(toLength: 34, withPad: " ", startingAt: 0), tally.rows, wrong.joined(separator: " "))
    }
    for difference in differences.prefix(20) { Swift.print(difference) }
    if !differences.isEmpty, let file = ProcessInfo.processInfo.environment["GALLEY_DIFFERENCES"] {
      try? differences.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
  }
}
