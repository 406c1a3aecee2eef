import Buffers

/// The columns of rows.arrow, which has one record for each row that differs between two tables of a list.
package struct RowChangeColumns<Storage> {
  package let id: Column<ByteString, Storage>
  package let oldRow: Column<UInt64?, Storage>
  package let newRow: Column<UInt64?, Storage>
  package let moved: Column<Bool, Storage>
  package let resized: Column<Bool, Storage>
  package let changed: Column<Bool, Storage>
  package let oldY: Column<Double?, Storage>
  package let newY: Column<Double?, Storage>
  package let oldHeight: Column<Float?, Storage>
  package let newHeight: Column<Float?, Storage>
  package let redrawn: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    id = Column("id", "The id of the row.", storage)
    oldRow = Column("old_row", "The number of the row in OLD; null if the row was inserted.", storage)
    newRow = Column("new_row", "The number of the row in NEW; null if the row was removed.", storage)
    moved = Column("moved", "Whether a row of both lists has to be moved.", storage)
    resized = Column("resized", "Whether a row of both lists has another width or height.", storage)
    changed = Column(
      "changed",
      "Whether the frames of a row of both lists differ: its width or height, or any record of the row in `frames.arrow`.",
      storage)
    let top = "The top of the row; null where the row is not in the list."
    oldY = Column("old_y", unit: "points in the list", top, storage)
    newY = Column("new_y", unit: "points in the list", top, storage)
    let height = "The height of the row; null where the row is not in the list."
    oldHeight = Column("old_height", unit: "points", height, storage)
    newHeight = Column("new_height", unit: "points", height, storage)
    redrawn = Column(
      "redrawn",
      "Whether a text of a row of both lists is drawn with other characters, fonts or lines; false unless both runs have lines.",
      storage)
  }
}
