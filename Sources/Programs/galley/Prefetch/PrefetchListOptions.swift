import ArgumentParser
import ListTables

/// The options that state how the rows of a list lie on the screen.
struct PrefetchListOptions: ParsableArguments {
  @Flag(help: "The list is flipped: its first row lies at the bottom, and offsets count from the bottom.")
  var inverted = false

  @Flag(
    help: "The list scrolls horizontally: each row is as long as its cell is wide, and offsets count from the left.")
  var horizontal = false

  @Flag(help: "The first row of a list that scrolls horizontally lies at the right.")
  var rightToLeft = false

  @Option(help: "The distances in points between the rows and the edges of the content: top,left,bottom,right.")
  var contentMargins: NumberList?

  func validate() throws {
    guard !inverted || !horizontal else { throw ValidationError("--inverted and --horizontal exclude each other") }
    guard horizontal || !rightToLeft else { throw ValidationError("--right-to-left needs --horizontal") }
    _ = try margins()
  }

  private func margins() throws -> ListInsets {
    try contentMargins.map { try ListInsets($0, "--content-margins") } ?? ListInsets()
  }

  var axis: ListAxis {
    if horizontal { return rightToLeft ? .rightToLeft : .horizontal }
    return inverted ? .inverted : .vertical
  }

  /// Returns the positions of the rows.
  ///
  /// - Parameter isArranged: Whether the rows lie where `galley arrange` has placed them, if it has.
  func placement(_ tables: MappedTables, isArranged: Bool) throws -> RowPlacement {
    if isArranged, let arrangement = try tables.arrangement() {
      guard !horizontal else {
        throw RunFailure(
          message: "\(arrangement.path): arranges the rows vertically; for a list that scrolls horizontally, add "
            + "--no-arrangement")
      }
      guard contentMargins == nil else {
        throw RunFailure(
          message:
            "\(arrangement.path): has the margins with which it was made; give --content-margins to galley arrange instead, or add "
            + "--no-arrangement")
      }
      return RowPlacement(arrangement, isInverted: inverted)
    }
    let margins = try margins()
    guard horizontal else { return RowPlacement(tables.heights, isInverted: inverted, contentMargins: margins) }
    return RowPlacement(try HorizontalRows(tables.heights), isRightToLeft: rightToLeft, contentMargins: margins)
  }
}
