import Buffers

extension TextStore {
  /// Returns whether a unit follows the newline that ends a paragraph.
  fileprivate func endsParagraph(before unit: Int, _ text: PreparedText) -> Bool {
    unit > 0 && prepared.units[text.unitStart + unit - 1] == 0x0a
  }
}

extension TextMeasurer {
  /// Appends the lines of the last measurement, which was of this text while `recordsLines` was set.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - textScale: the factor of the measurement.
  ///   - room: the width in points in which the text was cut, so that its last line ends with the truncation string; nil for
  ///     a text that was not cut.
  public mutating func appendLines(
    of number: Int, textScale: Double, truncatedTo room: Double?, to lines: inout FlatBuffer<TextLine>
  ) {
    if store.prepared.texts.base[number].options.platform.isBrowser {
      appendFilledLines(of: number, textScale: textScale, truncatedTo: room, to: &lines)
    } else {
      appendPlatformLines(of: number, to: &lines)
    }
  }

  /// Appends the lines of a platform that shapes texts as a whole.
  private func appendPlatformLines(of number: Int, to lines: inout FlatBuffer<TextLine>) {
    var top = 0.0
    let isRightToLeft = store.prepared.texts.base[number].options.baseDirection == .rtl
    for line in platformLines {
      var traits: TextLine.Traits = line.showsEllipsis ? .ellipsis : []
      if line.isRightToLeft || isRightToLeft { traits.insert(.rightToLeft) }
      lines.append(
        TextLine(
          start: line.start, end: line.shownEnd, width: line.width, top: top, height: line.above + line.below,
          baseline: top + line.above, traits: traits))
      top += line.above + line.below
    }
  }

  /// Appends the lines that a browser fills.
  private mutating func appendFilledLines(
    of number: Int, textScale: Double, truncatedTo room: Double?, to lines: inout FlatBuffer<TextLine>
  ) {
    // The text is not copied, because its options are large.
    let text = store.prepared.texts.base + number
    let hasDirections =
      text.pointee.traits.contains(.bidirectional)
      && itemizer.bidi.levels(of: text.pointee, store.prepared, base: text.pointee.options.shownDirection) != nil
    let paragraphs = text.pointee.options.paragraphs
    let segments = text.pointee.segments
    // A collapsing space at the start of a text is not shown.
    var start = segments.count > 0 ? Int(store.prepared.segments[segments.first].start) : 0
    var top = 0.0
    let count = lineEnds.count
    for index in 0..<count {
      let filled = lineEnds[index]
      let next = max(start, Int(filled.unit))
      let end = store.shownEnd(of: start..<next, text.pointee)
      let isFirst = index == 0 || store.endsParagraph(before: start, text.pointee)
      let gap = isFirst && index > 0 ? paragraphs.gap : 0
      top += Double(filled.exclusion.space)
      let baseline = top + filled.above + gap
      top += gap
      var line = TextLine(
        start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end), width: filled.width, top: top,
        height: filled.above + filled.below, baseline: baseline, traits: [],
        x: Float(paragraphs.indent(isFirst: isFirst)), exclusion: filled.exclusion)
      if hasDirections && itemizer.bidi.isRightToLeft(paragraphAt: min(start, text.pointee.unitCount - 1)) {
        line.traits.insert(.rightToLeft)
      }
      if index < count - 1 {
        if filled.isHyphenated { line.traits.insert(.hyphen) }
      } else if let room {
        truncate(&line, number, textScale, room: room)
      }
      lines.append(line)
      top += line.height + text.pointee.options.lineSpacing
      start = next
    }
  }

  /// Removes clusters from the end of a line until the truncation string fits behind it.
  private mutating func truncate(_ line: inout TextLine, _ number: Int, _ textScale: Double, room: Double) {
    let truncation = truncationWidth(of: number) * textScale
    let text = store.prepared.texts.base + number
    let end = text.pointee.options.paragraphs.end(in: room)
    let kept = lineFiller.beginning(
      of: line.start..<line.end, text, textScale: textScale,
      room: end - Double(line.x) - line.exclusion.width - truncation,
      tabOrigin: text.pointee.tabOrigin(indent: Double(line.x), line.exclusion), &store)
    line.end = kept.end
    line.width = kept.width + truncation
    line.traits.insert(.ellipsis)
  }
}
