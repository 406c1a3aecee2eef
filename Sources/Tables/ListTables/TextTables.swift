import TableFormats

/// The texts of a list as they are drawn: the lines.arrow and texts.arrow of a variant, which `TextCursors` reads where they are needed.
struct TextTables: Sendable {
  let lines, texts, runs, spans: StoredTable
  /// The rows of the lines and of the texts.
  let rowsOfLines, rowsOfTexts: RecordRows
  /// The names of texts, to which the lines and the texts refer by index.
  let nodesOfLines, nodesOfTexts: [String]

  /// The index of the column of texts.arrow with the runs.
  private static let runsColumn = 4

  /// - Parameter directory: The directory of the variant.
  /// - Throws: `TableError` for a file that cannot be read, is damaged, or is of another version.
  init(_ directory: String) throws(TableError) {
    lines = try StoredTable(directory + "/lines.arrow", columnFormats(LineColumns.init))
    rowsOfLines = try RecordRows(lines)
    texts = try StoredTable(directory + "/texts.arrow", columnFormats(TextColumns.init))
    runs = StoredTable(recordsOf: Self.runsColumn, of: texts)
    spans = StoredTable(recordsOf: Self.runsColumn + 1, of: texts)
    rowsOfTexts = try RecordRows(texts)
    (nodesOfLines, nodesOfTexts) = (lines.dictionaries[0], texts.dictionaries[0])
  }

  /// Whether the texts have a column of spans, which those of earlier versions lack.
  var hasSpans: Bool { spans.index.batchCount > 0 }
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
