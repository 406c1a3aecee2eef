/// The columns of rectangles in points: the upper left corner and the size of each.
///
/// - `Length`: The type of the lengths, which is optional where some records have no rectangle.
@usableFromInline
package struct RectColumns<Length, Storage> {
  @usableFromInline package let x, y, width, height: Column<Length, Storage>

  package var all: [Column<Length, Storage>] { [x, y, width, height] }

  /// - Parameter column: A function that declares the column of a name.
  package init<Failure>(
    _ column: (_ name: String) throws(Failure) -> Column<Length, Storage>
  ) throws(Failure) {
    x = try column("x")
    y = try column("y")
    width = try column("width")
    height = try column("height")
  }
}

extension RectColumns where Length: ColumnValue {
  /// Declares the columns of a table, each with a sentence for the reference.
  ///
  /// - Parameters:
  ///   - prefix: What the names of the columns begin with.
  ///   - space: What the corner has coordinates in.
  init(
    _ prefix: String = "", in space: String, x: String, y: String, width: String, height: String,
    _ storage: (ColumnFormat) -> Storage
  ) {
    self.x = Column(prefix + "x", unit: "points in the \(space)", x, storage)
    self.y = Column(prefix + "y", unit: "points in the \(space)", y, storage)
    self.width = Column(prefix + "width", unit: "points", width, storage)
    self.height = Column(prefix + "height", unit: "points", height, storage)
  }
}
