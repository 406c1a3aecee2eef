import TableFormats

/// A text as it is drawn.
public struct DrawnText: Equatable, Sendable {
  /// The name of the text's node.
  public let node: String
  /// The characters, to which the offsets of lines refer.
  public let text: String
  /// The string that follows a line that is cut.
  public let truncation: String
  public let runs: [Run]
  public let lines: [TextLine]
  /// The links, mentions and attachments, a rectangle for each line that they are in.
  public let spans: [Span]
  /// The factor of the sizes of its fonts.
  public let pointSizeScaleFactor: Float

  /// A part of a text in one font. The offsets are in UTF-16.
  public struct Run: Equatable, Sendable {
    public let start, end: Int
    /// The name of the font in the cells file.
    public let font: String
  }

  /// A part of a run in a line that has a URL, a kind or an attachment. Lengths are in points, positions those in the text.
  public struct Span: Equatable, Sendable {
    public let line, start, end: Int
    public let x, y, width, height: Float
    /// The URL and the kind of the run, or empty strings.
    public let url, kind: String
  }

  /// Returns the characters of a line, with its hyphen or the truncation string.
  public func characters(of line: TextLine) -> String {
    let units = text.utf16
    guard let start = units.index(units.startIndex, offsetBy: line.start, limitedBy: units.endIndex),
      let end = units.index(units.startIndex, offsetBy: line.end, limitedBy: units.endIndex), start <= end
    else { return "" }
    return String(decoding: Array(units[start..<end]), as: UTF16.self)
      + (line.hasHyphen ? "\u{2010}" : line.hasEllipsis ? truncation : "")
  }
}

// Strings are equal if they differ only in the composition of accents, but texts are drawn again then, and URLs are others.

extension DrawnText {
  public static func == (a: DrawnText, b: DrawnText) -> Bool {
    a.strings == b.strings && a.runs == b.runs && a.lines == b.lines && a.spans == b.spans
      && a.pointSizeScaleFactor == b.pointSizeScaleFactor
  }

  private var strings: [UTF8Key] { [node, text, truncation].map(UTF8Key.init) }
}

extension DrawnText.Run {
  public static func == (a: Self, b: Self) -> Bool {
    (a.start, a.end, UTF8Key(a.font)) == (b.start, b.end, UTF8Key(b.font))
  }
}

extension DrawnText.Span {
  public static func == (a: Self, b: Self) -> Bool {
    (a.line, a.start, a.end) == (b.line, b.start, b.end)
      && (a.x, a.y, a.width, a.height) == (b.x, b.y, b.width, b.height)
      && (UTF8Key(a.url), UTF8Key(a.kind)) == (UTF8Key(b.url), UTF8Key(b.kind))
  }
}

/// The texts of a list as they are drawn: the texts.arrow of a variant, which is read where it is needed.
package struct DrawnTexts: Sendable {
  private let table: StoredTable
  private let runTable, spanTable: StoredTable
  private let rows: RecordRows
  /// The names of texts, to which the records refer by index.
  package let nodes: [String]

  /// The number of texts that a cursor reads at once.
  private static let textsAhead = 128

  package typealias Columns = TextColumns<ArrowColumnView>
  package typealias RunColumns = TextRunColumns<UInt32, ArrowColumnView>
  package typealias SpanColumns = TextSpanColumns<UInt16, UInt32, ArrowColumnView>

  /// - Parameter path: The path of texts.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columnFormats(TextColumns.init))
    runTable = StoredTable(recordsOf: Self.runsColumn, of: table)
    spanTable = StoredTable(recordsOf: Self.runsColumn + 1, of: table)
    rows = try RecordRows(table, column: 0)
    nodes = table.dictionaries[0]
  }

  /// The index of the column with the runs.
  private static let runsColumn = 4

  var file: TableFile { table.file }

  /// Returns a reader for texts that are read in their order.
  func cursor() -> TableCursor<Columns> { TableCursor(table, recordsAhead: Self.textsAhead, Columns.init) }

  /// Returns a reader for runs that are read in their order.
  func runCursor() -> TableCursor<RunColumns> {
    TableCursor(runTable, recordsAhead: Self.textsAhead, RunColumns.init)
  }

  /// Returns a reader for spans that are read in their order.
  func spanCursor() -> TableCursor<SpanColumns> {
    TableCursor(spanTable, recordsAhead: Self.textsAhead, SpanColumns.init)
  }

  /// A text whose bytes are valid until the next one is read.
  package struct Record {
    package let row: Int
    /// The index of its name in `nodes`.
    package let node: Int
    package let characters, truncation: UnsafeRawBufferPointer
    /// The indices of its runs and of its spans among those of all texts.
    package let runs, spans: Range<Int>
    /// The factor of its font sizes.
    package let factor: Float
  }

  /// Calls a function with each text of some rows.
  func forEachRecord(
    of rows: Range<Int>, _ cursor: TableCursor<Columns>, _ body: (Record) throws(TableError) -> Void
  ) throws(TableError) {
    let records = self.rows.records(of: rows)
    var next = records.lowerBound
    try cursor.forEachRun(records) { (columns, indices) throws(TableError) in
      for index in indices {
        let node = Int(columns.node[index])
        let (batch, _) = table.index.position(of: next)
        guard nodes.indices.contains(node), let text = columns.text[index], let truncation = columns.truncation[index],
          let runs = Self.records(columns.runs, at: index, batch, runTable),
          let spans = hasSpans ? Self.records(columns.spans, at: index, batch, spanTable) : 0..<0
        else { throw damaged }
        try body(
          Record(
            row: Int(truncatingIfNeeded: self.rows[next]), node: node, characters: text, truncation: truncation,
            runs: runs, spans: spans, factor: columns.factor[index] ?? 1))
        next += 1
      }
    }
  }

  /// Whether the table has a column of spans, which those of earlier versions lack.
  private var hasSpans: Bool { spanTable.index.batchCount > 0 }

  /// Returns the indices of the records of a list among those of all batches, or nil if the list is damaged.
  private static func records(
    _ lists: Column<Int32, ArrowColumnView>, at index: Int, _ batch: Int, _ records: StoredTable
  ) -> Range<Int>? {
    let (start, end) = (Int(lists[index]), Int(lists[index + 1]))
    guard start >= 0, end >= start, end <= records.index.count(ofBatch: batch) else { return nil }
    let first = records.index.first(ofBatch: batch)
    return first + start..<first + end
  }

  /// Calls a function with the start and the end of each of some runs, and the name of its font.
  func forEachRun(
    _ runs: Range<Int>, _ cursor: TableCursor<RunColumns>,
    _ body: (_ start: UInt32, _ end: UInt32, _ font: UnsafeRawBufferPointer) -> Void
  ) throws(TableError) {
    try cursor.forEachRun(runs) { (columns, indices) throws(TableError) in
      for index in indices {
        guard let font = columns.font[index] else { throw damaged }
        body(columns.start[index], columns.end[index], font)
      }
    }
  }

  private var damaged: TableError { TableError.damaged(file.path, "a text is not readable") }
}
