import Buffers

/// The columns of resources.arrow, which has one record for each URL, in the order of the frames that show it.
package struct ResourceColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let node: Column<Int32, Storage>
  package let url: Column<ByteString, Storage>
  package let type: Column<Int8, Storage>
  package let y: Column<Double, Storage>
  package let pixelWidth: Column<UInt32, Storage>
  package let pixelHeight: Column<UInt32, Storage>
  package let width: Column<Float, Storage>
  package let height: Column<Float, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", "The number of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the node that shows the resource.", storage)
    url = Column("url", "The URL.", storage)
    type = Column(
      "type", dictionary: 1,
      "The type of what is fetched: `networkImage`, which the poster of a video is too, `multiplexImage`, `video` or `videoPlayer`.",
      storage)
    y = Column(
      "y", unit: "points in the list", "The top of the node: the row's `y` and the frame's `y`.", storage)
    let pixels =
      "The size of the node, times the variant's scale or `--image-scale`, rounded up; or the size that the image of a `multiplexImage` states."
    pixelWidth = Column("pixel_width", unit: "pixels", pixels, storage)
    pixelHeight = Column("pixel_height", unit: "pixels", pixels, storage)
    width = Column("width", unit: "points", "The size of the node.", storage)
    height = Column("height", unit: "points", "The size of the node.", storage)
  }
}
