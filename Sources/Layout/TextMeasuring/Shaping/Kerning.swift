import Buffers
import CHarfBuzz

extension SegmentCutter {
  /// Adds the kerning of a piece with the segment before it, if they are shaped together:
  /// - After a space, with the rule `onOneLine` and a kerning that the face alone decides, to the space. What a digit changes
  ///   besides is added to the segment before if the piece begins with it, otherwise to `joining`.
  /// - After another space, to the space.
  /// - After another unit, to the segment before if the rule is `always` or no line breaks before the piece, otherwise to `joining`,
  ///   which counts only if both are on one line.
  func join(
    _ segment: inout Segment, _ piece: Range<Int>, _ units: UnsafePointer<UInt16>, _ item: UnsafePointer<Item>,
    _ pairs: PairAdvances, _ text: PreparedText, _ store: inout TextStore
  ) {
    let (start, rule) = (piece.lowerBound, text.rules.kerning)
    guard start > 0 && rule != .never && !(units[start - 1] == 0x20 && item.pointee.leavesSpaces) else { return }
    // A mark after a space is shaped with the space: fonts add a circle to a mark that has no base. The dictionary of Burmese has
    // words that begin with a letter below another one.
    let kerns =
      Shaper.canKern(units[start - 1])
      && (Shaper.canKern(units[start])
        || (units[start - 1] == 0x20 && store.isInsideCluster(text.unitStart + start)))
      || units[start - 1] == Shaper.stacker
    guard kerns && item.shapingStart(before: start) < start else { return }
    let before = store.prepared.segments.base + store.prepared.segments.count - 1
    let ofSpace =
      rule == .onOneLine && units[start - 1] == 0x20
      ? SpaceKerning(item, store.shaper).width(before: units[start], store.shaper) : nil
    if let ofSpace {
      before.pointee.space += ofSpace
      guard Shaper.hasDigit(piece, units) else { return }
    }
    // Beside a number, what is left is the change of a sign, which is in the piece that does not begin with the number.
    let seesWords = ofSpace != nil
    let kerning =
      store.shaper.kerning(before: piece, in: units, item, pairs, seesWords: seesWords) * item.pointee.scale
      - (ofSpace ?? 0)
    if !seesWords && units[start - 1] == 0x20 {
      before.pointee.space += kerning
    } else if rule == .always || segment.traits.contains(.continues) || (seesWords && Shaper.isDigit(units[start])) {
      before.pointee.advance += kerning
    } else {
      segment.joining = kerning
    }
  }
}

/// The kerning of ASCII characters after a space in an item, which does not depend on its style but for the face.
struct SpaceKerning: BitwiseCopyable {
  /// The characters whose kerning is known.
  static let units: Range<UInt16> = 0x20..<0x7f

  private let face: Int32
  /// The kernings of the face by character, in font units.
  private let kernings: AdvanceTable
  /// The size of a font unit in points at text scale 1; nil if the kerning depends on more than the face.
  private let scale: Double?

  @inline(__always)
  init(_ item: UnsafePointer<Item>, _ shaper: borrowing Shaper) {
    let context = item.pointee.context
    let face = shaper.book.faces[Int(context.face)]
    self.face = context.face
    kernings = shaper.spaceKernings.from(Int(context.face) &* Self.units.count)
    let isKnown = !context.isSpecial && context.ofAsciiPieces != nil && face.coversAscii
    scale = !isKnown ? nil : context.rounding == 0 ? item.pointee.scale : pointsPerUnit(face, item.pointee.style.size)
  }

  /// Returns whether it is known that a unit has no kerning after a space.
  @inline(__always)
  func isNone(before unit: UInt16) -> Bool {
    scale != nil && Self.units.contains(unit) && kernings.biased(Int(unit &- 0x20)) == AdvanceTable.bias
  }

  /// Returns the kerning before a unit in points at text scale 1, or nil if it depends on more than the face.
  func width(before unit: UInt16, _ shaper: borrowing Shaper) -> Double? {
    guard let scale, Self.units.contains(unit) else { return nil }
    let index = Int(unit &- 0x20)
    if let known = kernings[index] { return Double(known) * scale }
    let kerning =
      shaper.advance(of: [0x20, unit], face) &- shaper.advance(of: [0x20], face) &- shaper.advance(of: [unit], face)
    kernings[index] = kerning
    return Double(kerning) * scale
  }
}

extension Shaper {
  /// Returns the advance of units in Latin without a language in font units.
  fileprivate func advance(of units: [UInt16], _ face: Int32) -> Int32 {
    fillBuffer(units.indices, of: units, units.count)
    hb_buffer_set_script(buffer, HB_SCRIPT_LATIN)
    hb_buffer_set_direction(buffer, HB_DIRECTION_LTR)
    galley_shape(book.faces[Int(face)].font, buffer, nil, 0)
    return ShapedGlyphs(buffer).positions.reduce(0) { $0 &+ $1.x_advance }
  }

  /// Returns whether one of the first two units of a piece is a digit. Fonts change signs between digits, also over spaces: Inter shows
  /// the x of `2 x 3` as a multiplication sign.
  @inline(__always)
  fileprivate static func hasDigit(_ piece: Range<Int>, _ units: UnsafePointer<UInt16>) -> Bool {
    isDigit(units[piece.lowerBound]) || (piece.count > 1 && isDigit(units[piece.lowerBound + 1]))
  }

  @inline(__always)
  fileprivate static func isDigit(_ unit: UInt16) -> Bool { unit >= 0x30 && unit <= 0x39 }

  /// Returns the difference in advance of a piece if the piece before it is on the same line, in font units: the kerning
  /// over a space or a hyphen.
  ///
  /// - Parameter seesWords: whether characters behind spaces can have an influence.
  fileprivate mutating func kerning(
    before piece: Range<Int>, in units: UnsafePointer<UInt16>, _ item: UnsafePointer<Item>, _ pairs: PairAdvances,
    seesWords: Bool
  ) -> Double {
    let start = piece.lowerBound
    if Ideographs.isKana(units[start - 1]) && Ideographs.isKana(units[start])
      && (piece.count == 1 || Ideographs.isNoMark(units[start + 1])) && hasKanaPairs(item.pointee.context)
    {
      let pair = UnsafeBufferPointer(start: units + start - 1, count: 2)
      return Double(kerning(of: pair, at: 1, item.pointee.context))
    }
    var before = start
    let first = item.shapingStart(before: start)
    // What is around a stack of letters also changes its shape.
    let longest = seesWords || units[start - 1] == Self.stacker ? 4 : 2
    while before > first && start - before < longest
      && (seesWords ? units[before - 1] >= 0x20 : before == start || !HangingSpaces.isBlank(units[before - 1]))
    {
      before -= 1
    }
    let after = min(piece.upperBound, start + 2)
    guard before < start else { return 0 }
    let joined = UnsafeBufferPointer(start: units + before, count: after - before)
    let isLatin = item.pointee.context.script == HB_SCRIPT_LATIN
    if units[start] < Ideographs.first,
      let kerning = pairs.kerning(of: joined, at: start - before, isLatin: isLatin)
    {
      return Double(kerning)
    }
    return Double(kerning(of: joined, at: start - before, item.pointee.context))
  }

  /// Returns whether words are shaped without the spaces around them, as in Firefox if no lookup of the font has the space
  /// (text-rules 22).
  @inline(__always)
  mutating func leavesSpaces(_ context: ShapingContext) -> Bool { context.isOfFirefox && !shapesSpaces(context) }

  /// Returns whether a lookup has the space. That does not depend on the size of the font.
  private mutating func shapesSpaces(_ context: ShapingContext) -> Bool {
    let key = context.unrounded.number
    if let known = shapesSpaces[key] { return known }
    let found = withProperties(of: context, PlannedLookups.haveSpaces)
    shapesSpaces[key] = found
    return found
  }

  private mutating func hasKanaPairs(_ context: ShapingContext) -> Bool {
    if let known = tables[hasKanaPairs: context] { return known }
    let found = withProperties(of: context, PairwiseCharacters.includeKana)
    tables[hasKanaPairs: context] = found
    return found
  }

  /// Returns the difference in advance of the units before an offset if those after it follow them on the same line. There are at most four
  /// before and two after it.
  private mutating func kerning(
    of units: UnsafeBufferPointer<UInt16>, at offset: Int, _ context: ShapingContext
  ) -> Int {
    var characters = (units: UInt64(0), lengthsAndUnits: UInt64(units.count << 8 | offset))
    for unit in units.prefix(4) { characters.units = characters.units << 16 | UInt64(unit) }
    for unit in units.dropFirst(4) { characters.lengthsAndUnits = characters.lengthsAndUnits << 16 | UInt64(unit) }
    return withUnsafeBytes(of: &characters) { bytes in
      let key = SegmentCache.Key(ByteString(bytes), context: context.numberOfKerning)
      if let known = cache.find(key) { return known.advance }
      let first = UnsafeBufferPointer(rebasing: units[..<offset])
      let second = UnsafeBufferPointer(rebasing: units[offset...])
      let apart = piece(first, context).advance + piece(second, context).advance
      let kerning = piece(units, context).advance - apart
      cache.insert(key, ShapedSegment(advance: kerning))
      return kerning
    }
  }

  /// The sign of Burmese that puts the letter after it below the one before it.
  fileprivate static var stacker: UInt16 { 0x1039 }

  /// Returns whether fonts kern a unit: Latin, Greek, Cyrillic, Tibetan, kana, and the spaces and marks among them, but not
  /// ideographs and the scripts that are broken with dictionaries.
  static func canKern(_ unit: UInt16) -> Bool {
    // Ideographs are the most frequent of the others.
    guard unit < 0x3100 else { return false }
    return unit < 0x590 || unit >= 0x3000 || (unit >= 0x2000 && unit <= 0x206f) || unit >> 8 == 0x0f || unit == 0x1680
  }
}
