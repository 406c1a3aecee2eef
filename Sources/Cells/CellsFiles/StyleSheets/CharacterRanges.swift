/// Ranges of characters as CSS has them in `unicode-range`.
enum CharacterRanges {
  /// The most ranges of a face. More make a style sheet long, and spare a browser few files.
  static let maxCount = 40

  /// Returns at most `maxCount` ranges that have all of the characters. They also have those in the narrowest gaps
  /// between them, which the face lacks, so that a browser looks for them in the next one.
  ///
  /// - Parameter characters: The characters in ascending order.
  static func merged(_ characters: [UInt32]) -> [ClosedRange<UInt32>] {
    let exact = ranges(characters)
    guard exact.count > maxCount else { return exact }
    let gaps = zip(exact, exact.dropFirst()).map { $1.lowerBound - $0.upperBound }.sorted(by: >)
    // The ranges are parted at the widest gaps.
    let widest = gaps[maxCount - 2]
    var parted = maxCount - 1 - gaps.count { $0 > widest }
    var merged: [ClosedRange<UInt32>] = []
    for range in exact {
      guard let last = merged.last else {
        merged.append(range)
        continue
      }
      let gap = range.lowerBound - last.upperBound
      if gap == widest && parted > 0 {
        parted -= 1
        merged.append(range)
      } else if gap > widest {
        merged.append(range)
      } else {
        merged[merged.count - 1] = last.lowerBound...range.upperBound
      }
    }
    return merged
  }

  private static func ranges(_ characters: [UInt32]) -> [ClosedRange<UInt32>] {
    var ranges: [ClosedRange<UInt32>] = []
    for character in characters {
      if let last = ranges.last, last.upperBound + 1 == character {
        ranges[ranges.count - 1] = last.lowerBound...character
      } else {
        ranges.append(character...character)
      }
    }
    return ranges
  }

  /// Returns a range as CSS has it: `U+20-7E`.
  static func css(_ range: ClosedRange<UInt32>) -> String {
    let (first, last) = (hexadecimal(range.lowerBound), hexadecimal(range.upperBound))
    return first == last ? "U+\(first)" : "U+\(first)-\(last)"
  }

  private static func hexadecimal(_ character: UInt32) -> String { String(character, radix: 16, uppercase: true) }
}
