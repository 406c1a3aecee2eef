import Buffers

/// The metrics of the fonts on a line.
struct AndroidLineExtent: BitwiseCopyable {
  /// The metrics of the styles on the line, or nil for an empty line.
  private(set) var base: AndroidFontMetrics?
  /// The ascent and descent of the faces on the line in pixels, which are not rounded.
  private(set) var fallback: (ascent: Float, descent: Float) = (0, 0)

  /// Finds the metrics of a range of units of a text.
  ///
  /// - Parameter item: the index of the item with which the search begins, and afterwards that of the line's last.
  init(
    _ line: Range<Int>, item: inout Int, _ text: PreparedText, _ size: AndroidSizes, _ store: borrowing TextStore
  ) {
    let end = text.items.first + text.items.count
    var last: (face: Int32, style: TextStyle)?
    while item < end {
      let current = store.prepared.items[item]
      if Int(current.start) >= line.upperBound { break }
      if Int(current.end) > line.lowerBound {
        if last?.face != current.context.face || last?.style != current.style {
          let isShown = Self.hasLetters(current, line, text, store)
          add(current, isShown: isShown, size, store)
          last = isShown ? (current.context.face, current.style) : nil
        }
        if Int(current.end) > line.upperBound { break }
      }
      item += 1
    }
  }

  private mutating func add(_ item: Item, isShown: Bool, _ size: AndroidSizes, _ store: borrowing TextStore) {
    let metrics = size.metrics(item.style, store.book)
    base?.formUnion(metrics)
    base = base ?? metrics
    guard isShown else { return }
    let extent = AndroidFontMetrics.extent(
      store.book.faces[Int(item.context.face)], size: size.pixels(item.style))
    fallback = (min(fallback.ascent, extent.ascent), max(fallback.descent, extent.descent))
  }

  /// Returns whether an item has other characters than newlines on a line.
  private static func hasLetters(
    _ item: Item, _ line: Range<Int>, _ text: PreparedText, _ store: borrowing TextStore
  ) -> Bool {
    for unit in max(Int(item.start), line.lowerBound)..<min(Int(item.end), line.upperBound) {
      let value = store.prepared.units[text.unitStart + unit]
      if value != 0x0a && value != 0x0d { return true }
    }
    return false
  }
}
