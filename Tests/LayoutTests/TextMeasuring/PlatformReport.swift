import Foundation

/// The numbers of texts that a platform's engine and Galley measure alike, by class.
struct PlatformReport {
  /// The counts of a class.
  struct Tally {
    var rows = 0
    var sameStarts = 0
    var sameHeights = 0
    /// The number of rows with the same widths of lines, of those whose widths are known.
    var sameWidths = 0
    var withWidths = 0
  }

  private(set) var total = Tally()
  private(set) var classes: [String: Tally] = [:]
  private var differences: [String] = []

  /// Counts a text.
  ///
  /// - Parameter widths: whether the widths of the lines are equal, or nil if they are unknown.
  mutating func note(
    _ name: String, starts: Bool, height: Bool, widths: Bool? = nil, _ difference: @autoclosure () -> String
  ) {
    Self.note(&total, starts, height, widths)
    Self.note(&classes[name, default: Tally()], starts, height, widths)
    if !starts || !height || widths == false {
      let kinds = [starts ? nil : "STARTS", height ? nil : "HEIGHT", widths == false ? "WIDTHS" : nil]
      differences.append(kinds.compactMap(\.self).joined(separator: " ") + " \(name) \(difference())")
    }
  }

  private static func note(_ tally: inout Tally, _ starts: Bool, _ height: Bool, _ widths: Bool?) {
    tally.rows += 1
    tally.sameStarts += starts ? 1 : 0
    tally.sameHeights += height ? 1 : 0
    tally.withWidths += widths == nil ? 0 : 1
    tally.sameWidths += widths == true ? 1 : 0
  }

  /// Prints a line for each class: rows, wrong line starts, wrong heights, and wrong widths of those that are known.
  func print() {
    Swift.print("class".padding(toLength: 34, withPad: " ", startingAt: 0), "rows starts heights widths")
    for (name, tally) in classes.sorted(by: { $0.key < $1.key }) + [("all", total)] {
      Swift.print(
        name.padding(toLength: 34, withPad: " ", startingAt: 0), tally.rows, tally.rows - tally.sameStarts,
        tally.rows - tally.sameHeights, "\(tally.withWidths - tally.sameWidths)/\(tally.withWidths)")
    }
    for difference in differences.prefix(20) { Swift.print(difference) }
  }
}
