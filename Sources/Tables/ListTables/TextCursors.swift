import TableFormats

/// The readers of lines.arrow and texts.arrow for rows that are read in their order. Only one thread uses the object.
package final class TextCursors {
  private let lines: TextLines
  private let texts: DrawnTexts
  private let lineCursor: TableCursor<TextLines.Columns>
  private let textCursor: TableCursor<TextColumns<ArrowColumnView>>
  private let runCursor: TableCursor<TextRunColumns<UInt32, ArrowColumnView>>
  private let spanCursor: TableCursor<TextSpanColumns<UInt16, UInt32, ArrowColumnView>>

  /// The number of texts, and of runs and spans, that are read at once.
  private static let textsAhead = 128

  init(_ lines: TextLines, _ texts: DrawnTexts) {
    (self.lines, self.texts) = (lines, texts)
    lineCursor = lines.cursor()
    textCursor = TableCursor(texts.table, recordsAhead: Self.textsAhead, TextColumns.init)
    runCursor = TableCursor(texts.runs, recordsAhead: Self.textsAhead, TextRunColumns.init)
    spanCursor = TableCursor(texts.spans, recordsAhead: Self.textsAhead, TextSpanColumns.init)
  }

  /// The path of texts.arrow.
  package var path: String { texts.table.file.path }

  /// Returns the texts of a row with their lines, in the order of the frames.
  package func texts(of row: Int) throws(TableError) -> [DrawnText] {
    var lines = try lines.lines(of: row, lineCursor)[...]
    var drawn: [DrawnText] = []
    try forEachText(of: row..<row + 1) { (record) throws(TableError) in
      var runs: [DrawnText.Run] = []
      try forEachRun(record.runs) { start, end, font in
        runs.append(DrawnText.Run(start: Int(start), end: Int(end), font: String(decoding: font, as: UTF8.self)))
      }
      let node = texts.nodes[record.node]
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

  private func spans(_ range: Range<Int>) throws(TableError) -> [DrawnText.Span] {
    var spans: [DrawnText.Span] = []
    try forEachSpan(range) { columns, index, url, kind in
      spans.append(
        DrawnText.Span(
          line: Int(columns.line[index]), start: Int(columns.start[index]), end: Int(columns.end[index]),
          x: columns.x[index], y: columns.y[index], width: columns.width[index], height: columns.height[index],
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
    try lineCursor.forEachRun(lines.records(of: rows), body)
  }

  /// Calls a function with each text of some rows.
  package func forEachText(
    of rows: Range<Int>, _ body: (DrawnTexts.Record) throws(TableError) -> Void
  ) throws(TableError) {
    let records = texts.rows.records(of: rows)
    var next = records.lowerBound
    try textCursor.forEachRun(records) { (columns, indices) throws(TableError) in
      for index in indices {
        let node = Int(columns.node[index])
        let (batch, _) = texts.table.index.position(of: next)
        guard texts.nodes.indices.contains(node), let text = columns.text[index],
          let truncation = columns.truncation[index],
          let runs = texts.runs.records(columns.runs, at: index, ofBatch: batch),
          let spans = texts.hasSpans ? texts.spans.records(columns.spans, at: index, ofBatch: batch) : 0..<0
        else { throw damaged }
        try body(
          DrawnTexts.Record(
            row: Int(truncatingIfNeeded: texts.rows[next]), node: node, characters: text, truncation: truncation,
            runs: runs, spans: spans, factor: columns.factor[index] ?? 1))
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
  package func textCursors() -> TextCursors? { texts.map { TextCursors($0.lines, $0.texts) } }
}
