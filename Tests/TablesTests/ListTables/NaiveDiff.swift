/// Array diffing as Texture's source does it, in quadratic time, to compare the product with (layout-semantics 8).
enum NaiveDiff {
  /// Returns the old indices of the longest common subsequence.
  static func commonIndexes<Element: Equatable>(_ old: [Element], _ new: [Element]) -> [Int] {
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
    for i in old.indices {
      for j in new.indices {
        lengths[i + 1][j + 1] = old[i] == new[j] ? lengths[i][j] + 1 : max(lengths[i][j + 1], lengths[i + 1][j])
      }
    }
    var common: [Int] = []
    var (i, j) = (old.count, new.count)
    while i > 0 && j > 0 {
      if old[i - 1] == new[j - 1] {
        common.append(i - 1)
        i -= 1
        j -= 1
      } else if lengths[i - 1][j] > lengths[i][j - 1] {
        i -= 1
      } else {
        j -= 1
      }
    }
    return common.reversed()
  }

  /// Returns each element with the number of equal ones before it, so that all are different.
  static func numbered<Element: Hashable>(_ elements: [Element]) -> [Numbered<Element>] {
    var counts: [Element: Int] = [:]
    return elements.map { element in
      defer { counts[element, default: 0] += 1 }
      return Numbered(element: element, number: counts[element, default: 0])
    }
  }

  struct Numbered<Element: Hashable>: Hashable {
    let element: Element
    let number: Int
  }

  /// The insertions, deletions and moves between arrays without equal elements. A move cancels its deletion and its
  /// insertion.
  struct Moves: Equatable {
    var insertions: [Int]
    var deletions: [Int]
    var moves: [[Int]]

    init<Element: Hashable>(_ old: [Element], _ new: [Element]) {
      let common = NaiveDiff.commonIndexes(old, new)
      let commonElements = common.map { old[$0] }
      moves = new.indices.compactMap { to in
        old.firstIndex(of: new[to]).flatMap { from in from == to ? nil : [from, to] }
      }
      let moved = moves
      deletions = old.indices.filter { index in !common.contains(index) && !moved.contains { $0[0] == index } }
      insertions = new.indices.filter { index in
        !commonElements.contains(new[index]) && !moved.contains { $0[1] == index }
      }
    }
  }
}
