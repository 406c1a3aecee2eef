import Buffers

/// A part of a line of text that has a meaning of its own, such as a link, a mention or an attachment. Offsets are in UTF-16 units
/// of the text as drawn, lengths in points.
public struct TextSpan: BitwiseCopyable, Sendable {
  /// The index of the range that it belongs to.
  public let range: Int
  /// The offsets of its first unit and after its last.
  public var start, end: Int32
  /// The distance from the left end of the line.
  public var x: Double
  public var width: Double
  /// The attachment that it is, or nil for text.
  public var attachment: PlacedAttachment?

  /// Cuts it to a line of a width that begins at an offset.
  fileprivate mutating func clip(to length: Double, at offset: Double) {
    let (left, right) = (max(0, x - offset), min(length, x + width - offset))
    (x, width) = (left, right - left)
  }
}

/// Ranges of a text whose parts are found line by line.
public struct SpanRanges {
  /// The offsets of runs in the text as drawn, in ascending order, without those that end before the line that was searched last.
  fileprivate(set) var remaining: ArraySlice<Range<Int32>>
  /// The embedding level of each unit of the text.
  fileprivate let levels: [UInt8]
}

extension TextMeasurer {
  /// Returns ranges to find in the lines of a text.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - ranges: the offsets of runs in the text as drawn, in ascending order.
  public mutating func spanRanges(of number: Int, _ ranges: [Range<Int32>]) -> SpanRanges {
    let levels = ranges.isEmpty ? [] : itemizer.bidi.shownLevels(of: store.prepared.texts[number], store.prepared)
    return SpanRanges(remaining: ranges[...], levels: levels)
  }

  /// Appends the parts of a line that belong to ranges of a text, one range after the other. A range has several parts where it has
  /// text in both directions.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - line: a line of the text, as `appendLines` returned it, which comes after those that were searched.
  ///   - searched: the ranges of the text.
  ///   - textScale: the factor of the measurement.
  ///   - stretch: the length by which each space of a justified line is wider, in points.
  public mutating func appendSpans(
    of number: Int, _ line: TextLine, _ searched: inout SpanRanges, textScale: Double, stretch: Double = 0,
    to spans: inout FlatBuffer<TextSpan>
  ) {
    searched.remaining = searched.remaining.drop { $0.upperBound <= line.start }
    let ranges = searched.remaining.prefix { $0.lowerBound < line.end }
    guard !ranges.isEmpty else { return }
    let text = store.prepared.texts[number]
    var drawing = drawing(of: line, text, textScale: textScale)
    drawing.stretch = stretch
    let truncation = line.traits.contains(.ellipsis) ? truncationRun(number, textScale) : nil
    let runs = directionalRuns(drawing, searched.levels, followedBy: truncation)
    let ends = drawing.ends(of: runs)
    let firstSpan = spans.count
    for number in ranges.indices {
      let range = ranges[number]
      // The right end of the range's part before.
      var edge: Double?
      for (index, run) in runs.enumerated() {
        let units = run.units.clamped(to: Int(range.lowerBound)..<Int(range.upperBound))
        guard !units.isEmpty, let (left, right) = run.ends(of: units) else { continue }
        let start = index > 0 ? ends[index - 1] : 0
        let (x, end) = (start + left, run.isTab ? ends[index] : start + right)
        let (first, last) = (Int32(units.lowerBound), Int32(units.upperBound))
        if edge == x {
          let span = spans.base + spans.count - 1
          span.pointee.start = min(span.pointee.start, first)
          span.pointee.end = max(span.pointee.end, last)
          span.pointee.width = end - span.pointee.x
        } else {
          spans.append(
            TextSpan(range: number, start: first, end: last, x: x, width: end - x, attachment: run.attachment))
        }
        edge = end
      }
    }
    guard truncation == nil, let end = ends.last else { return }
    let width = line.width + stretch * Double(spaceCount(of: number, line))
    if drawing.hasAdvancesOfAndroid {
      // A line loses half of the letter spacing at each end.
      for span in firstSpan..<spans.count { spans.base[span].clip(to: width, at: (end - width) / 2) }
    } else if let factor = GlyphLine.factor(from: end, to: width, endTrim: endTrim(of: drawing)) {
      for span in firstSpan..<spans.count {
        spans.base[span].x *= factor
        if spans[span].attachment == nil { spans.base[span].width *= factor }
      }
    }
  }

  /// Returns the length by which the mark at the end of a line can be narrower, in points.
  func endTrim(of line: LineDrawing) -> Double {
    (store.endTrim(at: line.range.upperBound - 1, line.text) ?? 0) * line.textScale
  }
}
