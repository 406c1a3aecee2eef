import Buffers
import LayoutEngine

/// The measuring of texts whose lines are balanced or end well (CSS `text-wrap`, text-rules 55).
extension TextMeasurer {
  /// Measures a text. Its lines are as many as those as full as possible, so that it has their margins if all lines have one height.
  @inline(never)
  mutating func measureWrapped(
    _ text: Int, _ textScale: Double, _ maxWidth: Double, _ maxHeight: Double
  ) -> TextMeasurement {
    let records = lineFiller.recordsLines
    lineFiller.recordsLines = true
    defer { lineFiller.recordsLines = records }
    let greedy = lineFiller.fill(
      store.prepared.texts.base + text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight, &store)
    let state = greedy.isCut ? greedy : chosenLines(of: text, greedy, textScale, maxWidth, maxHeight)
    var measured = measurement(of: text, state, textScale, maxWidth)
    measured.margins = greedy.isCut || hasEvenLines(store.prepared.texts[text]) ? greedy.margins : nil
    return measured
  }

  /// Fills the lines of a text that are chosen instead of those as full as possible, which were recorded. Returns the state
  /// after the last of them.
  private mutating func chosenLines(
    of text: Int, _ greedy: LineFillingState, _ textScale: Double, _ maxWidth: Double, _ maxHeight: Double
  ) -> LineFillingState {
    let wrap = store.prepared.texts.base[text].options.css.textWrap
    let lines = Array(lineEnds)
    // A line that is wider than the box ends where it does.
    guard lines.count > 1, lines.allSatisfy({ $0.width <= greedy.limit }) else { return greedy }
    let paragraphs = self.paragraphs(of: text, lines)
    var chosen: [ChosenLine] = []
    // Where lines end inside words, there is nothing to choose, but the width can be smaller.
    for (number, paragraph) in paragraphs.enumerated() where !greedy.breaksWords {
      // Chromium balances the first paragraph of a block. Those with indents or spaces are blocks of their own.
      guard wrap == .pretty || number == 0 || greedy.placesLines else { break }
      chosen += chooseLines(of: paragraph, greedy, wrap, maxWidth)
    }
    if chosen.isEmpty {
      guard wrap == .balance && paragraphs.count == 1 && lines.count <= LineOptimizer.maxBalancedLines,
        greedy.breaksWords || !paragraphs[0].ends.contains(nil)
      else { return greedy }
      let width = balancedWidth(text, lines, textScale, maxWidth)
      return lineFiller.fill(
        store.prepared.texts.base + text, textScale: textScale, maxWidth: width, maxHeight: maxHeight, &store)
    }
    return lineFiller.fill(
      store.prepared.texts.base + text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight,
      chosen: chosen, &store)
  }

  /// A paragraph with its lines as full as possible.
  private struct FilledParagraph {
    /// The end of each line, or nil for a line that ends inside a word without a hyphen.
    var ends: [LinePlace?] = []
    var lines: [LineEnd] = []
    var first: LinePlace
  }

  private func paragraphs(of text: Int, _ lines: [LineEnd]) -> [FilledParagraph] {
    let prepared = store.prepared.texts[text]
    let segments = store.prepared.segments.base
    let (first, end) = (prepared.segments.first, prepared.segments.first + prepared.segments.count)
    var found: [FilledParagraph] = []
    var paragraph = FilledParagraph(first: LinePlace(segment: first, unit: segments[first].start))
    for line in lines {
      let index = store.segmentIndex(at: line.unit, prepared)
      let isWhole =
        index == end
        ? line.unit == prepared.unitCount
        : segments[index].start == line.unit && !segments[index].traits.contains(.continues)
      let place = LinePlace(segment: isWhole ? index : index - 1, unit: line.unit)
      paragraph.ends.append(isWhole || line.isHyphenated ? place : nil)
      paragraph.lines.append(line)
      if isWhole && index < end && segments[max(index - 1, first)].traits.contains(.endsLine) {
        found.append(paragraph)
        paragraph = FilledParagraph(first: place)
      }
    }
    return found + [paragraph]
  }

  /// Returns the lines of a paragraph that are chosen instead of those as full as possible; none if these stay.
  private mutating func chooseLines(
    of paragraph: FilledParagraph, _ greedy: LineFillingState, _ wrap: TextWrap, _ maxWidth: Double
  ) -> [ChosenLine] {
    let count = paragraph.ends.count
    let isBalanced = wrap == .balance
    let most = isBalanced ? LineOptimizer.maxBalancedLines : LineOptimizer.maxPrettyLines
    guard count > 1, !isBalanced || count <= most else { return [] }
    let changed = min(count, most)
    let ends = paragraph.ends.suffix(changed)
    guard ends.allSatisfy({ $0 != nil }), let last = paragraph.ends[count - 1] else { return [] }
    guard let first = count > changed ? paragraph.ends[count - changed - 1] : paragraph.first else { return [] }
    let segments = store.prepared.segments.values[paragraph.first.segment..<last.segment]
    guard !segments.contains(where: { $0.traits.contains(.tab) }) else { return [] }
    let indents = greedy.text.options.paragraphs
    let limit = greedy.limit - indents.indent(isFirst: false)
    let firstLimit = count > changed ? limit : greedy.limit - indents.indent(isFirst: true)
    guard isBalanced || endsPoorly(paragraph, room: limit - 1 / LinePen.fraction) else { return [] }
    let room = Float((maxWidth * LinePen.fraction).rounded(.down) / LinePen.fraction - indents.indent(isFirst: false))
    let parameters = BreakCandidates.Parameters(
      isBalanced: isBalanced, firstLimit: Float(firstLimit), limit: Float(limit),
      linePenalty: room * fontSize(of: greedy.text) * Float(greedy.textScale) * 4)
    optimizer.lineEnds.removeAll()
    let firstWidth = findHyphens(from: first, to: last, full: ends.compactMap { $0?.unit }, greedy)
    guard optimizer.choose(changed, from: first, firstWidth: firstWidth, to: last, parameters, greedy, store) else {
      return []
    }
    var start = first
    return optimizer.lineEnds.values.map { end in
      defer { start = end }
      return ChosenLine(start: start, end: end)
    }
  }

  /// Finds the places at which words can be hyphenated, and returns the width in points of what is left of the first segment.
  ///
  /// - Parameter full: the ends of the lines as full as possible. As in Chromium, both parts of a word that such a line divides are
  ///   words of their own.
  private mutating func findHyphens(
    from first: LinePlace, to last: LinePlace, full: [Int32], _ greedy: LineFillingState
  ) -> Double {
    optimizer.hyphens.removeAll()
    var state = greedy
    var firstWidth = 0.0
    var index = first.segment
    while index < last.segment {
      let word = index
      while store.prepared.segments[index].traits.contains(.isContinued) { index += 1 }
      let start = max(store.prepared.segments[word].start, first.unit)
      let end = store.prepared.segments[index].spaceStart
      if word == first.segment {
        let segment = store.prepared.segments[word]
        firstWidth =
          start > segment.start
          ? lineFiller.width(from: start, to: segment.spaceStart, &state, &store)
          : segment.advance * greedy.textScale + segment.advanceSpacing
      }
      if greedy.hyphenates {
        var part = start
        for partEnd in full.filter({ $0 > start && $0 < end }) + [end] {
          lineFiller.hyphenation.findPlaces(part..<partEnd, startsLine: true, greedy.text, store)
          for place in Array(lineFiller.hyphenation.places.values) + (partEnd < end ? [partEnd] : []) {
            optimizer.hyphens.append(
              .init(
                place: LinePlace(segment: word, unit: place),
                width: lineFiller.width(from: start, to: place, &state, &store),
                hyphen: store.hyphenWidth(before: place, greedy)))
          }
          part = partEnd
        }
      }
      index += 1
    }
    return firstWidth
  }

  /// Returns the size of the font of a text's first run, in points at text scale 1.
  private func fontSize(of text: PreparedText) -> Float {
    text.items.count > 0 ? Float(store.prepared.items[text.items.first].style.size) : 0
  }

  /// Returns whether `pretty` looks for other lines: the last line is a single word that is shorter than a third of a line, or
  /// the two lines before it end with hyphens.
  private func endsPoorly(_ paragraph: FilledParagraph, room: Double) -> Bool {
    let count = paragraph.ends.count
    if count > 2 && paragraph.lines[count - 2].isHyphenated && paragraph.lines[count - 3].isHyphenated { return true }
    guard paragraph.lines[count - 1].width < (room / 3 * LinePen.fraction).rounded(.down) / LinePen.fraction,
      let start = paragraph.ends[count - 2], let end = paragraph.ends[count - 1]
    else { return false }
    return !(start.segment + 1..<max(end.segment, start.segment + 1)).contains {
      !store.prepared.segments[$0].traits.contains(.continues)
    }
  }

  /// Returns the narrowest width in which a text has as many lines, to a point, as bisection from 80 % of the mean width finds
  /// it. Chromium: `ParagraphLineBreaker`.
  private mutating func balancedWidth(
    _ text: Int, _ lines: [LineEnd], _ textScale: Double, _ maxWidth: Double
  ) -> Double {
    // Widths in 1/64 point.
    var upper = Int((maxWidth * LinePen.fraction).rounded(.down))
    let sum = lines.reduce(0) { $0 + Int(($1.width * LinePen.fraction).rounded(.up)) }
    var lower = Int((Double(sum / lines.count) * 0.8).rounded())
    while lower + Int(LinePen.fraction) < upper {
      let middle = (upper + lower) / 2
      let state = lineFiller.fill(
        store.prepared.texts.base + text, textScale: textScale, maxWidth: Double(middle) / LinePen.fraction,
        maxHeight: .infinity, &store)
      if state.lines.count <= lines.count && !state.isCut { upper = middle } else { lower = middle }
    }
    return Double(upper) / LinePen.fraction
  }
}
