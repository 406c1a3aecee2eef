import Buffers

/// The columns of heights.arrow, which has one record for each row.
package struct HeightColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let id: Column<ByteString, Storage>
  package let cell: Column<Int32, Storage>
  package let width: Column<Float, Storage>
  package let height: Column<Float, Storage>
  package let y: Column<Double, Storage>
  package let firstFrame: Column<UInt64, Storage>
  package let frameCount: Column<UInt32, Storage>
  package let error: Column<ByteString?, Storage>
  package let missingGlyphs: Column<UInt16, Storage>
  package let marginNarrower: Column<Float?, Storage>
  package let marginWider: Column<Float?, Storage>
  package let holdsForWidth: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", isDerived: true, "The number of the row. Blank lines have no number.", storage)
    id = Column("id", "The `id` of the row; its number if it has none.", storage)
    cell = Column("cell", dictionary: 0, "The cell class. It is empty for a row with a `layout` of its own.", storage)
    width = Column("width", unit: "points", "The width of the cell; 0 for a bad row.", storage)
    height = Column("height", unit: "points", "The height of the cell; 0 for a bad row.", storage)
    y = Column("y", unit: "points in the list", "The top of the row: the sum of the heights above it.", storage)
    firstFrame = Column("first_frame", "The index of the row's first record in `frames.arrow`.", storage)
    frameCount = Column(
      "frame_count",
      "The number of the row's records in `frames.arrow`; 0 for a bad row, and where `--columns heights` leaves the frames out.",
      storage)
    error = Column("error", "The reason why the row is bad; null for a good row.", storage)
    missingGlyphs = Column(
      "missing_glyphs", unit: "characters",
      "The number of characters of the row's texts for which no font has a glyph; at most 65,535.", storage)
    marginNarrower = Column(
      "margin_narrower", unit: "points", isLater: true,
      "While the space of each text of the row shrinks by less than this length, no text has another number of lines. Infinite if no length changes that. Null for a row without texts, and where the lines of a paragraph are chosen together (`highQuality` and `balanced`).",
      storage)
    marginWider = Column(
      "margin_wider", unit: "points", isLater: true,
      "The same for a space that grows.", storage)
    holdsForWidth = Column(
      "holds_for_width", isLater: true,
      "Whether the margins hold for the width of the list too: while it changes by less, the height is the same. A row without texts then has this height at any width.",
      storage)
  }
}
