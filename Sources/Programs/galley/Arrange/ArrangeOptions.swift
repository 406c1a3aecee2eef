import ArgumentParser
import ListTables

/// The options that state how cells are arranged in columns.
struct ArrangeOptions: ParsableArguments {
  @Option(help: "The number of columns.")
  var columns = 1

  @Flag(help: "Assign each cell to the column that is shortest so far, instead of filling lines.")
  var waterfall = false

  @Flag(help: "Fill lines with cells of unequal widths, which are laid out at the width of the list.")
  var wrap = false

  @Flag(
    help:
      "Widen the spaces between the cells of --wrap, so that each line is filled, as UICollectionViewFlowLayout does.")
  var justify = false

  @Option(help: "The distance in points between two columns, or the least distance between two cells of --wrap.")
  var spacing = 0.0

  @Option(help: "The distance in points between two cells of a column, or two lines of a grid.")
  var lineSpacing = 0.0

  @Option(help: "The distances in points between the cells and the edges of the list: top,left,bottom,right.")
  var inset = NumberList(0, 0, 0, 0)

  @Option(
    help:
      "The distances in points between all rows and the edges of the content, such as the safe area: top,left,bottom,right."
  )
  var contentMargins = NumberList(0, 0, 0, 0)

  func validate() throws {
    guard 1...ArrangementRules.maxColumns ~= columns else {
      throw ValidationError("--columns \(columns) is not a number of columns from 1 to \(ArrangementRules.maxColumns)")
    }
    if wrap, columns != 1 || waterfall {
      throw ValidationError("--wrap and \(waterfall ? "--waterfall" : "--columns") exclude each other")
    }
    guard wrap || !justify else { throw ValidationError("--justify needs --wrap") }
    try LengthOption.check(spacing, "--spacing")
    try LengthOption.check(lineSpacing, "--line-spacing")
    _ = try rules()
  }

  /// The options that are given, although only several columns or lines of cells have a use for them.
  var withoutEffect: [String] {
    guard columns == 1, !wrap else { return [] }
    return [("--waterfall", waterfall), ("--spacing", spacing > 0)].filter(\.1).map(\.0)
  }

  private var flow: ArrangementRules.Flow {
    if wrap { return justify ? .justifiedWrap : .wrap }
    return waterfall ? .waterfall : .grid
  }

  /// Returns the rules of the arrangement.
  ///
  /// - Throws: `ValidationError` if a number is not a length.
  func rules() throws -> ArrangementRules {
    ArrangementRules(
      columns: columns, flow: flow, spacing: spacing, lineSpacing: lineSpacing,
      insets: try ListInsets(inset, "--inset"), contentMargins: try ListInsets(contentMargins, "--content-margins"))
  }
}
