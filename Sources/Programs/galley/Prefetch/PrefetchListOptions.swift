import ArgumentParser
import ListTables

/// The options that state how the rows of a list lie on the screen.
struct PrefetchListOptions: ParsableArguments {
  @Flag(help: "The list is flipped: its first row lies at the bottom, and offsets count from the bottom.")
  var inverted = false

  /// Returns the positions of the rows.
  ///
  /// - Parameter isArranged: Whether the rows lie where `galley arrange` has placed them, if it has.
  func placement(_ tables: MappedTables, isArranged: Bool) throws -> RowPlacement {
    if isArranged, let arrangement = try tables.arrangement() {
      return RowPlacement(arrangement, isInverted: inverted)
    }
    return RowPlacement(tables.heights, isInverted: inverted)
  }
}
