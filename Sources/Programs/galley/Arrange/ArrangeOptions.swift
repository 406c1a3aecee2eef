import ArgumentParser
import ListTables

/// The options that state how cells are arranged in columns.
struct ArrangeOptions: ParsableArguments {
  @Option(help: "The number of columns.")
  var columns = 1

  @Flag(help: "Assign each cell to the column that is shortest so far, instead of filling lines.")
  var waterfall = false

  @Option(help: "The distance in points between two columns.")
  var spacing = 0.0

  @Option(help: "The distance in points between two cells of a column, or two lines of a grid.")
  var lineSpacing = 0.0

  @Option(help: "The distances in points between the cells and the edges of the list: top,left,bottom,right.")
  var inset = NumberList(0, 0, 0, 0)

  func validate() throws {
    guard 1...ArrangementRules.maxColumns ~= columns else {
      throw ValidationError("--columns \(columns) is not a number of columns from 1 to \(ArrangementRules.maxColumns)")
    }
    try check(spacing, "--spacing")
    try check(lineSpacing, "--line-spacing")
    guard inset.numbers.count == 4 else {
      throw ValidationError("--inset needs four numbers: top,left,bottom,right, such as 16,16,16,16")
    }
    for number in inset.numbers { try check(number, "--inset") }
  }

  private func check(_ length: Double, _ option: String) throws {
    guard length >= 0, length < ArrangementRules.lengthLimit else {
      throw ValidationError(
        "\(option) \(shortText(length)) is not a length; a length is at least 0 and below \(Int(ArrangementRules.lengthLimit)) "
          + "points")
    }
  }

  var rules: ArrangementRules {
    let inset = inset.numbers
    return ArrangementRules(
      columns: columns, flow: waterfall ? .waterfall : .grid, spacing: spacing, lineSpacing: lineSpacing,
      insets: .init(top: inset[0], left: inset[1], bottom: inset[2], right: inset[3]))
  }
}
