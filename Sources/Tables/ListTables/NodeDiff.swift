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

/// The difference between the nodes of a row in two tables, as ASLayoutTransition computes it (layout-semantics 8).
enum NodeDiff {
  /// Returns the removed nodes by their old indices, then the others by their new indices.
  ///
  /// - Parameters:
  ///   - order: The difference between the orders of the nodes.
  ///   - isRedrawn: Whether an old and a new node, given by their indices, have texts that are drawn in different ways.
  static func changes(
    _ old: [NodeFrame], _ new: [NodeFrame], _ order: SequenceDiff, isRedrawn: (Int, Int) -> Bool = { _, _ in false }
  ) -> [NodeChange] {
    var changes: [NodeChange] = []
    var oldIndices = [Int?](repeating: nil, count: new.count)
    for (index, frame) in old.enumerated() {
      switch order.step(of: index) {
      case .kept, .moved: oldIndices[Int(order.newIndices[index])] = index
      case .removed, .reinserted:
        changes.append(
          NodeChange(node: frame.node, kind: .removed, oldIndex: index, newIndex: nil, old: frame, new: nil))
      }
    }
    for (index, frame) in new.enumerated() {
      guard let oldIndex = oldIndices[index] else {
        changes.append(
          NodeChange(node: frame.node, kind: .inserted, oldIndex: nil, newIndex: index, old: nil, new: frame))
        continue
      }
      let ofFrame = kind(old[oldIndex], frame, hasOtherIndex: oldIndex != index)
      guard let kind = ofFrame ?? (isRedrawn(oldIndex, index) ? .redrawn : nil) else { continue }
      changes.append(
        NodeChange(node: frame.node, kind: kind, oldIndex: oldIndex, newIndex: index, old: old[oldIndex], new: frame))
    }
    return changes
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
  static func matches(_ old: [UInt64], _ new: [UInt64]) -> [Int32] {
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
