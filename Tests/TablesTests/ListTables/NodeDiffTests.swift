import SeededRandom
import Testing

@testable import ListTables

/// Tests of the nodes of a row that differ between two tables.
@Suite struct NodeDiffTests {
  private typealias Frame = SampleList.Frame

  /// Returns the changes of the nodes of a list's only row.
  private func changes(_ old: [Frame], _ new: [Frame]) throws -> [NodeChange] {
    let old = try SampleList([.init(id: "a", height: 10, frames: old)])
    let new = try SampleList([.init(id: "a", height: 10, frames: new)])
    let diff = try ListDiff(from: MappedTables(old.path), to: MappedTables(new.path))
    var changes: [NodeChange] = []
    try diff.forEachRow { changes += try diff.nodes(of: $0) }
    return changes
  }

  /// Returns texts such as `moved a 0 1`.
  private func text(_ changes: [NodeChange]) -> [String] {
    changes.map { change in
      let indices = [change.oldIndex, change.newIndex].map { $0.map(String.init) ?? "-" }
      return "\(change.kind) \(change.node) \(indices[0]) \(indices[1])"
    }
  }

  // MARK: Properties

  @Test func changesOfRandomEditsAreThoseOfTexturesAlgorithm() throws {
    var random = SplitMix(seed: 31)
    let old = SampleList.randomRows(300, &random, maxFrames: 8)
    let new = old.map { row in
      var row = row
      for _ in 0..<random.below(6) { RandomEdits.editFrames(&row, &random) }
      return row
    }
    var expected = 0
    for index in old.indices where old[index].frames != new[index].frames {
      expected += naiveChanges(old[index].frames, new[index].frames).count
    }
    var seen: [NodeChange.Kind: Int] = [:]
    let (oldList, newList) = (try SampleList(old), try SampleList(new))
    let diff = try ListDiff(from: MappedTables(oldList.path), to: MappedTables(newList.path))
    try diff.forEachRow { row in
      let (before, after) = (old[row.oldRow ?? -1].frames, new[row.newRow ?? -1].frames)
      let changes = try diff.nodes(of: row)
      #expect(text(changes) == naiveChanges(before, after), "row \(row)")
      for change in changes {
        seen[change.kind, default: 0] += 1
        #expect(change.oldIndex.map { before[$0].y } == change.old?.y)
        #expect(change.newIndex.map { after[$0].y } == change.new?.y)
      }
    }
    // These tables have no lines.
    #expect(Set(seen.keys) == [.inserted, .removed, .moved, .resized])
    #expect(seen.values.reduce(0, +) == expected)
  }

  /// The changes by the rules of Texture for the subnodes of each node, without anything that makes them fast.
  private func naiveChanges(_ old: [Frame], _ new: [Frame]) -> [String] {
    let identities = [old, new].map { frames in frames.map { "\($0.node)/\($0.type)" } }
    var matches: [Int: Int] = [:]
    var moved: Set<Int> = []
    var reinserted: (old: Set<Int>, new: Set<Int>) = ([], [])
    func compare(_ before: [Int], _ after: [Int], notesMoves: Bool) {
      let names = [
        NaiveDiff.numbered(before.map { identities[0][$0] }), NaiveDiff.numbered(after.map { identities[1][$0] }),
      ]
      let operations = NaiveDiff.Moves(names[0], names[1])
      for (index, node) in after.enumerated() {
        guard let match = names[0].firstIndex(of: names[1][index]) else { continue }
        if notesMoves && operations.insertions.contains(index) {
          reinserted.old.insert(before[match])
          reinserted.new.insert(node)
        } else {
          matches[node] = before[match]
        }
        if !notesMoves { continue }
        if match != index { moved.insert(node) }
        compare(
          old.indices.filter { old[$0].parent == before[match] }, new.indices.filter { new[$0].parent == node },
          notesMoves: true)
      }
    }
    compare(
      old.indices.filter { old[$0].parent == -1 }, new.indices.filter { new[$0].parent == -1 }, notesMoves: true)
    let isMatched = Set(matches.values)
    compare(
      old.indices.filter { !isMatched.contains($0) && !reinserted.old.contains($0) },
      new.indices.filter { matches[$0] == nil && !reinserted.new.contains($0) }, notesMoves: false)
    let kept = Set(matches.values)
    return old.indices.filter { !kept.contains($0) }.map { "removed \(old[$0].node) \($0) -" }
      + new.indices.compactMap { index in
        let node = new[index].node
        guard let before = matches[index] else { return "inserted \(node) - \(index)" }
        let sizes = [old[before], new[index]].map { [$0.width, $0.height] }
        if sizes[0] != sizes[1] { return "resized \(node) \(before) \(index)" }
        let origins = [old[before], new[index]].map { [$0.x, $0.y] }
        return moved.contains(index) || origins[0] != origins[1] ? "moved \(node) \(before) \(index)" : nil
      }
  }

  // MARK: Cases

  @Test func aNodeThatAppearsMovesTheNodesBehindIt() throws {
    let photo = Frame(node: "photo", y: 10, width: 5, height: 5)
    let changes = try changes(
      [.init(node: "name"), photo], [.init(node: "name"), .init(node: "location", y: 10, width: 4, height: 2), photo])
    #expect(text(changes) == ["inserted location - 1", "moved photo 1 2"])
    #expect(changes[0].old == nil && changes[0].new?.width == 4)
    #expect(changes[1].old == changes[1].new)
  }

  @Test func aNodeThatIsMovedAndResizedIsResized() throws {
    let changes = try changes([.init(node: "a", x: 1, width: 5)], [.init(node: "a", x: 2, width: 6)])
    #expect(text(changes) == ["resized a 0 0"])
    #expect(changes[0].old?.x == 1 && changes[0].new?.x == 2)
  }

  @Test func aNodeOfAnotherTypeIsAnotherNode() throws {
    let changes = try changes([.init(node: "a", type: 0)], [.init(node: "a", type: 2)])
    #expect(text(changes) == ["removed a 0 -", "inserted a - 0"])
  }

  @Test func nodesWithOneNameAreMatchedInTheOrderInWhichTheyOccur() throws {
    let changes = try changes([.init(node: "a", x: 1), .init(node: "a", x: 2)], [.init(node: "a", x: 1)])
    #expect(text(changes) == ["removed a 1 -"])
  }

  @Test func aSubnodeOfANodeThatIsTheSameIsNotMoved() throws {
    let card = [Frame(node: "card"), Frame(node: "title", parent: 0)]
    let shifted = [Frame(node: "badge"), Frame(node: "card"), Frame(node: "title", parent: 1)]
    #expect(text(try changes(card, shifted)) == ["inserted badge - 0", "moved card 0 1"])
  }

  @Test func anotherParentAloneIsNoChangeOfANode() throws {
    let changes = try changes(
      [.init(node: "a"), .init(node: "b", parent: -1)], [.init(node: "a"), .init(node: "b", parent: 0)])
    #expect(changes.isEmpty)
  }
}
