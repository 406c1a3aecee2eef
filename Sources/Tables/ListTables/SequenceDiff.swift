import Buffers

/// The difference between the orders of two sequences whose elements are matched one to one.
///
/// If there are several longest common subsequences, it is the one that Texture finds (layout-semantics 8): it goes
/// through both sequences from their ends, and drops an element of the new one as long as what is left has as many
/// elements in common. The cost is O(n log n).
struct SequenceDiff {
  /// The index of an element that the other sequence lacks.
  static let none: Int32 = -1

  /// What happens to an element of the old sequence.
  enum Step: Equatable {
    case removed
    /// The element has another index in the new sequence, whether it is in the common subsequence or not.
    case moved
    /// The element is in the common subsequence and keeps its index.
    case kept
    /// The element keeps its index, but is not in the common subsequence: it is removed and inserted again.
    case reinserted
  }

  /// The index in the new sequence of each element of the old one, or `none`.
  let newIndices: [Int32]
  /// Whether each element of the old sequence is in the longest common subsequence.
  let isCommon: [Bool]

  init(newIndices: [Int32]) {
    self.newIndices = newIndices
    isCommon = Self.longestCommonSubsequence(newIndices)
  }

  func step(of oldIndex: Int) -> Step {
    let newIndex = newIndices[oldIndex]
    if newIndex == Self.none { return .removed }
    if Int(newIndex) != oldIndex { return .moved }
    return isCommon[oldIndex] ? .kept : .reinserted
  }

  /// Finds the lengths of common subsequences by patience sorting, element by element, and then goes back through the
  /// elements while it undoes each step, so that the lengths for every beginning of the old sequence are known.
  private static func longestCommonSubsequence(_ newIndices: [Int32]) -> [Bool] {
    // The least new index with which a common subsequence of each length ends; that of length 1 comes first.
    var ends: [Int32] = []
    // The index in `ends` that each old element changed, and the value that it replaced, or `none` if it was added.
    var changes = [(index: Int32, replaced: Int32)](repeating: (0, none), count: newIndices.count)
    for (old, new) in newIndices.enumerated() where new != none {
      if let last = ends.last, last > new {
        let index = partitionPoint(ends.count) { ends[$0] < new }
        changes[old] = (Int32(index), ends[index])
        ends[index] = new
      } else {
        ends.append(new)
      }
    }
    var isCommon = [Bool](repeating: false, count: newIndices.count)
    // The number of elements in common that are left to be found.
    var left = ends.count
    for old in newIndices.indices.reversed() where left > 0 && newIndices[old] != none {
      if newIndices[old] == ends[left - 1] {
        isCommon[old] = true
        left -= 1
      }
      let change = changes[old]
      if change.replaced == none { ends.removeLast() } else { ends[Int(change.index)] = change.replaced }
    }
    return isCommon
  }
}
