import Buffers

/// The metrics of the fonts on a line.
struct AndroidLineExtent: BitwiseCopyable {
  /// The metrics of the styles on the line, or nil for an empty line.
  private(set) var base: AndroidFontMetrics?
  /// The metrics of the styles that start on the line behind the first one, or nil if none does.
  private(set) var laterStyles: AndroidFontMetrics?
  /// Whether the line before ends inside of the style with which the line starts.
  private(set) var continuesStyle = false
  /// The ascent and descent of the faces on the line in pixels, which are not rounded.
  private(set) var fallback: (ascent: Float, descent: Float) = (0, 0)

  /// Finds the metrics of a range of units of a text.
  ///
  /// - Parameters:
  ///   - stylesEnd: the end of the styles that count, which are more than those of the line if it takes the rest of its paragraph.
  ///   - item: the index of the item with which the search begins, and afterwards that of the line's last.
  init(
    _ line: Range<Int>, stylesEnd: Int, item: inout Int, _ text: PreparedText, _ size: AndroidSizes,
    _ fonts: inout AndroidFonts, _ store: borrowing TextStore
  ) {
    let places = UnsafePointer(store.prepared.opportunities.base + text.opportunities.first)
    let whole = Self.wholePieces(of: line, places, count: text.unitCount)
    let end = text.items.first + text.items.count
    var last: (face: Int32, style: TextStyle)?
    while item < end {
      let current = store.prepared.items[item]
      if Int(current.start) >= stylesEnd { break }
      if Int(current.end) > line.lowerBound {
        if last?.style != current.style {
          if last == nil {
            let isInItem = Int(current.start) < line.lowerBound
            continuesStyle =
              isInItem || (item > text.items.first && store.prepared.items[item - 1].style == current.style)
          }
          addStyle(size.metrics(current.style, store.book), isFirst: last == nil)
          last = (-1, current.style)
        }
        let shown = (Int(current.start)..<Int(current.end)).clamped(to: whole)
        if last?.face != current.context.face, shown.contains(where: { !places[$0].contains(.hidesFace) }) {
          addFace(current.context.face, current.style, size, store)
          last?.face = current.context.face
        }
        if Int(current.end) > line.upperBound && stylesEnd == line.upperBound { break }
      }
      item += 1
    }
    addParts(line.lowerBound..<whole.lowerBound, text, size, &fonts, store)
    addParts(whole.upperBound..<line.upperBound, text, size, &fonts, store)
  }

  private mutating func addStyle(_ metrics: AndroidFontMetrics, isFirst: Bool) {
    base = base?.union(metrics) ?? metrics
    if !isFirst { laterStyles = laterStyles?.union(metrics) ?? metrics }
  }

  private mutating func addFace(_ face: Int32, _ style: TextStyle, _ size: AndroidSizes, _ store: borrowing TextStore) {
    let extent = AndroidFontMetrics.extent(store.book.faces[Int(face)], size: size.pixels(style))
    fallback = (min(fallback.ascent, extent.ascent), max(fallback.descent, extent.descent))
  }

  /// Adds the faces of a part of a piece, which Android chooses anew without the rest of the piece.
  private mutating func addParts(
    _ part: Range<Int>, _ text: PreparedText, _ size: AndroidSizes, _ fonts: inout AndroidFonts,
    _ store: borrowing TextStore
  ) {
    guard !part.isEmpty else { return }
    let style = store.prepared.items[store.itemIndex(at: Int32(truncatingIfNeeded: part.lowerBound), text)].style
    let start = text.unitStart
    fonts.find(
      start + part.lowerBound..<start + part.upperBound, primary: style.face, store.prepared, store.book)
    // In a part inside of a word, newlines count, because minikin looks at characters before them.
    let startsWord = part.lowerBound == 0 || AndroidShaping.isWordBoundary(start + part.lowerBound, store.prepared)
    for run in fonts.runs.values {
      let units = run.start..<run.end
      if !startsWord || units.contains(where: { !AndroidShaping.isNewline(store.prepared.units[$0]) }) {
        addFace(run.face, style, size, store)
      }
    }
  }

  /// Returns the units of a line without those of the pieces at its ends that it shares with other lines.
  private static func wholePieces(
    of line: Range<Int>, _ places: UnsafePointer<AndroidOpportunity>, count: Int
  ) -> Range<Int> {
    var (start, end) = (line.lowerBound, line.upperBound)
    while start < end && !places[start].contains(.startsPiece) { start += 1 }
    if end < count {
      while end > start && !places[end].contains(.startsPiece) { end -= 1 }
    }
    return start..<end
  }
}
