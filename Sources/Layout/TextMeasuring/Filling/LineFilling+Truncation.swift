import Buffers

/// The beginning of a line that stays before the truncation string (text-rules, "Texts that are cut").
extension LineFiller {
  /// Returns the end of the clusters of a line that fit in `room`, and their width, in points.
  ///
  /// - Parameters:
  ///   - line: the units of the line that are shown.
  ///   - tabOrigin: the distance of the line's start from that of its tab stops.
  mutating func beginning(
    of line: Range<Int32>, _ text: UnsafePointer<PreparedText>, textScale: Double, room: Double, tabOrigin: Double,
    _ store: inout TextStore
  ) -> (end: Int32, width: Double) {
    var (start, width) = Self.wholeSegments(of: line, text.pointee, textScale, room: room, store)
    let tabStops = TabStops(of: text.pointee, textScale: textScale)
    var followsTab = false
    while start < line.upperBound {
      let units = store.prepared.units.base + text.pointee.unitStart
      let tab = (start..<line.upperBound).first { units[Int($0)] == 0x09 } ?? line.upperBound
      if start < tab {
        // The truncation string follows any cluster, also where no hyphen can.
        var state = LineFillingState(
          text, textScale: textScale, maxWidth: room, maxHeight: .infinity, hyphenates: false)
        let count = clustersThatFit(&state, from: start, to: tab, room - width, &store)
        // At least one cluster is taken, whether it fits or not.
        guard count > 0 && width + state.pen.width <= room else { break }
        width += state.pen.width
        start = count < clusters.count ? clusters[count].start : tab
        guard start == tab else { break }
        followsTab = false
      }
      guard tab < line.upperBound else { break }
      let end = tabStops.next(after: width, origin: tabOrigin, followsTab: followsTab)
      guard end <= room else { break }
      (start, width, followsTab) = (tab + 1, end, true)
    }
    return (start, width)
  }

  /// Returns the end and the width of the segments at the start of a line that fit as a whole with the spaces after them.
  private static func wholeSegments(
    of line: Range<Int32>, _ text: PreparedText, _ textScale: Double, room: Double, _ store: borrowing TextStore
  ) -> (end: Int32, width: Double) {
    var result = (end: line.lowerBound, width: 0.0)
    let end = text.segments.first + text.segments.count
    var index = store.segmentIndex(at: line.lowerBound, text)
    // A line that starts inside a word is shaped from there.
    guard index < end, store.prepared.segments[index].start == line.lowerBound else { return result }
    while index < end {
      let segment = store.prepared.segments[index]
      guard segment.end <= line.upperBound, segment.traits.isEmpty else { break }
      let joining = result.width > 0 ? segment.joining * textScale : 0
      let next =
        result.width + joining + (segment.advance + segment.space) * textScale + segment.advanceSpacing
        + segment.spaceSpacing
      if next > room { break }
      result = (segment.end, next)
      index += 1
    }
    return result
  }
}
