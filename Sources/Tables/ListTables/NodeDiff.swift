/// A node of a row that was inserted, removed, moved, resized or redrawn.
public struct NodeChange: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case inserted, removed, moved, resized, redrawn
  }

  /// The name of the node.
  public let node: String
  public let kind: Kind
  /// The index among the old row's frames, or nil if the node was inserted.
  public let oldIndex: Int?
  /// The index among the new row's frames, or nil if the node was removed.
  public let newIndex: Int?
  /// The old frame, or nil if the node was inserted.
  public let old: NodeFrame?
  /// The new frame, or nil if the node was removed.
  public let new: NodeFrame?
}

/// The difference between the nodes of a row in two tables. As ASLayoutTransition does, it compares the direct subnodes of the
/// cell, and of each node that both rows have (layout-semantics 8). What is left is matched whatever its parent is.
struct NodeDiff {
  /// The index of the old node for each new one, or nil for a node that was inserted.
  private var oldIndices: [Int?]
  /// Whether each old node was removed.
  private var isRemoved: [Bool]
  /// Whether each new node has another index among the subnodes of its node.
  private var hasOtherIndex: [Bool]
  /// The old and new nodes that were taken out and put in again at the same index.
  private var reinserted: (old: Set<Int>, new: Set<Int>) = ([], [])

  /// Returns the removed nodes by their old indices, then the others by their new indices.
  ///
  /// - Parameters:
  ///   - oldIdentities: The identities of the old nodes. Nodes of both rows with the same identity are the same node.
  ///   - isRedrawn: Whether an old and a new node, given by their indices, have texts that are drawn in different ways.
  static func changes(
    _ old: [NodeFrame], _ oldIdentities: [UInt64], _ new: [NodeFrame], _ newIdentities: [UInt64],
    isRedrawn: (Int, Int) -> Bool = { _, _ in false }
  ) -> [NodeChange] {
    let diff = NodeDiff(Subnodes(old, oldIdentities), Subnodes(new, newIdentities))
    var changes = old.indices.filter { diff.isRemoved[$0] }.map { index in
      NodeChange(node: old[index].node, kind: .removed, oldIndex: index, newIndex: nil, old: old[index], new: nil)
    }
    for (index, frame) in new.enumerated() {
      guard let oldIndex = diff.oldIndices[index] else {
        changes.append(
          NodeChange(node: frame.node, kind: .inserted, oldIndex: nil, newIndex: index, old: nil, new: frame))
        continue
      }
      let ofFrame = kind(old[oldIndex], frame, hasOtherIndex: diff.hasOtherIndex[index])
      guard let kind = ofFrame ?? (isRedrawn(oldIndex, index) ? .redrawn : nil) else { continue }
      changes.append(
        NodeChange(node: frame.node, kind: kind, oldIndex: oldIndex, newIndex: index, old: old[oldIndex], new: frame))
    }
    return changes
  }

  private init(_ old: Subnodes, _ new: Subnodes) {
    oldIndices = [Int?](repeating: nil, count: new.identities.count)
    isRemoved = [Bool](repeating: true, count: old.identities.count)
    hasOtherIndex = [Bool](repeating: false, count: new.identities.count)
    var pairs = [(old: Subnodes.cell, new: Subnodes.cell)]
    while let pair = pairs.popLast() {
      let (before, after) = (old.of(pair.old), new.of(pair.new))
      let order = SequenceDiff(
        newIndices: Self.matches(before.map { old.identities[$0] }, after.map { new.identities[$0] }))
      for (index, oldIndex) in before.enumerated() {
        let step = order.step(of: index)
        guard step != .removed else { continue }
        let newIndex = after[Int(order.newIndices[index])]
        // The subnodes of a node that was put in again are still its own.
        pairs.append((oldIndex, newIndex))
        if step == .reinserted {
          reinserted.old.insert(oldIndex)
          reinserted.new.insert(newIndex)
        } else {
          match(oldIndex, newIndex)
          hasOtherIndex[newIndex] = step == .moved
        }
      }
    }
    matchOthers(old, new)
  }

  /// Matches the nodes that have other parents, or whose parents were inserted or removed.
  private mutating func matchOthers(_ old: Subnodes, _ new: Subnodes) {
    let oldLeft = isRemoved.indices.filter { isRemoved[$0] && !reinserted.old.contains($0) }
    let newLeft = oldIndices.indices.filter { oldIndices[$0] == nil && !reinserted.new.contains($0) }
    let matches = Self.matches(oldLeft.map { old.identities[$0] }, newLeft.map { new.identities[$0] })
    for (index, newIndex) in matches.enumerated() where newIndex != SequenceDiff.none {
      match(oldLeft[index], newLeft[Int(newIndex)])
    }
  }

  private mutating func match(_ oldIndex: Int, _ newIndex: Int) {
    isRemoved[oldIndex] = false
    oldIndices[newIndex] = oldIndex
  }

  /// The nodes of a row by the nodes that contain them.
  private struct Subnodes {
    /// The index of the cell itself.
    static let cell = -1

    let identities: [UInt64]
    private var byParent: [[Int]]

    init(_ frames: [NodeFrame], _ identities: [UInt64]) {
      self.identities = identities
      byParent = [[Int]](repeating: [], count: frames.count + 1)
      for (index, frame) in frames.enumerated() {
        // A damaged table has any parent.
        byParent[frames.indices.contains(frame.parent) ? frame.parent + 1 : 0].append(index)
      }
    }

    func of(_ node: Int) -> [Int] { byParent[node + 1] }
  }

  /// Returns how a node of both rows changed, or nil if it is where it was. A node whose size changed is resized, even
  /// if it was also moved.
  private static func kind(_ old: NodeFrame, _ new: NodeFrame, hasOtherIndex: Bool) -> NodeChange.Kind? {
    if old.width != new.width || old.height != new.height { return .resized }
    return hasOtherIndex || old.x != new.x || old.y != new.y ? .moved : nil
  }

  /// Matches nodes by their identities; equal ones in the order in which they occur.
  ///
  /// - Returns: For each old node the index of the new one, or `SequenceDiff.none`.
  private static func matches(_ old: [UInt64], _ new: [UInt64]) -> [Int32] {
    var matches = [Int32](repeating: SequenceDiff.none, count: old.count)
    // The beginnings of both rows usually have the same nodes.
    var same = 0
    while same < min(old.count, new.count), old[same] == new[same] {
      matches[same] = Int32(truncatingIfNeeded: same)
      same += 1
    }
    guard same < min(old.count, new.count) else { return matches }
    var unmatched: [UInt64: [Int]] = [:]
    for index in (same..<new.count).reversed() { unmatched[new[index], default: []].append(index) }
    for index in same..<old.count {
      if let match = unmatched[old[index]]?.popLast() { matches[index] = Int32(truncatingIfNeeded: match) }
    }
    return matches
  }
}
