import Buffers

/// The columns of nodes.arrow, which has one record for each node that differs between a row of two tables.
package struct NodeChangeColumns<Storage> {
  package let id: Column<ByteString, Storage>
  package let node: Column<Int32, Storage>
  package let change: Column<Int8, Storage>
  package let oldIndex: Column<UInt32?, Storage>
  package let newIndex: Column<UInt32?, Storage>
  package let old: RectColumns<Float?, Storage>
  package let new: RectColumns<Float?, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    id = Column("id", "The id of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the node.", storage)
    change = Column("change", dictionary: 1, "`inserted`, `removed`, `moved`, `resized` or `redrawn`.", storage)
    oldIndex = Column(
      "old_index", "The index of the node's record among those of the row in OLD; null if the node was inserted.",
      storage)
    newIndex = Column("new_index", "The same in NEW; null if the node was removed.", storage)
    old = Self.rect("old_", where: "in OLD; null if the node was inserted.", storage)
    new = Self.rect("new_", where: "in NEW; null if the node was removed.", storage)
  }

  private static func rect(
    _ prefix: String, where place: String, _ storage: (ColumnFormat) -> Storage
  ) -> RectColumns<Float?, Storage> {
    let (corner, size) = ("The upper left corner \(place)", "The size \(place)")
    return RectColumns(prefix, in: "cell", x: corner, y: corner, width: size, height: size, storage)
  }
}
