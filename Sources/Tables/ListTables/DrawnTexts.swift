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

/// The texts of a list as they are drawn: the texts.arrow of a variant, which `TextCursors` reads where it is needed.
package struct DrawnTexts: Sendable {
  let table, runs, spans: StoredTable
  /// The row of each text.
  let rows: RecordRows
  /// The names of texts, to which the records refer by index.
  let nodes: [String]

  /// The index of the column with the runs.
  private static let runsColumn = 4

  /// - Parameter path: The path of texts.arrow.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  init(_ path: String) throws(TableError) {
    table = try StoredTable(path, columnFormats(TextColumns.init))
    runs = StoredTable(recordsOf: Self.runsColumn, of: table)
    spans = StoredTable(recordsOf: Self.runsColumn + 1, of: table)
    rows = try RecordRows(table, column: 0)
    nodes = table.dictionaries[0]
  }

  /// Whether the table has a column of spans, which those of earlier versions lack.
  var hasSpans: Bool { spans.index.batchCount > 0 }

  /// A text whose bytes are valid until the next one is read.
  package struct Record {
    package let row: Int
    /// The index of its name in `nodes`.
    let node: Int
    package let characters, truncation: UnsafeRawBufferPointer
    /// The indices of its runs and of its spans among those of all texts.
    package let runs, spans: Range<Int>
    /// The factor of its font sizes.
    package let factor: Float
  }
}

extension StoredTable {
  /// Returns the indices of the records of a list among those of all batches, or nil if the list is damaged.
  func records(_ lists: Column<Int32, ArrowColumnView>, at list: Int, ofBatch batch: Int) -> Range<Int>? {
    let (start, end) = (Int(lists[list]), Int(lists[list + 1]))
    guard start >= 0, end >= start, end <= index.count(ofBatch: batch) else { return nil }
    let first = index.first(ofBatch: batch)
    return first + start..<first + end
  }
}
