/// The fonts that make a line higher in WebKit (text-rules 21).
extension TextStore {
  /// Returns the line metrics of a piece of an item, a bit each.
  ///
  /// In WebKit, a piece in a fallback face has, besides those of the style, those of the first face that has a character, for each one,
  /// whichever face shows its cluster. Characters without a width count only if they are nonspacing marks
  /// (`TextUtil::fallbackFontsForText`).
  mutating func lineMetricsOfCharacters(in piece: Range<Int>, _ item: Item, _ text: PreparedText) -> UInt32 {
    let style = item.style
    guard
      text.rules.engine == .webKit && style.lineHeight.isNaN && item.context.face != style.face
        && style.attachment == nil
    else {
      return item.metrics
    }
    var metrics = lineMetrics(style, face: style.face, text)
    var index = text.unitStart + piece.lowerBound
    while index < text.unitStart + piece.upperBound {
      let (scalar, width) = self.scalar(at: index)
      index += width
      guard let face = book.face(for: scalar, primary: style.face), face != style.face,
        let properties = UnicodeScalar(scalar)?.properties, !properties.isDefaultIgnorableCodePoint,
        book.faces[Int(face)].advance(of: scalar) > 0 || properties.generalCategory == .nonspacingMark
      else { continue }
      metrics |= lineMetrics(style, face: face, text)
    }
    return metrics
  }
}
