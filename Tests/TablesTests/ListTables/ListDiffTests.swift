import Foundation
import SeededRandom
import Testing

@testable import ListTables

/// Tests of the rows that differ between two tables of a list.
@Suite struct ListDiffTests {
  private func changes(_ old: SampleList, _ new: SampleList) throws -> [RowChange] {
    var changes: [RowChange] = []
    try ListDiff(from: MappedTables(old.path), to: MappedTables(new.path)).forEachRow { changes.append($0) }
    return changes
  }

  private func row(_ id: String, _ height: Float = 10, _ nodes: String...) -> SampleList.Row {
    SampleList.Row(id: id, height: height, frames: nodes.map { .init(node: $0, width: 5, height: 5) })
  }

  // MARK: Properties

  @Test func changesOfRandomEditsAreThoseOfANaiveComparison() throws {
    var random = SplitMix(seed: 21)
    var seen: Set<String> = []
    for round in 0..<40 {
      let rows = RandomEdits.rows(random.below(40), &random)
      let edited = RandomEdits.edit(rows, &random)
      let (old, new) = (try SampleList(rows), try SampleList(edited))
      let changes = try changes(old, new)
      #expect(changes == Self.naiveChanges(rows, edited), "round \(round)")
      #expect(Self.apply(changes, to: rows.map(\.id), edited.map(\.id)) == edited.map(\.id), "round \(round)")
      for change in changes {
        if change.oldRow == nil { seen.insert("inserted") }
        if change.newRow == nil { seen.insert("removed") }
        if change.isMoved { seen.insert("moved") }
        if change.isResized { seen.insert("resized") }
        if change.isChanged && !change.isResized { seen.insert("changed") }
      }
    }
    #expect(seen.count == 5)
  }

  /// Returns the changes that follow from the quadratic algorithm and from comparing rows as values.
  private static func naiveChanges(_ old: [SampleList.Row], _ new: [SampleList.Row]) -> [RowChange] {
    let (oldIDs, newIDs) = (NaiveDiff.numbered(old.map(\.id)), NaiveDiff.numbered(new.map(\.id)))
    let common = Set(NaiveDiff.commonIndexes(oldIDs, newIDs))
    let removed = oldIDs.indices.filter { !newIDs.contains(oldIDs[$0]) }.map {
      RowChange(oldRow: $0, newRow: nil, isMoved: false, isResized: false, isChanged: false)
    }
    return removed
      + newIDs.indices.compactMap { newRow in
        guard let oldRow = oldIDs.firstIndex(of: newIDs[newRow]) else {
          return RowChange(oldRow: nil, newRow: newRow, isMoved: false, isResized: false, isChanged: false)
        }
        let (before, after) = (old[oldRow], new[newRow])
        // A bad row has no width.
        let isResized = before.height != after.height || (before.error == nil) != (after.error == nil)
        let change = RowChange(
          oldRow: oldRow, newRow: newRow, isMoved: !common.contains(oldRow), isResized: isResized,
          isChanged: isResized || before.frames != after.frames)
        return change.isMoved || change.isChanged ? change : nil
      }
  }

  /// Applies removals, moves and insertions as the batch updates of UICollectionView do.
  private static func apply(_ changes: [RowChange], to old: [String], _ new: [String]) -> [String] {
    let taken = Set(changes.filter { $0.newRow == nil || $0.isMoved }.compactMap(\.oldRow))
    var list = old.indices.filter { !taken.contains($0) }.map { old[$0] }
    for change in changes {
      guard let row = change.newRow, change.oldRow == nil || change.isMoved, row <= list.count else { continue }
      list.insert(change.oldRow.map { old[$0] } ?? new[row], at: row)
    }
    return list
  }

  @Test func equalTablesHaveNoChanges() throws {
    var random = SplitMix(seed: 22)
    let rows = RandomEdits.rows(50, &random)
    #expect(try changes(SampleList(rows), SampleList(rows)).isEmpty)
    #expect(try changes(SampleList([]), SampleList([])).isEmpty)
  }

  // MARK: Cases

  @Test func aRowThatOnlyLiesElsewhereIsNoChange() throws {
    let old = try SampleList([row("a"), row("b"), row("c")])
    let new = try SampleList([row("a", 30), row("b"), row("c")])
    #expect(
      try changes(old, new) == [.init(oldRow: 0, newRow: 0, isMoved: false, isResized: true, isChanged: true)])
  }

  @Test func equalIDsAreMatchedInTheOrderInWhichTheyOccur() throws {
    let old = try SampleList([row("x"), row("a", 1), row("a", 2), row("y")])
    let new = try SampleList([row("a", 1), row("x"), row("a", 2), row("a", 3), row("y")])
    #expect(
      try changes(old, new) == [
        .init(oldRow: 0, newRow: 1, isMoved: true, isResized: false, isChanged: false),
        .init(oldRow: nil, newRow: 3, isMoved: false, isResized: false, isChanged: false),
      ])
  }

  @Test(arguments: 0..<9)
  func everyColumnOfAFrameIsCompared(column: Int) throws {
    let frame = SampleList.Frame(node: "a")
    var other = frame
    switch column {
    case 0: other.node = "b"
    case 1: other.type = 2
    case 2: other.parent = 0
    case 3: other.x = 1
    case 4: other.y = 1
    case 5: other.width = 1
    case 6: other.height = 1
    case 7: other.lines = 1
    default: other.isTruncated = true
    }
    let old = try SampleList([.init(id: "1", height: 10, frames: [frame, frame])])
    let new = try SampleList([.init(id: "1", height: 10, frames: [frame, other])])
    #expect(try changes(old, old).isEmpty)
    #expect(
      try changes(old, new) == [.init(oldRow: 0, newRow: 0, isMoved: false, isResized: false, isChanged: true)])
  }

  @Test func theNumbersOfNamesMayDifferBetweenTheTables() throws {
    let old = try SampleList([row("a", 10, "title", "photo"), row("b", 10, "photo")])
    let new = try SampleList([row("b", 10, "photo"), row("a", 10, "title", "photo")])
    #expect(try changes(old, new).allSatisfy { $0.isMoved && !$0.isChanged })
    let renamed = try SampleList([row("a", 10, "photo", "title"), row("b", 10, "title")])
    #expect(try changes(old, renamed).map(\.isChanged) == [true, true])
    // The same numbers, but other names.
    let others = try SampleList([row("a", 10, "text", "photo"), row("b", 10, "photo")])
    #expect(try changes(old, others).map(\.newRow) == [0])
  }

  @Test func theNumbersOfTypesMayDifferBetweenTheTables() throws {
    func list(_ type: UInt8, _ types: [String]) throws -> SampleList {
      try SampleList([.init(id: "a", height: 1, frames: [.init(node: "n", type: type)])], types: types)
    }
    #expect(try changes(list(0, ["image", "text"]), list(2, ["node", "text", "image"])).isEmpty)
    #expect(try changes(list(0, ["image", "text"]), list(0, ["node", "text"])).map(\.isChanged) == [true])
  }

  /// A batch of heights has 65,536 rows, one of frames 262,144 records, so that each list has a row, and each another
  /// one, whose frames are in two batches.
  @Test func rowsOfAllBatchesAreCompared() throws {
    let rows = (0..<100_000).map { row("\($0)", 2, "a", "b", "c") }
    var edited = [row("new", 5, "d", "e")] + rows
    edited[70_000].frames[0].x = 1
    edited[99_000].frames[2].y = 1
    edited.swapAt(80_000, 80_001)
    let expected: [RowChange] = [
      .init(oldRow: nil, newRow: 0, isMoved: false, isResized: false, isChanged: false),
      .init(oldRow: 69_999, newRow: 70_000, isMoved: false, isResized: false, isChanged: true),
      .init(oldRow: 79_999, newRow: 80_001, isMoved: true, isResized: false, isChanged: false),
      .init(oldRow: 98_999, newRow: 99_000, isMoved: false, isResized: false, isChanged: true),
    ]
    #expect(try changes(SampleList(rows), SampleList(edited)) == expected)
  }

  // MARK: Damaged tables

  @Test func changedBytesAreErrorsOrValuesButNeverEndTheProcess() throws {
    var random = SplitMix(seed: 23)
    let rows = RandomEdits.rows(20, &random)
    let (old, new) = (try SampleList(rows), try SampleList(RandomEdits.edit(rows, &random)))
    var refused = 0
    for path in [old.path, new.path].flatMap({ ["\($0)/heights.arrow", "\($0)/frames.arrow"] }) {
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      for _ in 0..<300 {
        var damaged = whole
        for _ in 0...random.below(4) { damaged[random.below(whole.count)] = UInt8(random.below(256)) }
        try damaged.write(to: URL(fileURLWithPath: path))
        do {
          let diff = try ListDiff(from: MappedTables(old.path), to: MappedTables(new.path))
          try diff.forEachRow { _ = try diff.nodes(of: $0) }
        } catch { refused += 1 }
      }
      try whole.write(to: URL(fileURLWithPath: path))
    }
    #expect(refused > 50)
  }
}
