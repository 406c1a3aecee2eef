import Buffers
import CICU

/// The lines of texts as a Text of Flutter has them. Source: SkParagraph's `TextWrapper`.
struct FlutterTexts: ~Copyable {
  private var shaping = FlutterShaping()
  private var clusters = FlutterClusters()
  /// The units as ICU receives them, where they differ from the text.
  private var replaced = FlatBuffer<UInt16>(capacity: 16)
  private var iterators = BreakIterators()
  /// The lines of the text that was measured last.
  private(set) var lines = FlatBuffer<PlatformLine>(capacity: 32)
  /// The cut of the text that was measured last, while the width of the truncation text is unknown.
  private var cut: FlutterCut?

  /// Shapes a text whose units were decoded, and finds where its lines can break.
  mutating func prepare(
    _ text: inout PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ itemizer: inout Itemizer, _ store: inout TextStore
  ) {
    findOpportunities(&text, &store)
    // A tab is a space, but breaks lines as a tab.
    let units = store.prepared.units.base + text.unitStart
    for unit in 0..<text.unitCount where units[unit] == 0x09 { units[unit] = 0x20 }
    text.glyphs.first = store.prepared.glyphs.count
    shaping.shape(text, runs, runEnds: runEnds, &itemizer, &store)
    text.glyphs.count = store.prepared.glyphs.count - text.glyphs.first
  }

  private mutating func findOpportunities(_ text: inout PreparedText, _ store: inout TextStore) {
    let units = store.prepared.units.base + text.unitStart
    let opportunities = store.prepared.addOpportunities(of: &text)
    var broken = units
    if text.traits.contains(.eastAsian) {
      replaced.removeAll()
      replaced.append(contentsOf: UnsafeBufferPointer(start: units, count: text.unitCount))
      store.characters.replaceQuotes(replaced.base, text.unitCount)
      broken = replaced.base
    }
    iterators.forEachBoundary(galley_breaks_lines, broken, text.unitCount) { boundary in
      switch units[boundary - 1] {
      case 0x0a, 0x0b, 0x0c, 0x2028, 0x2029: opportunities[boundary] = [.word, .address]
      default: opportunities[boundary] = .word
      }
    }
    if text.traits.contains(.dictionary) {
      DictionaryWords.divideAll(units, text.unitCount) { opportunities[$0] = $1 ? .word : [] }
    }
    var rules = FlutterBreakRules(units, count: text.unitCount)
    for index in 1..<max(text.unitCount, 1) {
      let allows = rules.allows(index)
      if let allows, !opportunities[index].contains(.address) { opportunities[index] = allows ? .word : [] }
    }
  }

  /// Measures a prepared text; see `TextMeasurer.measure`.
  ///
  /// - Parameter style: the style of an empty text.
  mutating func measure(
    _ text: PreparedText, _ style: TextStyle, textScale: Double, maxWidth: Double,
    _ store: borrowing TextStore
  ) -> TextMeasurement {
    let maxWidth = max(0, maxWidth)
    lines.removeAll()
    cut = nil
    clusters.find(text, textScale: textScale, store)
    let empty = FlutterLineMetrics(
      style, store.book.faces[Int(style.face)], textScale: textScale, text.options.flutter)
    guard clusters.values.count > 0 else {
      let metrics = FlutterLineMetrics(
        ofEmptyTextIn: style, store.book.faces[Int(style.face)], textScale: textScale, text.options.flutter)
      return TextMeasurement(width: 0, height: Double(strutted(metrics, style, textScale, text, store).height))
    }
    var filler = FlutterLineFiller(
      clusters: clusters.values.values, limit: Float(maxWidth))
    let maxLines = text.options.maximumNumberOfLines > 0 ? Int(text.options.maximumNumberOfLines) : Int.max
    let hasEllipsis = text.options.truncation.count > 0
    var metrics = FlutterLineMetrics()
    while let line = filler.next(isLast: lines.count + 1 >= maxLines, hasEllipsis: hasEllipsis) {
      metrics = self.metrics(of: line.metricClusters, textScale, text, store)
      if metrics.isEmpty { metrics = newlineMetrics(line, textScale, text, store) ?? empty }
      let isLastShown = lines.count + 1 >= maxLines
      let endsText = line.next == clusters.values.count && !line.isHard
      append(line, &metrics, style, textScale, text, isLast: isLastShown || endsText, store)
      if isLastShown {
        let isLeft = line.metricClusters.upperBound < clusters.values.count
        if hasEllipsis && !line.isHard && isLeft { cut = FlutterCut(line, limit: filler.limit) }
        return measurement(filler, maxWidth: maxWidth, isTruncated: cut != nil || line.next < clusters.values.count)
      }
    }
    if filler.endedHard && lines.count < maxLines {
      let end = Int32(truncatingIfNeeded: text.unitCount)
      let line = strutted(lastLine(metrics, text), style, textScale, text, store)
      lines.append(
        PlatformLine(start: end, end: end, shownEnd: end, width: 0, above: line.above, below: line.below))
    }
    return measurement(filler, maxWidth: maxWidth, isTruncated: false)
  }

  /// Returns the style in which the truncation text is measured for the cut of the last line, or nil if that is finished:
  /// in the face of the cluster before it, or in the first face that shows it.
  func styleOfCut(_ text: PreparedText, _ store: borrowing TextStore) -> TextStyle? {
    guard let cut else { return nil }
    let cluster = clusters.values[cut.cluster]
    let item = store.prepared.items[Int(cluster.item)]
    var style = item.style
    // From right to left, SkParagraph takes the style of the cluster before.
    if item.context.isRightToLeft && cut.cluster > cut.start {
      style = store.prepared.items[Int(clusters.values[cut.cluster - 1].item)].style
    }
    let truncation = text.options.truncation.string.unicodeScalars
    func shows(_ face: Int32) -> Bool { truncation.allSatisfy { store.book.faces[Int(face)].covers($0.value) } }
    style.face =
      shows(item.context.face)
      ? item.context.face : store.book.firstFace(primary: style.face, where: shows) ?? style.face
    return style
  }

  /// Continues the cut of the last line with the glyphs of the truncation text in the style of `styleOfCut`. The
  /// last stretch of one script and direction counts, which is what SkParagraph keeps.
  mutating func continueCut(_ glyphs: PreparedText.Run, textScale: Double, _ store: borrowing TextStore) {
    guard var search = cut, lines.count > 0 else { return }
    var truncation: Float = 0
    let shaped = store.prepared.glyphs.values[glyphs.first..<glyphs.first + glyphs.count]
    for glyph in shaped where glyph.item == shaped.last?.item {
      let item = store.prepared.items[Int(glyph.item)]
      truncation += FlutterAdvance(store.book.faces[Int(item.context.face)], size: item.style.size * textScale)
        .points(glyph)
    }
    let last = lines.base + lines.count - 1
    switch search.search(truncation, in: clusters.values.values) {
    case .styleChanges:
      cut = search
      return
    case .found(let end, let width):
      last.pointee.shownEnd = clusters.values[end - 1].end
      last.pointee.width = Double(width + truncation)
      last.pointee.showsEllipsis = true
    case .nothingFits:
      last.pointee.shownEnd = last.pointee.start
      last.pointee.width = 0
    }
    cut = nil
  }

  private func metrics(
    of range: Range<Int>, _ textScale: Double, _ text: PreparedText, _ store: borrowing TextStore
  ) -> FlutterLineMetrics {
    var metrics = FlutterLineMetrics()
    var item: Int32 = -1
    for index in range
    where clusters.values[index].item != item && !clusters.values[index].traits.contains(.hardBreak) {
      item = clusters.values[index].item
      let current = store.prepared.items[Int(item)]
      metrics.formUnion(
        FlutterLineMetrics(
          current.style, store.book.faces[Int(current.context.face)], textScale: textScale, text.options.flutter))
    }
    return metrics
  }

  /// Returns the metrics of the run of the newline that is alone on a line; nil if the line does not end with one.
  private func newlineMetrics(
    _ line: FlutterLineFiller.Line, _ textScale: Double, _ text: PreparedText, _ store: borrowing TextStore
  ) -> FlutterLineMetrics? {
    guard line.isHard, line.next > line.start else { return nil }
    let style = store.prepared.items[Int(clusters.values[line.next - 1].item)].style
    return FlutterLineMetrics(style, store.book.faces[Int(style.face)], textScale: textScale, text.options.flutter)
  }

  /// Appends a line.
  ///
  /// - Parameter metrics: the metrics of its fonts, and afterwards those of the line, which an empty line after it has, too.
  private mutating func append(
    _ line: FlutterLineFiller.Line, _ metrics: inout FlutterLineMetrics, _ style: TextStyle, _ textScale: Double,
    _ text: PreparedText, isLast: Bool, _ store: borrowing TextStore
  ) {
    if lines.count == 0 && !text.options.flutter.appliesHeightToFirstAscent { metrics.ascent = metrics.rawAscent }
    if isLast { metrics = lastLine(metrics, text) }
    metrics = strutted(metrics, style, textScale, text, store)
    let start = line.start < clusters.values.count ? clusters.values[line.start].start : Int32(text.unitCount)
    let end = line.next < clusters.values.count ? clusters.values[line.next].start : Int32(text.unitCount)
    let shownEnd = line.shownEnd > line.start ? clusters.values[line.shownEnd - 1].end : start
    lines.append(
      PlatformLine(
        start: start, end: end, shownEnd: shownEnd, width: Double(line.width), above: metrics.above,
        below: metrics.below))
  }

  private func lastLine(_ metrics: FlutterLineMetrics, _ text: PreparedText) -> FlutterLineMetrics {
    var metrics = metrics
    if !text.options.flutter.appliesHeightToLastDescent { metrics.descent = metrics.rawDescent }
    return metrics
  }

  /// Returns the metrics of a line that is at least as high as the strut.
  private func strutted(
    _ metrics: FlutterLineMetrics, _ style: TextStyle, _ textScale: Double, _ text: PreparedText,
    _ store: borrowing TextStore
  ) -> FlutterLineMetrics {
    guard let strut = text.options.flutter.strut else { return metrics }
    let own = FlutterLineMetrics(
      strut, store.book.faces[Int(style.face)], size: Float(style.size * textScale))
    var line = metrics
    if strut.isForced {
      (line.ascent, line.descent, line.leading) = (own.ascent, own.descent, own.leading)
    } else {
      line.ascent = min(line.ascent, own.ascent - own.leading / 2)
      line.descent = max(line.descent, own.descent + own.leading / 2)
    }
    return line
  }

  private func measurement(_ filler: FlutterLineFiller, maxWidth: Double, isTruncated: Bool) -> TextMeasurement {
    let width = min(clusters.widestParagraph(filled: filler.start), Float(maxWidth))
    var measured = TextMeasurement(width: Double(width), isTruncated: isTruncated, margins: filler.margins)
    measured.note(lines.values)
    return measured
  }
}
