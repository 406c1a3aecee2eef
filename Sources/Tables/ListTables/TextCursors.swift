import TableFormats

/// The readers of lines.arrow and texts.arrow for rows that are read in their order. Only one thread uses the object.
package final class TextCursors {
  private let tables: TextTables
  private let lineCursor: TableCursor<LineColumns<ArrowColumnView>>
  private let textCursor: TableCursor<TextColumns<ArrowColumnView>>
  private let runCursor: TableCursor<TextRunColumns<UInt32, ArrowColumnView>>
  private let spanCursor: TableCursor<TextSpanColumns<UInt16, UInt32, ArrowColumnView>>

  /// The number of lines, and of texts, runs and spans, that are read at once.
  private static let linesAhead = 1024
  private static let textsAhead = 128

  init(_ tables: TextTables) {
    self.tables = tables
    lineCursor = TableCursor(tables.lines, recordsAhead: Self.linesAhead, LineColumns.init)
    textCursor = TableCursor(tables.texts, recordsAhead: Self.textsAhead, TextColumns.init)
    runCursor = TableCursor(tables.runs, recordsAhead: Self.textsAhead, TextRunColumns.init)
    spanCursor = TableCursor(tables.spans, recordsAhead: Self.textsAhead, TextSpanColumns.init)
  }

  /// Copies the files for rows in any order.
  ///
  /// - Throws: `TableError` if a file has changed since it was opened, or cannot be read.
  package func copy() throws(TableError) {
    try lineCursor.copy()
    let texts = try tables.texts.file.copy()
    textCursor.read(from: texts)
    runCursor.read(from: texts)
    spanCursor.read(from: texts)
  }

  /// The path of texts.arrow.
  package var path: String { tables.texts.file.path }

  /// A text whose bytes are valid until the next one is read.
  package struct Record {
    package let row: Int
    /// The index of its name in texts.arrow.
    fileprivate let node: Int
    package let characters, truncation: UnsafeRawBufferPointer
    /// The indices of its runs and of its spans among those of all texts.
    package let runs, spans: Range<Int>
    /// The factor of its font sizes.
    package let factor: Float
  }

  /// Returns the texts of a row with their lines, in the order of the frames.
  package func texts(of row: Int) throws(TableError) -> [DrawnText] {
    var lines = try lines(of: row)[...]
    var drawn: [DrawnText] = []
    try forEachText(of: row..<row + 1) { (record) throws(TableError) in
      var runs: [DrawnText.Run] = []
      try forEachRun(record.runs) { start, end, font in
        runs.append(DrawnText.Run(start: Int(start), end: Int(end), font: String(decoding: font, as: UTF8.self)))
      }
      let node = tables.nodesOfTexts[record.node]
      let text = String(decoding: record.characters, as: UTF8.self)
      drawn.append(
        DrawnText(
          node: node, text: text,
          truncation: String(decoding: record.truncation, as: UTF8.self), runs: runs,
          lines: Self.popLines(of: text, named: node, from: &lines), spans: try spans(record.spans),
          pointSizeScaleFactor: record.factor))
    }
    return drawn
  }

  /// Returns the text of each of a row's frames, or nil for a frame that is not of a text.
  func texts(of row: Int, _ frames: [NodeFrame]) throws(TableError) -> [DrawnText?] {
    var rest = try texts(of: row)[...]
    return frames.map { $0.type == "text" ? rest.popFirst() : nil }
  }

  private func lines(of row: Int) throws(TableError) -> [TextLine] {
    var lines: [TextLine] = []
    let nodes = tables.nodesOfLines
    try forEachLines(of: row..<row + 1) { (columns, indices) throws(TableError) in
      let rect = columns.rect
      for index in indices {
        let node = Int(columns.node[index])
        guard nodes.indices.contains(node) else {
          throw TableError.damaged(tables.lines.file.path, "a line has no node")
        }
        lines.append(
          TextLine(
            node: nodes[node], line: Int(columns.line[index]), start: Int(columns.start[index]),
            end: Int(columns.end[index]), x: rect.x[index], y: rect.y[index], width: rect.width[index],
            height: rect.height[index], baseline: columns.baseline[index], hasEllipsis: columns.ellipsis[index],
            hasHyphen: columns.hyphen[index], isRightToLeft: columns.rightToLeft[index]))
      }
    }
    return lines
  }

  private func spans(_ range: Range<Int>) throws(TableError) -> [DrawnText.Span] {
    var spans: [DrawnText.Span] = []
    try forEachSpan(range) { columns, index, url, kind in
      let rect = columns.rect
      spans.append(
        DrawnText.Span(
          line: Int(columns.line[index]), start: Int(columns.start[index]), end: Int(columns.end[index]),
          x: rect.x[index], y: rect.y[index], width: rect.width[index], height: rect.height[index],
          url: String(decoding: url, as: UTF8.self), kind: String(decoding: kind, as: UTF8.self)))
    }
    return spans
  }

  /// Removes the lines of the next text from those of a row. Texts of one name may follow each other: the lines of each begin
  /// with line 0, and an empty text, which has none on most platforms, cannot have those of a longer one.
  private static func popLines(
    of text: String, named node: String, from lines: inout ArraySlice<TextLine>
  ) -> [TextLine] {
    guard let first = lines.first, first.node == node else { return [] }
    let end = lines.dropFirst().firstIndex { $0.node != node || $0.line == 0 } ?? lines.endIndex
    guard lines[end - 1].end <= text.utf16.count else { return [] }
    defer { lines = lines[end...] }
    return Array(lines[..<end])
  }

  /// Calls a function with the columns of the lines of some rows, and with the indices of the lines in these columns.
  package func forEachLines(
    of rows: Range<Int>, _ body: (LineColumns<ArrowColumnView>, Range<Int>) throws(TableError) -> Void
  ) throws(TableError) {
    try lineCursor.forEachRun(tables.rowsOfLines.records(of: rows), body)
  }

  /// Calls a function with each text of some rows.
  package func forEachText(
    of rows: Range<Int>, _ body: (Record) throws(TableError) -> Void
  ) throws(TableError) {
    let records = tables.rowsOfTexts.records(of: rows)
    var next = records.lowerBound
    try textCursor.forEachRun(records) { (columns, indices) throws(TableError) in
      for index in indices {
        let node = Int(columns.node[index])
        let (batch, _) = tables.texts.index.position(of: next)
        guard tables.nodesOfTexts.indices.contains(node), let text = columns.text[index],
          let truncation = columns.truncation[index],
          let runs = tables.runs.records(columns.runs, at: index, ofBatch: batch),
          let spans = tables.hasSpans ? tables.spans.records(columns.spans, at: index, ofBatch: batch) : 0..<0
        else { throw damaged }
        try body(
          Record(
            row: Int(truncatingIfNeeded: tables.rowsOfTexts[next]), node: node, characters: text,
            truncation: truncation, runs: runs, spans: spans, factor: columns.factor[index] ?? 1))
        next += 1
      }
    }
  }

  /// Calls a function with the start and the end of each of some runs, in UTF-16, and the name of its font.
  package func forEachRun(
    _ runs: Range<Int>, _ body: (_ start: UInt32, _ end: UInt32, _ font: UnsafeRawBufferPointer) -> Void
  ) throws(TableError) {
    try runCursor.forEachRun(runs) { (columns, indices) throws(TableError) in
      for index in indices {
        guard let font = columns.font[index] else { throw damaged }
        body(columns.start[index], columns.end[index], font)
      }
    }
  }

  private var damaged: TableError { TableError.damaged(path, "a text is not readable") }

  /// Calls a function with the columns of each of some spans, its index in them, and the bytes of its URL and of its kind.
  package func forEachSpan(
    _ spans: Range<Int>,
    _ body: (TextSpanColumns<UInt16, UInt32, ArrowColumnView>, Int, UnsafeRawBufferPointer, UnsafeRawBufferPointer) ->
      Void
  ) throws(TableError) {
    try spanCursor.forEachRun(spans) { (columns, indices) throws(TableError) in
      for index in indices {
        guard let url = columns.url[index], let kind = columns.kind[index] else {
          throw TableError.damaged(path, "a span is not readable")
        }
        body(columns, index, url, kind)
      }
    }
  }
}

extension MappedTables {
  /// Returns readers of the lines and texts, or nil without lines.
  package func textCursors() -> TextCursors? { texts.map { TextCursors($0) } }
}
