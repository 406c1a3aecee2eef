import Buffers

/// The columns of nodes.arrow, which has one record for each node that differs between a row of two tables.
package struct NodeChangeColumns<Storage> {
  package let id: Column<ByteString, Storage>
  package let node: Column<Int32, Storage>
  package let change: Column<Int8, Storage>
  package let oldIndex: Column<UInt32?, Storage>
  package let newIndex: Column<UInt32?, Storage>
  package let old: Frame
  package let new: Frame

  /// The columns of the frame that a node has in one of the two tables.
  package struct Frame {
    package let x: Column<Float?, Storage>
    package let y: Column<Float?, Storage>
    package let width: Column<Float?, Storage>
    package let height: Column<Float?, Storage>

    init(_ prefix: String, corner: String, size: String, _ storage: (ColumnFormat) -> Storage) {
      x = Column(prefix + "x", unit: "points in the cell", corner, storage)
      y = Column(prefix + "y", unit: "points in the cell", corner, storage)
      width = Column(prefix + "width", unit: "points", size, storage)
      height = Column(prefix + "height", unit: "points", size, storage)
    }
  }

  package init(_ storage: (ColumnFormat) -> Storage) {
    id = Column("id", "The id of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the node.", storage)
    change = Column("change", dictionary: 1, "`inserted`, `removed`, `moved`, `resized` or `redrawn`.", storage)
    oldIndex = Column(
      "old_index", "The index of the node's record among those of the row in OLD; null if the node was inserted.",
      storage)
    newIndex = Column("new_index", "The same in NEW; null if the node was removed.", storage)
    old = Frame(
      "old_", corner: "The upper left corner in OLD; null if the node was inserted.",
      size: "The size in OLD; null if the node was inserted.", storage)
    new = Frame(
      "new_", corner: "The upper left corner in NEW; null if the node was removed.",
      size: "The size in NEW; null if the node was removed.", storage)
  }
}
