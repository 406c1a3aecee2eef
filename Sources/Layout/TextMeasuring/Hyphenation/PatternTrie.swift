import Buffers

/// Patterns such as `.ach4` as a tree of their characters, in which `.` is an end of a word.
///
/// The digits of a pattern are values of the places between its characters. The largest value of a place decides, as in TeX (Liang,
/// "Word Hy-phen-a-tion by Com-put-er") and in Chromium.
struct PatternTrie: Sendable {
  /// The range of the values of each node, which are one more than its characters, or none if it is not a whole pattern.
  private var nodes = [0..<0]
  /// The nodes that are longer by one character than others, by `key`. A dictionary comes from outside, and a node can have a child for
  /// each character, so that these are not searched one by one.
  private var children: [UInt64: Int32] = [:]
  private var values: [UInt8] = []

  /// Adds a pattern, which replaces an equal one with other values.
  ///
  /// - Parameter places: the value of each place, one more than there are characters.
  mutating func insert(_ characters: [UInt16], _ places: [UInt8]) {
    var node = 0
    for unit in characters {
      if let known = child(of: node, unit) {
        node = known
      } else {
        children[Self.key(node, unit)] = Int32(truncatingIfNeeded: nodes.count)
        node = nodes.count
        nodes.append(0..<0)
      }
    }
    nodes[node] = values.count..<values.count + places.count
    values += places
  }

  /// Appends the numbers of letters of a word after which the value of the place is odd, in ascending order.
  ///
  /// - Parameter longestOnly: whether at each place only the longest text before it with which a pattern begins counts, and that only if
  ///   it is a whole pattern, as in libhyphen.
  func appendPoints(
    in word: UnsafeBufferPointer<UInt16>, longestOnly: Bool, to points: inout FlatBuffer<Int32>
  ) {
    // The word between its two ends.
    let count = word.count + 2
    let mark = UInt16(UInt8(ascii: "."))
    withUnsafeTemporaryAllocation(of: (value: UInt8, isKnown: Bool).self, capacity: count + 1) { found in
      found.initialize(repeating: (0, false))
      for start in 0..<count {
        var (node, end) = (0, start)
        while end < count {
          let unit = end == 0 || end == count - 1 ? mark : word[end - 1]
          guard let next = child(of: node, unit) else { break }
          node = next
          end += 1
          // The first text that ends at a place is the longest one.
          let isCounted = !longestOnly || !found[end].isKnown
          found[end].isKnown = true
          guard isCounted else { continue }
          for (place, value) in zip(start..., values[nodes[node]]) {
            found[place].value = max(found[place].value, value)
          }
        }
      }
      for point in 1..<max(word.count, 1) where found[point + 1].value & 1 == 1 {
        points.append(Int32(truncatingIfNeeded: point))
      }
    }
  }

  /// - Parameter unit: The last character of the child, in UTF-16.
  private static func key(_ node: Int, _ unit: UInt16) -> UInt64 { UInt64(node) << 16 | UInt64(unit) }

  private func child(of node: Int, _ unit: UInt16) -> Int? { children[Self.key(node, unit)].map(Int.init) }
}
