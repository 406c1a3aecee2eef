import TableFormats

extension TextCursors {
  /// Returns a hash of the texts of a row as they are drawn: of their characters, truncation strings, fonts and lines. Rows are
  /// compared by these hashes of 64 bits, which are seeded for each process.
  func hash(of row: Int) throws(TableError) -> Int {
    var hasher = Hasher()
    try forEachText(of: row..<row + 1) { (record) throws(TableError) in
      for bytes in [record.characters, record.truncation] {
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      }
      try forEachRun(record.runs) { _, end, font in
        hasher.combine(end)
        hasher.combine(bytes: font)
      }
      hasher.combine(record.factor)
      try forEachSpan(record.spans) { columns, index, url, kind in
        for length in columns.rect.all { hasher.combine(length[index]) }
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
        for length in columns.rect.all { hasher.combine(length[index]) }
        hasher.combine(columns.baseline[index])
        for trait in [columns.ellipsis, columns.hyphen, columns.rightToLeft] { hasher.combine(trait[index]) }
      }
    }
    return hasher.finalize()
  }
}
