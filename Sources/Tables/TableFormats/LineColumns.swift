import Buffers

/// The columns of lines.arrow, which has one record for each line of each text, in the order of the frames.
package struct LineColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let node: Column<Int32, Storage>
  package let line: Column<UInt16, Storage>
  package let start: Column<UInt32, Storage>
  package let end: Column<UInt32, Storage>
  package let rect: RectColumns<Float, Storage>
  package let baseline: Column<Float, Storage>
  package let ellipsis: Column<Bool, Storage>
  package let hyphen: Column<Bool, Storage>
  package let rightToLeft: Column<Bool, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", "The number of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the text.", storage)
    line = Column("line", "The number of the line within the text, from 0.", storage)
    let offsets = "units of UTF-16"
    start = Column("start", unit: offsets, "The offset in the text of the line's first unit.", storage)
    end = Column(
      "end", unit: offsets,
      "The offset after the last unit that is drawn, without the spaces that hang at the end of the line.", storage)
    rect = RectColumns(
      in: "text", x: "The left side of the line.", y: "The top of the line.",
      width: "The width that is drawn, with the hyphen or truncation string.",
      height:
        "The height of the line. On `android`, `reactNative` and `compose` it contains `lineSpacing`, elsewhere this is between "
        + "the lines. With a negative spacing it can be negative on these three (<doc:TextRules>, rule 32).",
      storage)
    baseline = Column("baseline", unit: "points in the text", "The distance of the baseline from the top.", storage)
    ellipsis = Column("ellipsis", "Whether the text is cut at `end` and the truncation string follows.", storage)
    hyphen = Column("hyphen", "Whether a hyphen is drawn after `end`.", storage)
    rightToLeft = Column("rightToLeft", "Whether the paragraph of the line runs from right to left.", storage)
  }
}

/// The columns of texts.arrow, which has one record for each text, in the order of the frames.
package struct TextColumns<Storage> {
  package let row: Column<UInt64, Storage>
  package let node: Column<Int32, Storage>
  package let text: Column<ByteString, Storage>
  package let truncation: Column<ByteString, Storage>
  package let runs: Column<Int32, Storage>
  package let spans: Column<Int32, Storage>
  package let factor: Column<Float?, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    row = Column("row", "The number of the row.", storage)
    node = Column("node", dictionary: 0, "The name of the text.", storage)
    text = Column("text", "The characters as they are drawn, to which the offsets of lines refer.", storage)
    truncation = Column("truncation", "The truncation string, which follows a line that is cut.", storage)
    runs = Column(
      "runs", listOf: columnFormats(TextRunColumns<UInt32, Void>.init), "The runs of the text; see below.", storage)
    spans = Column(
      "spans", listOf: columnFormats(TextSpanColumns<UInt16, UInt32, Void>.init), isLater: true,
      "The rectangles of its links, mentions and attachments; see below.", storage)
    factor = Column(
      "pointSizeScaleFactor", isLater: true,
      "The factor of the sizes of its fonts: 1, or the chosen one of its `pointSizeScaleFactors`, a multiple of 1/10,000.",
      storage)
  }
}

/// The columns of the runs of a text.
///
/// - `Offset`: The type of offsets, which is signed in the stream.
package struct TextRunColumns<Offset: ColumnValue, Storage> {
  package let start: Column<Offset, Storage>
  package let end: Column<Offset, Storage>
  package let font: Column<ByteString, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    start = Column("start", "The offset in the text of the run's first unit.", storage)
    end = Column("end", "The offset after its last unit.", storage)
    font = Column("font", "The name of its font in the cells file.", storage)
  }
}

/// The columns of the spans of a text: the rectangles, line by line, of its runs that have a URL, a kind or an attachment.
///
/// - `Line`, `Offset`: The types of the numbers of lines and of offsets, which are signed in the stream.
package struct TextSpanColumns<Line: ColumnValue, Offset: ColumnValue, Storage> {
  package let line: Column<Line, Storage>
  package let start: Column<Offset, Storage>
  package let end: Column<Offset, Storage>
  package let rect: RectColumns<Float, Storage>
  package let url: Column<ByteString, Storage>
  package let kind: Column<ByteString, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    line = Column("line", "The number of the line within the text, from 0.", storage)
    start = Column("start", "The offset in the text of the first unit of the part of the run in this line.", storage)
    end = Column("end", "The offset after its last unit.", storage)
    rect = RectColumns(
      in: "text", x: "The left side.", y: "The top.", width: "The width.", height: "The height.", storage)
    url = Column("url", "The URL of the run, or empty.", storage)
    kind = Column("kind", "The kind of the run, or empty.", storage)
  }
}
