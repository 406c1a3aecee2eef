/// The columns of arrangement.arrow, which has one record for each row: the frame of its cell in a list with columns.
package struct ArrangementColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let x: Column<Double, Storage>
  package let y: Column<Double, Storage>
  package let width: Column<Float, Storage>
  package let height: Column<Float, Storage>
  package let column: Column<UInt16, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", isDerived: true, "The number of the row.", storage)
    x = Column("x", unit: "points in the list", "The upper left corner of the cell.", storage)
    y = Column("y", unit: "points in the list", "The upper left corner of the cell.", storage)
    let size = "The size of the cell; the height is 0 for a bad row."
    width = Column("width", unit: "points", size, storage)
    height = Column("height", unit: "points", size, storage)
    let index = "The index of the column, or of the cell in its line if cells wrap; 0 for a header."
    column = Column("column", index, storage)
  }
}
