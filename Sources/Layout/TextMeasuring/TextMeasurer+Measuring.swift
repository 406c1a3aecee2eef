import Buffers
import LayoutEngine

/// The measuring of prepared texts.
extension TextMeasurer {
  /// Measures a prepared text in a box.
  ///
  /// - Parameters:
  ///   - text: the number that `prepare` returned.
  ///   - textScale: the factor by which font sizes and line heights are multiplied.
  ///   - maxWidth: the width of the box, in points. In a box without a width, each cluster is a line.
  ///   - maxHeight: the height of the box, in points. The first line is shown whatever its height.
  ///   - pixels: the number of device pixels a point, to which Android rounds.
  ///   - exclusions: the rectangles beside which lines are shorter, if there are any. Android and Flutter do not have them.
  public mutating func measure(
    _ text: Int, textScale: Double, maxWidth: Double, maxHeight: Double, pixels: Double = 1,
    around exclusions: UnsafePointer<ExclusionPaths>? = nil
  ) -> TextMeasurement {
    let exclusions = exclusions.flatMap { $0.pointee.isEmpty ? nil : $0 }
    // The text is not copied, because its options are large.
    let tolerance = store.prepared.texts.base[text].options.calibration.widthTolerance
    let room = maxWidth + tolerance
    var measured: TextMeasurement
    if !store.prepared.texts.base[text].options.platform.isBrowser {
      measured = measureWhole(text, textScale, room, pixels)
      let lines = store.prepared.texts.base[text].options.calibration.lines
      if !lines.isNeutral {
        lines.apply(to: UnsafeMutableBufferPointer(mutating: platformLines), &measured, textScale: textScale)
      }
    } else {
      measured = measureFilled(text, textScale, room, maxHeight, exclusions)
      if recordsLines {
        lineFiller.recordedLines.end(
          text: text, .init(textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight))
      }
    }
    if tolerance < 0, let margins = measured.margins {
      // A stack keeps a text as wide as it is in infinite space, which no tolerance changes.
      measured.margins = TextMargins(narrower: margins.narrower, wider: margins.wider + tolerance)
    }
    if maxWidth == .infinity {
      // No change ends an infinite space.
      measured.margins = .unlimited
    } else if exclusions == nil
      && (measured.isTruncated
        || measured.lines == 1 && store.prepared.texts.base[text].options.maximumNumberOfLines == 1)
    {
      measured.margins = margins(ofCut: store.prepared.texts[text], measured)
    }
    return measured
  }

  /// Finds the lines that a text had when it was measured last, so that they need not be filled again. They are then those of
  /// the last measurement.
  ///
  /// - Returns: whether the lines were recorded, and the text was measured in this box.
  public mutating func findLines(of text: Int, textScale: Double, maxWidth: Double, maxHeight: Double) -> Bool {
    guard store.prepared.texts.base[text].options.platform.isBrowser else { return false }
    return lineFiller.recordedLines.find(
      text: text, .init(textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight))
  }

  /// Returns the margins of a text that is cut, or would be if its box was narrower.
  private func margins(ofCut text: PreparedText, _ measured: TextMeasurement) -> TextMargins? {
    if hasEvenLines(text) { return text.options.maximumNumberOfLines == 1 ? .unlimited : measured.margins }
    // There the height of the last line depends on the fonts that are left of it.
    return !text.options.platform.isBrowser && measured.isTruncated
      ? TextMargins(narrower: 0, wider: 0) : measured.margins
  }

  /// Whether all lines of a text have one height, whatever is on them.
  @inline(never)
  func hasEvenLines(_ text: PreparedText) -> Bool {
    guard !text.options.platform.isBrowser else { return text.metrics.count <= 1 }
    if text.options.platform.isAndroid && !hasEvenLinesOnAndroid(text) { return false }
    let items = text.items.first..<text.items.first + text.items.count
    return items.allSatisfy { index in
      let (item, first) = (store.prepared.items[index], store.prepared.items[items.lowerBound])
      return item.style == first.style && item.context.face == first.context.face
    }
  }

  /// Whether the only line of a text has the same height where it is cut (text-rules 34), and where the text is laid out on one
  /// line (35): not with a newline at its end, or with fallback faces.
  private func hasEvenLinesOnAndroid(_ text: PreparedText) -> Bool {
    guard text.unitCount > 0, text.items.count > 0 else { return true }
    return store.prepared.units[text.unitStart + text.unitCount - 1] != 0x0a
      && store.prepared.items[text.items.first].context.face == text.truncationStyle?.face
  }

  /// Measures a text that its platform shapes as a whole.
  private mutating func measureWhole(
    _ text: Int, _ textScale: Double, _ maxWidth: Double, _ pixels: Double
  ) -> TextMeasurement {
    let prepared = store.prepared.texts[text]
    lastPlatform = prepared.options.platform
    guard let style = prepared.truncationStyle else { return TextMeasurement() }
    if prepared.options.platform == .flutter {
      let measured = flutterTexts.measure(prepared, style, textScale: textScale, maxWidth: maxWidth, store)
      while let style = flutterTexts.styleOfCut(prepared, store) {
        let (items, glyphs) = (store.prepared.items.count, store.prepared.glyphs.count)
        flutterTexts.continueCut(truncationGlyphs(of: text, style), textScale: textScale, store)
        if style != prepared.truncationStyle {
          store.prepared.items.truncate(to: items)
          store.prepared.glyphs.truncate(to: glyphs)
        }
      }
      return measured
    }
    let measured = androidTexts.measure(
      prepared, style, pixels: pixels, textScale: textScale, maxWidth: maxWidth, store)
    if androidTexts.cut != nil { androidTexts.applyCut(truncationGlyphs(of: text, style), store) }
    return measured
  }

  /// Measures a text whose segments are filled as browsers fill them.
  private mutating func measureFilled(
    _ text: Int, _ textScale: Double, _ maxWidth: Double, _ maxHeight: Double,
    _ exclusions: UnsafePointer<ExclusionPaths>?
  ) -> TextMeasurement {
    if exclusions == nil && store.prepared.texts.base[text].traits.contains(.choosesLines) && maxWidth < .infinity {
      return measureWrapped(text, textScale, maxWidth, maxHeight)
    }
    let state = lineFiller.fill(
      store.prepared.texts.base + text, textScale: textScale, maxWidth: maxWidth, maxHeight: maxHeight,
      around: exclusions, &store)
    return measurement(of: text, state, textScale, maxWidth)
  }

  /// Returns the measurement of the lines that were filled.
  @inline(__always)
  mutating func measurement(
    of text: Int, _ state: LineFillingState, _ textScale: Double, _ maxWidth: Double
  ) -> TextMeasurement {
    let isCut = state.isCut
    var measured = state.lines.measurement(
      isCut: isCut, room: maxWidth > 0 ? maxWidth : 0,
      truncationWidth: isCut ? truncationWidth(of: text) * textScale : 0)
    measured.margins = state.margins
    return measured
  }

  /// Returns the width of a text's truncation string in points at text scale 1. It is measured when the text is cut for
  /// the first time, as most texts are not cut.
  mutating func truncationWidth(of text: Int) -> Double {
    if let known = store.prepared.texts[text].truncationWidth { return known }
    guard let style = store.prepared.texts[text].truncationStyle else { return 0 }
    let found = truncationWidth(of: store.prepared.texts[text], style)
    store.prepared.texts.base[text].truncationWidth = found
    return found
  }

  /// Returns the glyphs of a text's truncation string in a style as the text's platform shapes it. They are noted for the
  /// style of the truncation string.
  private mutating func truncationGlyphs(of text: Int, _ style: TextStyle) -> PreparedText.Run {
    let isKept = store.prepared.texts[text].truncationStyle == style
    if isKept, let known = store.prepared.texts[text].truncationGlyphs { return known }
    var truncation = PreparedText()
    truncation.options = store.prepared.texts[text].options
    // SkParagraph shapes it from left to right in any paragraph.
    if truncation.options.platform == .flutter { truncation.options.baseDirection = .ltr }
    prepareTruncation(truncation.options.truncation, style, into: &truncation)
    if isKept { store.prepared.texts.base[text].truncationGlyphs = truncation.glyphs }
    return truncation.glyphs
  }

  private mutating func truncationWidth(of cut: PreparedText, _ style: TextStyle) -> Double {
    var text = PreparedText()
    (text.language, text.rules, text.textScale) = (cut.language, cut.rules, cut.textScale)
    text.options.platform = cut.options.platform
    text.options.calibration = cut.options.calibration
    text.segments.first = store.prepared.segments.count
    prepareTruncation(cut.options.truncation, style, into: &text)
    let width = store.prepared.segments.values[text.segments.first...].reduce(0.0) {
      $0 + ($1.advance + $1.advanceSpacing + $1.space + $1.spaceSpacing)
    }
    store.prepared.segments.truncate(to: text.segments.first)
    store.prepared.items.truncate(to: text.items.first)
    return width
  }

  /// Prepares a truncation string. What its segments or glyphs do not need is removed again.
  private mutating func prepareTruncation(_ string: ByteString, _ style: TextStyle, into text: inout PreparedText) {
    text.metrics.first = store.prepared.metrics.count
    let (opportunities, substitutes) = (store.prepared.opportunities.count, store.prepared.substitutes.count)
    store.missing.counts = false
    var run = TextRun(text: string, style: style)
    withUnsafePointer(to: &run) { prepareUnicode(UnsafeBufferPointer(start: $0, count: 1), into: &text) }
    store.prepared.metrics.truncate(to: text.metrics.first)
    store.prepared.opportunities.truncate(to: opportunities)
    store.prepared.substitutes.truncate(to: substitutes)
    store.prepared.truncateUnits(to: text.unitStart)
  }
}
