import Buffers

/// The columns of the stream, which has one record for each row and variant, with its frames and resources in lists.
///
/// The types are those that every reader of Arrow has: no unsigned integers, dictionaries or unions.
package struct StreamColumns<Storage> {
  package let variant: Column<ByteString, Storage>
  package let row: Column<Int64, Storage>
  package let id: Column<ByteString, Storage>
  package let cell: Column<ByteString, Storage>
  package let width: Column<Float, Storage>
  package let height: Column<Float, Storage>
  package let error: Column<ByteString?, Storage>
  package let frames: Column<Int32, Storage>?
  package let resources: Column<Int32, Storage>
  package let missingGlyphs: Column<Int32, Storage>
  package let marginNarrower: Column<Float?, Storage>
  package let marginWider: Column<Float?, Storage>
  package let holdsForWidth: Column<Bool, Storage>
  package let lines: Column<Int32, Storage>?
  package let texts: Column<Int32, Storage>?

  package init(hasFrames: Bool = true, hasLines: Bool = false, _ storage: (ColumnFormat) -> Storage) {
    variant = Column("variant", "The name of the variant, such as `w390`.", storage)
    row = Column("row", "The index of the row in the input, from 0.", storage)
    id = Column("id", "As in `heights.arrow`.", storage)
    cell = Column("cell", "As in `heights.arrow`.", storage)
    width = Column("width", "As in `heights.arrow`, in points.", storage)
    height = Column("height", "As in `heights.arrow`, in points.", storage)
    error = Column("error", "The error of a bad row.", storage)
    frames =
      hasFrames
      ? Column(
        "frames", listOf: columnFormats(StreamFrameColumns.init),
        "They are in the order of `frames.arrow`. `--columns heights` leaves the column out.", storage) : nil
    resources = Column("resources", listOf: columnFormats(StreamResourceColumns.init), "", storage)
    missingGlyphs = Column("missing_glyphs", "As in `heights.arrow`.", storage)
    marginNarrower = Column("margin_narrower", "As in `heights.arrow`, in points.", storage)
    marginWider = Column("margin_wider", "As in `heights.arrow`, in points.", storage)
    holdsForWidth = Column("holds_for_width", "As in `heights.arrow`.", storage)
    lines =
      hasLines
      ? Column(
        "lines", listOf: columnFormats(StreamLineColumns.init), "As in `lines.arrow`; only with `--lines`.", storage)
      : nil
    texts =
      hasLines
      ? Column(
        "texts", listOf: columnFormats(StreamTextColumns.init), "As in `texts.arrow`; only with `--lines`.", storage)
      : nil
  }
}

/// The columns of the lines in a record of the stream.
package struct StreamLineColumns<Storage> {
  package let node: Column<ByteString, Storage>
  package let line: Column<Int32, Storage>
  package let start: Column<Int32, Storage>
  package let end: Column<Int32, Storage>
  package let rect: RectColumns<Float, Storage>
  package let baseline: Column<Float, Storage>
  package let ellipsis: Column<Bool, Storage>
  package let hyphen: Column<Bool, Storage>
  package let rightToLeft: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    node = Column("node", "", storage)
    line = Column("line", "", storage)
    start = Column("start", "", storage)
    end = Column("end", "", storage)
    rect = RectColumns { Column($0, "", storage) }
    baseline = Column("baseline", "", storage)
    ellipsis = Column("ellipsis", "", storage)
    hyphen = Column("hyphen", "", storage)
    rightToLeft = Column("rightToLeft", "", storage)
  }
}

/// The columns of the texts in a record of the stream.
package struct StreamTextColumns<Storage> {
  package let node: Column<ByteString, Storage>
  package let text: Column<ByteString, Storage>
  package let truncation: Column<ByteString, Storage>
  package let runs: Column<Int32, Storage>
  package let spans: Column<Int32, Storage>
  package let factor: Column<Float, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    node = Column("node", "", storage)
    text = Column("text", "", storage)
    truncation = Column("truncation", "", storage)
    runs = Column("runs", listOf: columnFormats(TextRunColumns<Int32, Void>.init), "", storage)
    spans = Column("spans", listOf: columnFormats(TextSpanColumns<Int32, Int32, Void>.init), "", storage)
    factor = Column("pointSizeScaleFactor", "", storage)
  }
}

/// The columns of the frames in a record of the stream.
package struct StreamFrameColumns<Storage> {
  package let node: Column<ByteString, Storage>
  package let type: Column<ByteString, Storage>
  package let parent: Column<Int32, Storage>
  package let rect: RectColumns<Float, Storage>
  package let lines: Column<Int32, Storage>
  package let truncated: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    node = Column("node", "", storage)
    type = Column("type", "", storage)
    parent = Column("parent", "", storage)
    rect = RectColumns { Column($0, "", storage) }
    lines = Column("lines", "", storage)
    truncated = Column("truncated", "", storage)
  }
}

/// The columns of the resources in a record of the stream.
package struct StreamResourceColumns<Storage> {
  package let node: Column<ByteString, Storage>
  package let url: Column<ByteString, Storage>
  package let type: Column<ByteString, Storage>
  package let y: Column<Float, Storage>
  package let pixelWidth: Column<Int32, Storage>
  package let pixelHeight: Column<Int32, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    node = Column("node", "", storage)
    url = Column("url", "", storage)
    type = Column("type", "", storage)
    y = Column("y", "within the cell", storage)
    pixelWidth = Column("pixel_width", "", storage)
    pixelHeight = Column("pixel_height", "", storage)
  }
}
