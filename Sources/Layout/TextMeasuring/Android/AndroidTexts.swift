import Buffers

/// The lines of texts as a TextView of Android has them.
struct AndroidTexts: ~Copyable {
  private var shaping = AndroidShaping()
  private var breakFinder = AndroidBreaks()
  private var optimal = OptimalLineBreaker()
  private var advances = AndroidAdvances()
  private var fonts = AndroidFonts()
  /// The runs of the paragraph whose lines are chosen.
  private var runs = FlatBuffer<AndroidRun>(capacity: 8)
  private var breaks = FlatBuffer<AndroidBreak>(capacity: 32)
  /// The lines of the text that was measured last.
  private(set) var lines = FlatBuffer<PlatformLine>(capacity: 32)
  /// The cut of the text that was measured last, if its last line ends with the truncation text.
  private(set) var cut: AndroidCut?
  /// The number of pixels a point in the text that was measured last.
  private var density = 1.0
  /// The widths in pixels that decided about those lines.
  private var decisions = WidthDecisions()
  /// Whether the lines of a paragraph were chosen together.
  private var choosesTogether = false

  /// Shapes a text whose units were decoded, and finds where its lines can break.
  mutating func prepare(
    _ text: inout PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ itemizer: inout Itemizer, _ store: inout TextStore
  ) {
    let opportunities = store.prepared.addOpportunities(of: &text)
    var start = 0
    while start < text.unitCount {
      let units = UnsafePointer(store.prepared.units.base + text.unitStart + start)
      let count = store.prepared.paragraphEnd(from: text.unitStart + start, text) - text.unitStart - start
      breakFinder.find(units, count: count, isNormal: text.options.platform == .compose, opportunities + start)
      start += count
    }
    text.glyphs.first = store.prepared.glyphs.count
    shaping.shape(text, runs, runEnds: runEnds, &itemizer, &store)
    text.glyphs.count = store.prepared.glyphs.count - text.glyphs.first
  }

  /// Measures a prepared text.
  ///
  /// - Parameters:
  ///   - style: the style of an empty text, and of the line after the last newline.
  ///   - pixels: the number of pixels a point.
  ///   - textScale: the factor of font sizes and line heights.
  ///   - maxWidth: the width of the view, in points.
  mutating func measure(
    _ text: PreparedText, _ style: TextStyle, pixels: Double, textScale: Double, maxWidth: Double,
    _ store: borrowing TextStore
  ) -> TextMeasurement {
    let size = AndroidSizes(text.options, pixels: pixels, textScale: textScale)
    density = pixels
    let width = Float(min(max(0, (maxWidth * pixels + Self.pixelError).rounded(.down)), 1e9))
    advances.find(text, size, store)
    var desired = advances.desiredWidth(text, size, store)
    // Compose adds half a pixel to such a width, which is rounded up.
    if text.options.platform == .compose && advances.isSpaced && desired > 0 { desired += 1 }
    lines.removeAll()
    cut = nil
    (decisions, choosesTogether) = (WidthDecisions(), false)
    let base = size.metrics(style, store.book)
    let statedHeight =
      text.options.platform == .reactNative
      ? lineHeight(ofSpansIn: 0..<text.unitCount, text, size, store)
      : style.lineHeight.isNaN ? nil : size.lineHeight(style)
    let canBeBoring = statedHeight == nil || text.options.platform == .android
    if canBeBoring { decisions.note(Double(desired), fits: desired <= width) }
    if !(canBeBoring && desired <= width && appendBoringLine(text, base, size, store)) {
      fillLines(text, style, size, width: width, base, statedHeight, store)
    }
    let isLeft = lines.count > 0 && Int(lines[lines.count - 1].end) < text.unitCount
    var measured = TextMeasurement(
      width: Double(min(desired, width)) / pixels, isTruncated: cut != nil || isLeft,
      margins: choosesTogether ? nil : margins(maxWidth: max(maxWidth, 0), pixels: pixels))
    measured.note(lines.values)
    return measured
  }

  /// The part of a pixel by which a width can be too small and still counts as a whole number of pixels.
  private static let pixelError = 1e-6

  // MARK: Lines

  private mutating func fillLines(
    _ text: PreparedText, _ style: TextStyle, _ size: AndroidSizes, width: Float, _ base: AndroidFontMetrics,
    _ statedHeight: Float?, _ store: borrowing TextStore
  ) {
    let options = text.options
    var heights = AndroidLineHeights(
      options, lineHeight: statedHeight, spacing: Float(options.lineSpacing * size.density),
      leading: size.leading(style, store.book), base)
    let limit = options.maximumNumberOfLines > 0 ? Int(options.maximumNumberOfLines) : Int.max
    let endsWithNewline = text.unitCount == 0 || store.prepared.units[text.unitStart + text.unitCount - 1] == 0x0a
    var start = 0
    var item = text.items.first
    while start < text.unitCount && lines.count < limit {
      let paragraph = self.paragraph(from: start, text, size, store)
      breaks.removeAll()
      if options.android.breakStrategy == .simple || paragraph.hasTab {
        GreedyLineBreaker.breakLines(
          paragraph, limit: width, maxLines: limit - lines.count, into: &breaks, &decisions)
      } else {
        let isBalanced = options.android.breakStrategy == .balanced
        if optimal.breakLines(paragraph, limit: width, balanced: isBalanced, into: &breaks, &decisions) {
          choosesTogether = true
        }
      }
      heights.startParagraph(lineHeight: lineHeight(ofSpansIn: start..<start + paragraph.count, text, size, store))
      var lineStart = start
      for index in 0..<breaks.count where lines.count < limit {
        let end = start + Int(breaks[index].end)
        let reachesLimit = lines.count + 1 == limit
        // The last line that is shown takes the rest of its paragraph if a truncation string follows.
        let filledEnd = reachesLimit && options.truncation.count > 0 ? start + paragraph.count : end
        let extent = AndroidLineExtent(lineStart..<end, stylesEnd: filledEnd, item: &item, text, size, &fonts, store)
        let endsText = filledEnd == text.unitCount && !endsWithNewline
        // A line before an empty one that the limit hides does not count as the last.
        let isLast = endsText || (reachesLimit && end < text.unitCount)
        let place = AndroidLinePlace(
          isFirst: lines.count == 0, isLast: isLast, isLastShown: endsText || reachesLimit, endsText: endsText)
        let (above, below) = heights.line(extent.base ?? base, extent, place)
        append(
          lineStart..<end, breaks[index].width, (above, below), isRightToLeft: paragraph.isRightToLeft, text, size,
          store)
        lineStart = end
      }
      if lines.count == limit { findCut(text, paragraphEnd: start + paragraph.count, size, width: width) }
      start += paragraph.count
    }
    if endsWithNewline && start == text.unitCount && lines.count < limit {
      let (above, below) = heights.lastEmptyLine(base, isFirst: lines.count == 0)
      append(
        text.unitCount..<text.unitCount, 0, (above, below), isRightToLeft: false, text, size, store)
    }
  }

  /// Returns the line height of the last run in a range of units that states one, in pixels. React Native sets a span for each of
  /// them, which has an effect on all lines of its paragraphs.
  private func lineHeight(
    ofSpansIn units: Range<Int>, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> Float? {
    guard text.options.platform == .reactNative, !units.isEmpty else { return nil }
    let first = store.itemIndex(at: Int32(units.lowerBound), text)
    for index in (first...store.itemIndex(at: Int32(units.upperBound - 1), text)).reversed() {
      let style = store.prepared.items[index].style
      if !style.lineHeight.isNaN { return size.lineHeight(style) }
    }
    return nil
  }

  private mutating func paragraph(
    from start: Int, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> AndroidParagraph {
    let units = UnsafePointer(store.prepared.units.base + text.unitStart + start)
    let count = store.prepared.paragraphEnd(from: text.unitStart + start, text) - text.unitStart - start
    runs.removeAll()
    var item = store.itemIndex(at: Int32(start), text)
    while item < text.items.first + text.items.count, Int(store.prepared.items[item].start) < start + count {
      let current = store.prepared.items[item]
      runs.append(
        AndroidRun(
          end: Int(current.end) - start, letterSpacing: size.letterSpacing(current.style),
          fontSize: size.pixels(current.style)))
      item += 1
    }
    return AndroidParagraph(
      units: units, count: count, advances: UnsafePointer(advances.pixels.base + start),
      opportunities: UnsafePointer(store.prepared.opportunities.base + text.opportunities.first + start),
      runs: runs.values)
  }

  private mutating func append(
    _ line: Range<Int>, _ width: Float, _ height: (above: Float, below: Float), isRightToLeft: Bool,
    _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) {
    let shownEnd = AndroidParagraph.shownEnd(of: line, store.prepared.units.base + text.unitStart)
    lines.append(
      PlatformLine(
        start: Int32(truncatingIfNeeded: line.lowerBound), end: Int32(truncatingIfNeeded: line.upperBound),
        shownEnd: Int32(truncatingIfNeeded: shownEnd), width: Double(width) / size.density,
        above: Double(height.above) / size.density, below: Double(height.below) / size.density,
        isRightToLeft: isRightToLeft))
  }

  /// Notes that the last line that is shown is cut, if it does not hold the rest of its paragraph or paragraphs follow.
  private mutating func findCut(_ text: PreparedText, paragraphEnd: Int, _ size: AndroidSizes, width: Float) {
    let end = Int(lines[lines.count - 1].end)
    guard text.options.truncation.count > 0, end < paragraphEnd || paragraphEnd < text.unitCount else { return }
    cut = AndroidCut(end: paragraphEnd, room: width, size: size)
  }

  /// Ends the last line of the text that was measured last with the truncation text, whose glyphs are given.
  mutating func applyCut(_ glyphs: PreparedText.Run, _ store: borrowing TextStore) {
    guard let cut, lines.count > 0 else { return }
    let truncation = cut.truncationWidth(of: glyphs, store)
    cut.apply(to: &lines.base[lines.count - 1], truncation: truncation, advances: advances.pixels.base)
  }

  /// Appends the only line of a text that Android lays out without a line breaker, and returns whether the text is one. Android:
  /// `BoringLayout`.
  private mutating func appendBoringLine(
    _ text: PreparedText, _ base: AndroidFontMetrics, _ size: AndroidSizes, _ store: borrowing TextStore
  ) -> Bool {
    guard text.unitCount > 0, !text.traits.contains(.bidirectional) else { return false }
    let units = 0..<text.unitCount
    let shownEnd = AndroidParagraph.shownEnd(of: units, store.prepared.units.base + text.unitStart)
    var width: Float = 0
    for unit in units {
      let value = store.prepared.units[text.unitStart + unit]
      if value == 0x0a || value == 0x09 || value & 0xf800 == 0xd800 || (0x2066...0x2069).contains(value)
        || (0x202a...0x202e).contains(value) || value == 0x200e || value == 0x200f
      {
        return false
      }
      if unit < shownEnd { width += advances.pixels[unit] }
    }
    width -= advances.edgeSpacing(of: 0..<shownEnd, text, size, store)
    var item = text.items.first
    let extent = AndroidLineExtent(units, stylesEnd: text.unitCount, item: &item, text, size, &fonts, store)
    var line = extent.base ?? base
    if text.options.android.fallbackLineSpacing {
      line.ascent = min(line.ascent, AndroidFontMetrics.rounded(extent.fallback.ascent))
      line.descent = max(line.descent, AndroidFontMetrics.rounded(extent.fallback.descent))
      line.top = min(line.top, extent.fallback.ascent.rounded(.down))
      line.bottom = max(line.bottom, extent.fallback.descent.rounded(.up))
    }
    let height = text.options.android.fontPadding ? (-line.top, line.bottom) : (-line.ascent, line.descent)
    append(units, width, height, isRightToLeft: false, text, size, store)
    return true
  }

  /// Returns the changes of the view's width in points that leave the lines as they are. A line has a whole number of
  /// pixels.
  private func margins(maxWidth: Double, pixels: Double) -> TextMargins {
    TextMargins(
      narrower: maxWidth - decisions.fitting.rounded(.up) / pixels,
      wider: (decisions.exceeding.rounded(.up) - Self.pixelError) / pixels - maxWidth)
  }

  /// Returns the advance of some units of the text that was measured last, in points.
  func advance(of units: Range<Int>) -> Double {
    Double(advances.pixels.values[units].reduce(0, +)) / density
  }

  /// The tab stops of the text that was measured last.
  var tabStops: TabStops { TabStops(distance: Double(AndroidSizes.tabWidth) / density, least: 0) }
}
