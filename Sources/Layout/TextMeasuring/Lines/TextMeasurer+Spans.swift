import Buffers

/// A part of a line of text that has a meaning of its own, such as a link, a mention or an attachment. Offsets are in UTF-16 units
/// of the text as drawn, lengths in points.
public struct TextSpan: BitwiseCopyable, Sendable {
  /// The offsets of its first unit and after its last.
  public var start, end: Int32
  /// The distance from the left end of the line.
  public var x: Double
  public var width: Double
  /// The distance of the upper edge of an attachment above the baseline, and its height; nil for text.
  public var attachment: (above: Double, height: Double)?
}

extension TextMeasurer {
  /// Appends the parts of a line that belong to a range of a text. There are several where the range has text in both directions.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - line: a line of the text, as `appendLines` returned it.
  ///   - range: the offsets of the range in the text as drawn.
  ///   - textScale: the factor of the measurement.
  ///   - stretch: the length by which each space of a justified line is wider, in points.
  public mutating func appendSpans(
    of number: Int, _ line: TextLine, _ range: Range<Int32>, textScale: Double, stretch: Double = 0,
    to spans: inout FlatBuffer<TextSpan>
  ) {
    let (start, end) = (max(line.start, range.lowerBound), min(line.end, range.upperBound))
    guard start < end else { return }
    let text = store.prepared.texts[number]
    var drawing = LineDrawing(text, line, textScale: textScale)
    drawing.stretch = stretch
    let firstSpan = spans.count
    let last = line.traits.contains(.ellipsis) ? truncationRun(number, textScale) : nil
    let runs = directionalRuns(
      drawing, itemizer.bidi.shownLevels(of: text, store.prepared), hyphen: line.traits.contains(.hyphen),
      followedBy: last, cutAt: [Int(start), Int(end)])
    var (x, previous) = (0.0, -1)
    for (index, run) in runs.enumerated() {
      let next = drawing.end(of: run, from: x)
      defer { x = next }
      guard run.units.lowerBound >= Int(start), run.units.upperBound <= Int(end), !run.units.isEmpty else { continue }
      let (first, last) = (Int32(run.units.lowerBound), Int32(run.units.upperBound))
      if previous == index - 1, spans.count > firstSpan {
        spans.base[spans.count - 1].start = min(spans[spans.count - 1].start, first)
        spans.base[spans.count - 1].end = max(spans[spans.count - 1].end, last)
        spans.base[spans.count - 1].width = next - spans[spans.count - 1].x
      } else {
        spans.append(TextSpan(start: first, end: last, x: x, width: next - x))
        spans.base[spans.count - 1].attachment = attachment(at: first, text, textScale)
      }
      previous = index
    }
    // The line is set narrower where punctuation is.
    guard last == nil, stretch == 0, let factor = GlyphLine.factor(from: x, to: line.width) else { return }
    for span in firstSpan..<spans.count {
      spans.base[span].x *= factor
      spans.base[span].width *= factor
    }
  }

  /// Returns the position of the attachment at a unit of a text, or nil for a character.
  private func attachment(at unit: Int32, _ text: PreparedText, _ textScale: Double) -> (above: Double, height: Double)?
  {
    let style = store.prepared.items[store.itemIndex(at: unit, text)].style
    return style.attachment.map {
      (Double($0.height + style.baselineOffset) * textScale, Double($0.height) * textScale)
    }
  }
}
