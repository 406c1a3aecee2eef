import TableFormats

/// A comparison of the texts of two tables as they are drawn: their characters, truncation strings, fonts and lines.
///
/// Texts are compared by hashes of 64 bits, which are seeded for each process.
struct TextDiff {
  private let old, new: TextCursors

  /// Returns nil unless both tables have lines.
  init?(_ old: MappedTables, _ new: MappedTables) {
    guard let old = old.textCursors(), let new = new.textCursors() else { return nil }
    (self.old, self.new) = (old, new)
  }

  /// Returns whether two rows have the same texts with the same lines.
  func areEqual(_ oldRow: Int, _ newRow: Int) throws(TableError) -> Bool {
    try old.hashes(of: oldRow) == new.hashes(of: newRow)
  }

  /// Returns the hash of each of a row's frames, which is 0 for those that are not of texts.
  func hashes(ofOld row: Int, _ frames: [NodeFrame]) throws(TableError) -> [Int] {
    Self.hashes(of: frames, try old.hashes(of: row))
  }

  /// Returns the hash of each of a row's frames, which is 0 for those that are not of texts.
  func hashes(ofNew row: Int, _ frames: [NodeFrame]) throws(TableError) -> [Int] {
    Self.hashes(of: frames, try new.hashes(of: row))
  }

  private static func hashes(of frames: [NodeFrame], _ texts: [Int]) -> [Int] {
    var rest = texts[...]
    return frames.map { $0.type == "text" ? rest.popFirst() ?? 0 : 0 }
  }
}

extension TextCursors {
  /// Returns a hash for each text of a row, in the order of the frames.
  fileprivate func hashes(of row: Int) throws(TableError) -> [Int] {
    var hashers: [Hasher] = []
    try forEachText(of: row..<row + 1) { (record) throws(TableError) in
      var hasher = Hasher()
      for bytes in [record.characters, record.truncation] {
        hasher.combine(bytes.count)
        hasher.combine(bytes: bytes)
      }
      try forEachRun(record.runs) { end, font in
        hasher.combine(end)
        hasher.combine(bytes: font)
      }
      hashers.append(hasher)
    }
    var text = -1
    try forEachLines(of: row..<row + 1) { columns, indices in
      for index in indices {
        if columns.line[index] == 0 { text += 1 }
        guard hashers.indices.contains(text) else { continue }
        hashers[text].combine(columns.start[index])
        hashers[text].combine(columns.end[index])
        for length in [columns.x, columns.y, columns.width, columns.height, columns.baseline] {
          hashers[text].combine(length[index])
        }
        for trait in [columns.ellipsis, columns.hyphen, columns.rightToLeft] { hashers[text].combine(trait[index]) }
      }
    }
    return hashers.map { $0.finalize() }
  }
}
