/// The columns of frames.arrow, which has one record for each node.
package struct FrameColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let node: Column<Int32, Storage>
  package let type: Column<Int8, Storage>
  package let parent: Column<Int32, Storage>
  package let rect: RectColumns<Float, Storage>
  package let lines: Column<UInt16, Storage>
  package let truncated: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", isDerived: true, "The number of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the node; see below.", storage)
    type = Column("type", dictionary: 1, "The element's type: `node`, `text`, `image`, `networkImage`, …", storage)
    parent = Column(
      "parent", "The index, among the row's frames, of the node that contains this one; -1 for the cell.", storage)
    let (corner, size) = ("The upper left corner.", "The size.")
    rect = RectColumns(in: "cell", x: corner, y: corner, width: size, height: size, storage)
    lines = Column("lines", unit: "lines", "The number of lines of a text; 0 for other nodes.", storage)
    truncated = Column("truncated", "Whether a text is cut by its `maximumNumberOfLines` or its height.", storage)
  }
}
