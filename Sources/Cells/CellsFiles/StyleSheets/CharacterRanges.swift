/// Ranges of characters as CSS has them in `unicode-range`.
enum CharacterRanges {
  /// The most ranges of a face. More make a style sheet long, and spare a browser few files.
  static let maxCount = 40

  /// Returns at most `maxCount` ranges that have all of the characters. They also have those in the narrowest gaps
  /// between them, which the face lacks, so that a browser looks for them in the next one.
  ///
  /// - Parameter characters: The characters in ascending order.
  static func merged(_ characters: [UInt32]) -> [ClosedRange<UInt32>] {
    let exact = RangeSet(characters.map { $0..<$0 + 1 }).ranges
    guard !exact.isEmpty else { return [] }
    let gaps = exact.indices.dropFirst().map { (next: $0, width: exact[$0].lowerBound - exact[$0 - 1].upperBound) }
    // The ranges are parted at the widest gaps, and of equal ones at the first.
    let parting = gaps.sorted { ($1.width, $0.next) < ($0.width, $1.next) }.prefix(maxCount - 1).map(\.next).sorted()
    return zip([0] + parting, parting + [exact.count]).map { first, end in
      exact[first].lowerBound...exact[end - 1].upperBound - 1
    }
  }

  /// Returns a range as CSS has it: `U+20-7E`.
  static func css(_ range: ClosedRange<UInt32>) -> String {
    let (first, last) = (hexadecimal(range.lowerBound), hexadecimal(range.upperBound))
    return first == last ? "U+\(first)" : "U+\(first)-\(last)"
  }

  private static func hexadecimal(_ character: UInt32) -> String { String(character, radix: 16, uppercase: true) }
}
