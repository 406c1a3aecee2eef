import TableFormats

/// A comparison of the texts of two tables as they are drawn: their characters, truncation strings, fonts and lines.
struct TextDiff {
  private let old, new: TextCursors

  /// Returns nil unless both tables have lines.
  init?(_ old: MappedTables, _ new: MappedTables) {
    guard let old = old.textCursors(), let new = new.textCursors() else { return nil }
    (self.old, self.new) = (old, new)
  }

  /// Returns whether two rows have the same texts with the same lines. Hashes of 64 bits are compared, which are seeded for
  /// each process.
  func areEqual(_ oldRow: Int, _ newRow: Int) throws(TableError) -> Bool {
    try old.hash(of: oldRow) == new.hash(of: newRow)
  }

  /// Returns the text of each of a row's frames, or nil for a frame that is not of a text.
  func texts(ofOld row: Int, _ frames: [NodeFrame]) throws(TableError) -> [DrawnText?] {
    Self.texts(of: frames, try old.texts(of: row))
  }

  /// Returns the text of each of a row's frames, or nil for a frame that is not of a text.
  func texts(ofNew row: Int, _ frames: [NodeFrame]) throws(TableError) -> [DrawnText?] {
    Self.texts(of: frames, try new.texts(of: row))
  }

  private static func texts(of frames: [NodeFrame], _ texts: [DrawnText]) -> [DrawnText?] {
    var rest = texts[...]
    return frames.map { $0.type == "text" ? rest.popFirst() : nil }
  }
}

extension TextCursors {
  /// Returns a hash of the texts of a row and their lines.
  fileprivate func hash(of row: Int) throws(TableError) -> Int {
    var hasher = Hasher()
    try forEachText(of: row..<row + 1) { (record) throws(TableError) in
      for bytes in [record.characters, record.truncation] {
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      }
      try forEachRun(record.runs) { end, font in
        hasher.combine(end)
        hasher.combine(bytes: font)
      }
      hasher.combine(record.factor)
      try forEachSpan(record.spans) { columns, index, url, kind in
        for length in [columns.x, columns.y, columns.width, columns.height] { hasher.combine(length[index]) }
        for bytes in [url, kind] {
          hasher.combine(bytes.count)
          hasher.combine(bytes: bytes)
        }
      }
    }
    try forEachLines(of: row..<row + 1) { columns, indices in
      for index in indices {
        hasher.combine(columns.line[index])
        hasher.combine(columns.start[index])
        hasher.combine(columns.end[index])
        for length in [columns.x, columns.y, columns.width, columns.height, columns.baseline] {
          hasher.combine(length[index])
        }
        for trait in [columns.ellipsis, columns.hyphen, columns.rightToLeft] { hasher.combine(trait[index]) }
      }
    }
    return hasher.finalize()
  }
}
