import Buffers
import CHarfBuzz
import CICU

/// A glyph of a text whose advance depends on the pixels of a device. Lengths are in units of the face.
struct PlatformGlyph: BitwiseCopyable {
  /// The offset of the first unit of its cluster in the text.
  var unit: Int32
  /// The index of its item.
  var item: Int32
  /// The advance of its outline; 0 for a bitmap and for a mark.
  var outline: Int32
  /// The advance that kerning and marks add, or that of a bitmap.
  var adjustment: Int32
  /// Whether its cluster begins with it and takes letter spacing.
  var isSpaced: Bool
}

/// The shaping of a text as Android does it. Source: minikin's `Layout`, `LayoutSplitter` and `LayoutPiece`.
///
/// Each stretch of one style and direction is shaped in words, without kerning between them: a word ends before and after
/// spaces and controls of direction, and before ideographs. A word of several styles or directions is shaped in pieces, which
/// join their letters.
struct AndroidShaping: ~Copyable {
  private var fonts = AndroidFonts()
  /// The word that was found last, which the next pieces are searched in.
  private var word = 0..<0

  /// Appends the items and glyphs of a text whose opportunities were found, and notes with these what follows from the shapes.
  mutating func shape(
    _ text: PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ itemizer: inout Itemizer, _ store: inout TextStore
  ) {
    var start = text.unitStart
    word = start..<start
    var paragraph = start..<start
    var levels: UnsafePointer<UInt8>?
    let hasSpanOfSizeForEachRun = text.options.platform == .reactNative
    for (index, end) in zip(runs.indices, runEnds) {
      if !hasSpanOfSizeForEachRun && runs.hasStyleOfNext(index) { continue }
      while start < end {
        if start == paragraph.upperBound {
          paragraph = start..<store.prepared.paragraphEnd(from: start, text)
          levels = findLevels(of: paragraph, text, &itemizer.bidi, store.prepared)
        }
        let level = levels?[start - paragraph.lowerBound] ?? 0
        var next = start + 1
        while next < min(end, paragraph.upperBound) && levels?[next - paragraph.lowerBound] ?? 0 == level { next += 1 }
        shape(text, start..<next, runs[index].style, isRightToLeft: level & 1 != 0, &store)
        start = next
      }
    }
  }

  /// Returns the levels of a paragraph, which Android finds for each by itself, or nil if all of it runs from left to right.
  private func findLevels(
    of paragraph: Range<Int>, _ text: PreparedText, _ bidi: inout BidiLevels, _ prepared: borrowing PreparedTexts
  ) -> UnsafePointer<UInt8>? {
    guard text.traits.contains(.bidirectional) else { return nil }
    let levels = bidi.levels(of: paragraph, prepared, base: text.options.shownDirection)
    if bidi.isRightToLeft(paragraphAt: 0) { prepared.note(.rightToLeft, at: paragraph.lowerBound, text) }
    return levels
  }

  /// Shapes a stretch of one style and direction inside of a paragraph.
  private mutating func shape(
    _ text: PreparedText, _ range: Range<Int>, _ style: TextStyle, isRightToLeft: Bool, _ store: inout TextStore
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      if !word.contains(start) { word = findWord(at: start, text, store.prepared) }
      let piece = start..<min(word.upperBound, range.upperBound)
      store.prepared.note(.startsPiece, at: start, text)
      fonts.find(piece, primary: style.face, store.prepared, store.book)
      for value in fonts.missing.values { store.missing.note(value) }
      for run in fonts.runs.values {
        hideNewlines(run, text, piece: piece, store.prepared)
        shapeScripts(text, piece: piece, run.start..<run.end, style, run.face, isRightToLeft: isRightToLeft, &store)
      }
      start = piece.upperBound
    }
  }

  /// Notes the units of a face that has newlines only. Of a piece inside of a word, Android 15 looks at as many characters from
  /// the start of the word.
  private func hideNewlines(
    _ run: AndroidFaceRun, _ text: PreparedText, piece: Range<Int>, _ prepared: borrowing PreparedTexts
  ) {
    let shift = piece.lowerBound - word.lowerBound
    guard !(run.start - shift..<run.end - shift).contains(where: { !Self.isNewline(prepared.units[$0]) }) else {
      return
    }
    for unit in run.start..<run.end { prepared.note(.hidesFace, at: unit, text) }
  }

  static func isNewline(_ unit: UInt16) -> Bool { unit == 0x0a || unit == 0x0d }

  /// Returns the range of the word that holds a unit.
  private func findWord(at unit: Int, _ text: PreparedText, _ prepared: borrowing PreparedTexts) -> Range<Int> {
    var start = unit
    while start > max(text.unitStart, word.upperBound) && !Self.isWordBoundary(start, prepared) { start -= 1 }
    var end = unit + 1
    while end < text.unitStart + text.unitCount && !Self.isWordBoundary(end, prepared) { end += 1 }
    return start..<prepared.shapingEnd(start..<end)
  }

  /// Returns whether a word ends before a unit that is not the first of its text.
  static func isWordBoundary(_ unit: Int, _ prepared: borrowing PreparedTexts) -> Bool {
    let units = prepared.units.base
    return units[unit - 1] == 0x0a || startsWord(units[unit]) || endsWord(units[unit - 1])
  }

  /// Shapes the stretches of one script of a part of a piece in one face.
  ///
  /// Android 15 reads the scripts of a piece from the start of its word, so that a piece inside of a word has the scripts of
  /// the characters there.
  private func shapeScripts(
    _ text: PreparedText, piece: Range<Int>, _ range: Range<Int>, _ style: TextStyle, _ face: Int32,
    isRightToLeft: Bool, _ store: inout TextStore
  ) {
    let shift = piece.lowerBound - word.lowerBound
    var start = range.lowerBound
    while start < range.upperBound {
      let (shifted, script) = store.commonScriptRun(start - shift..<range.upperBound - shift)
      let end = shifted + shift
      let context = ShapingContext(
        face: face, script: script, ligatures: Double(Float(style.letterSpacing / style.size)).magnitude <= 0.03,
        isRightToLeft: isRightToLeft)
      let item = store.item(for: start - text.unitStart..<end - text.unitStart, text, style, context)
      shape(text, start..<end, item, &store)
      start = end
    }
  }

  private func shape(_ text: PreparedText, _ range: Range<Int>, _ item: Int, _ store: inout TextStore) {
    let context = store.prepared.items[item].context
    let face = store.book.faces[Int(context.face)]
    let spaces = store.prepared.items[item].style.letterSpacing != 0 && AndroidLetterSpacing.isTaken(by: context.script)
    let glyphs = store.shaper.glyphs(
      of: range.lowerBound - word.lowerBound..<range.upperBound - word.lowerBound,
      in: store.prepared.units.base + word.lowerBound, word.count, context,
      features: Self.features(ligatures: context.ligatures))
    let infos = glyphs.infos
    for index in infos.indices {
      let unit = word.lowerBound + Int(infos[index].cluster)
      let advance = glyphs.positions[index].x_advance
      let outline =
        advance == 0 || face.strikeAdvance != nil ? 0 : hb_font_get_glyph_h_advance(face.font, infos[index].codepoint)
      let startsCluster = index == 0 || infos[index].cluster != infos[index - 1].cluster
      let character = AndroidLetterSpacing.character(at: unit, store.prepared)
      store.prepared.glyphs.append(
        PlatformGlyph(
          unit: Int32(truncatingIfNeeded: unit - text.unitStart), item: Int32(truncatingIfNeeded: item),
          outline: outline, adjustment: advance - outline,
          isSpaced: spaces && startsCluster && !galley_is_control(character)))
    }
  }

  // MARK: Words and scripts

  /// Returns whether a unit is a word of its own: a space or a control of direction.
  private static func endsWord(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x20, 0x2000...0x200a, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0x3000: true
    default: false
    }
  }

  private static func startsWord(_ unit: UInt16) -> Bool { endsWord(unit) || (unit >= 0x3400 && unit <= 0x9fff) }

  private static func features(ligatures: Bool) -> ShapingFeatures {
    ligatures ? .contextualSpacing : [.contextualSpacing, .withoutStandardLigatures, .withoutContextualLigatures]
  }
}

extension PreparedTexts {
  /// Notes what is known of the place before a unit of a text, by the index of the unit among those of all texts.
  fileprivate func note(_ known: AndroidOpportunity, at unit: Int, _ text: PreparedText) {
    opportunities.base[text.opportunities.first + unit - text.unitStart].insert(known)
  }
}

extension TextStore {
  /// Returns the index of the item for a range of units of a text: the last one if that is the same and ends there.
  mutating func item(
    for range: Range<Int>, _ text: PreparedText, _ style: TextStyle, _ context: ShapingContext
  ) -> Int {
    let last = prepared.items.count - 1
    if last >= text.items.first, Int(prepared.items[last].end) == range.lowerBound,
      prepared.items[last].context == context, prepared.items[last].style == style
    {
      prepared.items.base[last].end = Int32(truncatingIfNeeded: range.upperBound)
      return last
    }
    appendItem(text, range, style, context, startsInline: false)
    return last + 1
  }
}
