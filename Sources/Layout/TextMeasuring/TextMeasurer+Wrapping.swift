import Buffers
import LayoutEngine

/// The measuring of texts whose lines are balanced or end well (CSS `text-wrap`, text-rules 55).
extension TextMeasurer {
  /// Measures a text. Its lines are as many as those as full as possible, so that it has their margins.
  @inline(never)
  mutating func measureWrapped(
    _ text: Int, _ textScale: Double, _ maxWidth: Double, _ maxHeight: Double
  ) -> TextMeasurement {
    let records = lineFiller.recordsLines
    lineFiller.recordsLines = true
    defer { lineFiller.recordsLines = records }
    let greedy = lineFiller.fill(
      store.prepared.texts.base + text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight, &segmentCutter,
      &store)
    let state = greedy.isCut ? greedy : chosenLines(of: text, greedy, textScale, maxWidth, maxHeight)
    var measured = measurement(of: text, state, textScale, maxWidth)
    measured.margins = greedy.margins
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
    var chosen: [Range<Int>] = []
    for (number, paragraph) in paragraphs.enumerated() {
      // Chromium balances the first paragraph of a block. Those with indents or spaces are blocks of their own.
      guard wrap == .pretty || number == 0 || greedy.placesLines else { break }
      chosen += chooseLines(of: paragraph, greedy, wrap, maxWidth)
    }
    if chosen.isEmpty {
      guard wrap == .balance && paragraphs.count == 1 && lines.count <= LineOptimizer.maxBalancedLines,
        !paragraphs[0].ends.contains(nil)
      else { return greedy }
      let width = balancedWidth(text, lines, textScale, maxWidth)
      return lineFiller.fill(
        store.prepared.texts.base + text, textScale: textScale, maxWidth: width, maxHeight: maxHeight, &segmentCutter,
        &store)
    }
    return lineFiller.fill(
      store.prepared.texts.base + text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight,
      chosen: chosen, &segmentCutter, &store)
  }

  /// A paragraph with its lines as full as possible.
  private struct FilledParagraph {
    /// The index of the segment after each line, or nil for a line that ends inside a word.
    var ends: [Int?] = []
    var widths: [Double] = []
    var hyphens: [Bool] = []
    var first: Int
    var hasTabs = false
  }

  /// Returns whether a line can begin at a unit, which is not behind the start of a segment.
  private func startsSegment(_ unit: Int32, _ index: Int) -> Bool {
    let segment = store.prepared.segments[index]
    return segment.start == unit && !segment.traits.contains(.continues)
  }

  private func paragraphs(of text: Int, _ lines: [LineEnd]) -> [FilledParagraph] {
    let prepared = store.prepared.texts[text]
    let end = prepared.segments.first + prepared.segments.count
    var found = [FilledParagraph(first: prepared.segments.first)]
    for line in lines {
      let index = store.segmentIndex(at: line.unit, prepared)
      let isWhole = index == end || startsSegment(line.unit, index)
      found[found.count - 1].ends.append(isWhole ? index : nil)
      found[found.count - 1].widths.append(line.width)
      let last = store.prepared.segments[max(index - 1, prepared.segments.first)]
      found[found.count - 1].hyphens.append(isWhole && last.endTrim < 0)
      if isWhole && last.traits.contains(.endsLine) && index < end { found.append(FilledParagraph(first: index)) }
    }
    for number in found.indices {
      let last = number + 1 < found.count ? found[number + 1].first : end
      found[number].hasTabs = store.prepared.segments.values[found[number].first..<last].contains {
        $0.traits.contains(.tab)
      }
    }
    return found
  }

  /// Returns the lines of a paragraph that are chosen instead of those as full as possible; none if these stay.
  private mutating func chooseLines(
    of paragraph: FilledParagraph, _ greedy: LineFillingState, _ wrap: TextWrap, _ maxWidth: Double
  ) -> [Range<Int>] {
    let count = paragraph.ends.count
    let isBalanced = wrap == .balance
    let most = isBalanced ? LineOptimizer.maxBalancedLines : LineOptimizer.maxPrettyLines
    guard count > 1, !paragraph.hasTabs, !isBalanced || count <= most else { return [] }
    let changed = min(count, most)
    let ends = paragraph.ends.suffix(changed)
    guard ends.allSatisfy({ $0 != nil }), let last = paragraph.ends[count - 1] else { return [] }
    guard let first = count > changed ? paragraph.ends[count - changed - 1] : paragraph.first else { return [] }
    let indents = greedy.text.options.paragraphs
    let limit = greedy.limit - indents.indent(isFirst: false)
    let firstLimit = count > changed ? limit : greedy.limit - indents.indent(isFirst: true)
    guard isBalanced || endsPoorly(paragraph, room: limit - 1 / LinePen.fraction) else { return [] }
    let room = Float((maxWidth * LinePen.fraction).rounded(.down) / LinePen.fraction - indents.indent(isFirst: false))
    let parameters = LineOptimizer.Parameters(
      isBalanced: isBalanced, firstLimit: Float(firstLimit), limit: Float(limit),
      linePenalty: room * fontSize(of: greedy.text) * Float(greedy.textScale) * 4)
    optimizer.lineEnds.removeAll()
    guard optimizer.choose(changed, of: first..<last, parameters, greedy, store) else { return [] }
    var start = first
    return optimizer.lineEnds.values.map { end in
      defer { start = end }
      return start..<end
    }
  }

  /// Returns the size of the font of a text's first run, in points at text scale 1.
  private func fontSize(of text: PreparedText) -> Float {
    text.items.count > 0 ? Float(store.prepared.items[text.items.first].style.size) : 0
  }

  /// Returns whether `pretty` looks for other lines: the last line is a single word that is shorter than a third of a line, or
  /// the two lines before it end with hyphens.
  private func endsPoorly(_ paragraph: FilledParagraph, room: Double) -> Bool {
    let count = paragraph.ends.count
    if count > 2 && paragraph.hyphens[count - 2] && paragraph.hyphens[count - 3] { return true }
    guard let width = paragraph.widths.last, width < (room / 3 * LinePen.fraction).rounded(.down) / LinePen.fraction,
      let start = paragraph.ends[count - 2], let end = paragraph.ends[count - 1]
    else { return false }
    return !(start + 1..<max(end, start + 1)).contains { !store.prepared.segments[$0].traits.contains(.continues) }
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
        maxHeight: .infinity, &segmentCutter, &store)
      if state.lines.count <= lines.count { upper = middle } else { lower = middle }
    }
    return Double(upper) / LinePen.fraction
  }
}
