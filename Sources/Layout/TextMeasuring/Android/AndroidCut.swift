import Buffers

/// The last line that is shown of a text with more lines, which the truncation text ends. Android:
/// `StaticLayout.calculateEllipsis`.
struct AndroidCut: BitwiseCopyable {
  /// The offset after the last unit of the line's paragraph, which the line is filled with.
  let end: Int
  /// The width of the view in pixels.
  let room: Float
  /// The size of the text in pixels.
  let size: AndroidSizes

  /// Returns the width of the truncation text in whole pixels, without the letter spacing at its ends. Android:
  /// `Paint.measureText`. It is counted in minikin's order, because a rounding error can cost a pixel.
  func truncationWidth(of glyphs: PreparedText.Run, _ store: borrowing TextStore) -> Float {
    var width: Float = 0
    var (first, last): (Float, Float) = (0, 0)
    for index in 0..<glyphs.count {
      let glyph = store.prepared.glyphs[glyphs.first + index]
      last = size.letterSpacing(glyph, store)
      if index == 0 { first = last }
      width += index == 0 ? last / 2 : last
      width += size.advance(of: glyph, store)
    }
    width += last / 2
    return (width - first / 2 - last / 2).rounded(.up)
  }

  /// Ends a line with the truncation text: the units before the first one that does not fit beside that are kept.
  ///
  /// - Parameters:
  ///   - truncation: the width of the truncation text in pixels.
  ///   - advances: the advances of the units of the text.
  func apply(to line: inout PlatformLine, truncation: Float, advances: UnsafePointer<Float>) {
    let start = Int(line.start)
    var index = start
    var sum: Float = 0
    while index < end && advances[index] + sum + truncation <= room {
      sum += advances[index]
      index += 1
    }
    // If all units fit, the last one is removed in any case, as lines follow that are not shown.
    if index == end && index > start {
      index -= 1
      sum -= advances[index]
    }
    line.end = Int32(truncatingIfNeeded: end)
    line.shownEnd = Int32(truncatingIfNeeded: index)
    line.width = Double(sum + truncation) / size.density
    line.showsEllipsis = true
  }
}
