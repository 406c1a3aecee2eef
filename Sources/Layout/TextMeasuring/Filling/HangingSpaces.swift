import Buffers

/// The spaces that hang at the end of a line: they belong to the line, but neither count for its width nor are drawn
/// (text-rules 9).
///
/// This enumeration alone decides where they start, when a text is cut into segments. A segment ends with its hanging spaces,
/// and a line with those of its last segments.
enum HangingSpaces {
  /// Returns whether a unit is a space, tab or newline, which hang at the end of every line.
  @inline(__always)
  static func isBlank(_ unit: UInt16) -> Bool { unit == 0x20 || unit == 0x09 || unit == 0x0a }

  /// Returns whether a byte of plain ASCII text, which has no tabs, is a space or newline.
  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a }

  /// Returns the index of the first hanging space of a segment, or `end` if it has none.
  ///
  /// Ideographic spaces hang after text, and if white space is preserved also after spaces. If it collapses, they hang after spaces
  /// that they do not `followText` with; elsewhere they are part of the text.
  static func start(
    ofSegment start: Int, _ end: Int, _ units: UnsafePointer<UInt16>, _ text: PreparedText
  ) -> Int {
    var index = end
    if text.rules.traits.contains(.hangsIdeographicSpacesBeforeNewlines)
      || (text.rules.traits.contains(.hangsIdeographicSpaces) && units[end - 1] != 0x0a)
    {
      while index > start && hangs(units[index - 1]) { index -= 1 }
      let isPreserved = text.options.whiteSpace == .preserve
      if index > start || (isPreserved && start > 0 && units[start - 1] == 0x20) { return index }
      index = end
    }
    while index > start && isBlank(units[index - 1]) { index -= 1 }
    return index
  }

  /// Returns whether text of the same style and direction precedes ideographic spaces and the spaces before them.
  ///
  /// - Parameters:
  ///   - start: the first ideographic space.
  ///   - item: the index of its item.
  static func followText(
    _ start: Int, item: Int, _ units: UnsafePointer<UInt16>, _ text: PreparedText, _ prepared: borrowing PreparedTexts
  ) -> Bool {
    var first = item
    while !prepared.items[first].startsInline && first > text.items.first { first -= 1 }
    let itemStart = Int(prepared.items[first].start)
    var index = start
    while index > itemStart && hangs(units[index - 1]) { index -= 1 }
    return index > itemStart
  }

  /// Returns whether text of the same style and direction follows ideographic spaces and the spaces after them.
  ///
  /// - Parameters:
  ///   - end: the end of the spaces.
  ///   - item: the index of the item of the first one.
  static func precedeText(_ end: Int, item: Int, _ text: PreparedText, _ prepared: borrowing PreparedTexts) -> Bool {
    var last = item
    while prepared.items[last].end <= end && last + 1 < text.items.first + text.items.count {
      last += 1
      if prepared.items[last].startsInline { return false }
    }
    return true
  }

  /// Returns whether a unit is a blank or an ideographic space.
  @inline(__always)
  static func hangs(_ unit: UInt16) -> Bool { isBlank(unit) || unit == ideographicSpace }

  static let ideographicSpace: UInt16 = 0x3000
}

extension TextStore {
  /// Returns the end of the units of a line that are drawn: the start of the spaces that hang at its end.
  ///
  /// - Parameter line: a range of units of the text.
  func shownEnd(of line: Range<Int>, _ text: PreparedText) -> Int {
    var index = segmentIndex(at: Int32(truncatingIfNeeded: line.upperBound), text) - 1
    while index >= text.segments.first {
      let segment = prepared.segments[index]
      if segment.traits.contains(.tab) || segment.isBlank {
        // The spaces of the segment before it hang too.
        if Int(segment.start) <= line.lowerBound { return line.lowerBound }
        index -= 1
      } else {
        return max(line.lowerBound, min(line.upperBound, Int(segment.spaceStart)))
      }
    }
    return line.lowerBound
  }

  /// Returns the index of the first segment of a text that starts at a unit or after it.
  func segmentIndex(at unit: Int32, _ text: PreparedText) -> Int {
    let segments = prepared.segments.base + text.segments.first
    return text.segments.first + partitionPoint(text.segments.count) { segments[$0].start < unit }
  }
}
