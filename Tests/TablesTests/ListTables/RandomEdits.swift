import SeededRandom

/// Random lists, and random edits of them.
enum RandomEdits {
  /// Returns rows of which some have equal ids, some are bad, and some have their number as their id.
  static func rows(_ count: Int, _ random: inout SplitMix) -> [SampleList.Row] {
    var rows = SampleList.randomRows(count, &random)
    for index in rows.indices where random.below(6) == 0 { rows[index].id = "same \(random.below(3))" }
    return random.below(4) == 0 ? numbered(rows) : rows
  }

  /// Returns rows that have no ids of their own, so that their numbers are their ids.
  private static func numbered(_ rows: [SampleList.Row]) -> [SampleList.Row] {
    rows.enumerated().map { index, row in
      var row = row
      row.id = "\(index)"
      return row
    }
  }

  static func edit(_ rows: [SampleList.Row], _ random: inout SplitMix) -> [SampleList.Row] {
    let isNumbered = !rows.isEmpty && rows.indices.allSatisfy { rows[$0].id == "\($0)" }
    var rows = rows
    for edit in 0..<random.below(12) {
      let index = random.below(rows.count + 1)
      guard index < rows.count, random.below(5) > 0 else {
        rows.insert(.init(id: random.below(3) == 0 ? "same 0" : "new \(edit)", height: 7), at: index)
        continue
      }
      switch random.below(5) {
      case 0: rows.remove(at: index)
      case 1: rows.insert(rows.remove(at: index), at: random.below(rows.count))
      case 2: rows[index].height += rows[index].error == nil ? 1 : 0
      case 3: rows[index] = .init(id: rows[index].id, height: 0, error: rows[index].error == nil ? "line 1: bad" : nil)
      default: editFrames(&rows[index], &random)
      }
    }
    return isNumbered ? numbered(rows) : rows
  }

  /// Changes the nodes of a row that is not bad.
  static func editFrames(_ row: inout SampleList.Row, _ random: inout SplitMix) {
    guard row.error == nil else { return }
    // A parent comes before its nodes.
    defer {
      for index in row.frames.indices { row.frames[index].parent = min(row.frames[index].parent, Int32(index) - 1) }
    }
    let index = random.below(row.frames.count + 1)
    guard index < row.frames.count, random.below(4) > 0 else {
      row.frames.insert(.init(node: "node \(random.below(8))", type: UInt8(random.below(3)), width: 3), at: index)
      return
    }
    switch random.below(10) {
    case 0: row.frames.remove(at: index)
    case 1: row.frames.swapAt(index, random.below(row.frames.count))
    case 2: row.frames[index].x += 1
    case 3: row.frames[index].y += 1
    case 4: row.frames[index].width += 1
    case 5: row.frames[index].height += 1
    case 6: row.frames[index].parent = row.frames[index].parent == -1 ? 0 : -1
    case 7: row.frames[index].lines = 7
    case 8: row.frames[index].isTruncated = row.frames[index].type != 1
    default: row.frames[index].type = (row.frames[index].type + 1) % 3
    }
  }
}
