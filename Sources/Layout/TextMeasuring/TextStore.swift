import Buffers

/// The data that all phases of text measuring share: the fonts, the shaped segments, the properties of characters, and
/// the texts of a row.
///
/// A phase is a type of its own that owns its scratch memory, and receives the store as a parameter:
/// `TextDecoder`, `Itemizer`, `SegmentCutter` and `LineFiller`.
struct TextStore: ~Copyable {
  let book: FontBook
  let dictionaries: HyphenationDictionaries
  var shaper: Shaper
  var characters = CharacterTable()
  var prepared = PreparedTexts()
  /// The characters of the row for which no font has a glyph.
  var missing = MissingGlyphs()
  /// Whether the row has an emoji for which the platforms `texture` and `web` choose different faces.
  var dependsOnEmojiFonts = false

  init(book: FontBook, dictionaries: HyphenationDictionaries = HyphenationDictionaries(), cacheBudget: Int) {
    self.book = book
    self.dictionaries = dictionaries
    shaper = Shaper(book: book, cacheBudget: cacheBudget)
  }

  /// Returns the scalar value at an index of the units of all texts, and the number of units that it takes.
  func scalar(at index: Int) -> (UInt32, Int) {
    let scalar = UnsafePointer(prepared.units.base).scalar(at: index, of: prepared.units.count)
    return (scalar, scalar > 0xffff ? 2 : 1)
  }

  /// Returns the offset of the first unit of the character that holds a unit of a text.
  func startOfCharacter(at unit: Int32, _ text: PreparedText) -> Int32 {
    prepared.units[text.unitStart + Int(unit)] & 0xfc00 == 0xdc00 ? unit - 1 : unit
  }

  /// Returns the index of the item that holds a unit of a text.
  func itemIndex(at unit: Int32, _ text: PreparedText) -> Int {
    let items = prepared.items.base + text.items.first
    return text.items.first + max(partitionPoint(text.items.count) { items[$0].start <= unit } - 1, 0)
  }

  /// Appends an item for a range of units of a text, with the line metrics of its style and of its face.
  mutating func appendItem(
    _ text: PreparedText, _ range: Range<Int>, _ style: TextStyle, _ context: ShapingContext, startsInline: Bool
  ) {
    var metrics = lineMetrics(style, face: style.face, text)
    if let attachment = style.attachment {
      metrics |= prepared.bit(of: LineMetrics(attachment, offset: style.baselineOffset), from: text.metrics.first)
    }
    // The fallback faces of a style with a line height do not change the height of a line.
    if style.lineHeight.isNaN && context.face != style.face && style.attachment == nil {
      metrics |= lineMetrics(style, face: context.face, text)
    }
    let face = book.faces[Int(context.face)]
    let scale = text.pointsPerAdvance(face, style, context)
    var forms: UInt16 = 0
    if face.trimsPunctuation && trimsPunctuation(text) {
      forms = shaper.punctuationForms(context, scale: context.rounding == 0 ? scale : text.pointsPerUnit(face, style))
    }
    prepared.items.append(
      Item(
        start: Int32(truncatingIfNeeded: range.lowerBound), end: Int32(truncatingIfNeeded: range.upperBound),
        style: style, context: context,
        scale: scale,
        metrics: metrics, startsInline: startsInline,
        continuesShaping: startsInline && continuesShaping(at: range.lowerBound, text, style, context),
        leavesSpaces: shaper.leavesSpaces(context),
        forms: forms))
  }

  /// Returns the bit of the line metrics of a style in one of its faces.
  @inline(__always)
  mutating func lineMetrics(_ style: TextStyle, face: Int32, _ text: PreparedText) -> UInt32 {
    // The characters beside an attachment are on the baseline.
    let offset = style.attachment == nil ? style.baselineOffset : 0
    let metrics = book.lineMetrics(style, face: face, offset: offset, in: text)
    return prepared.bit(of: text.options.calibration.lines.applied(to: metrics), from: text.metrics.first)
  }

  /// Returns whether an item that starts at a unit of a text is shaped together with the last item, from which a style or a bidi level
  /// separates it (text-rules 17).
  func continuesShaping(at unit: Int, _ text: PreparedText, _ style: TextStyle, _ context: ShapingContext) -> Bool {
    let last = prepared.items.count - 1
    guard last >= text.items.first, text.rules.traits.contains(.shapesAcrossItems) else { return false }
    let start = prepared.units.base + text.unitStart + unit
    return prepared.items[last].context == context && prepared.items[last].style.isShaped(like: style)
      && start[-1] != ControlCharacters.hidden && start[0] != ControlCharacters.hidden
  }
}
