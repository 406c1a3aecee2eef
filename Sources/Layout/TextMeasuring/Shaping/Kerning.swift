import Buffers
import CHarfBuzz

extension SegmentCutter {
  /// Adds the kerning of a piece with the segment before it, if that is in its item: to that segment, or to the piece's `joining`.
  func join(
    _ segment: inout Segment, _ piece: Range<Int>, _ units: UnsafePointer<UInt16>, _ item: UnsafePointer<Item>,
    _ pairs: PairAdvances, _ spaceKerning: SpaceKerning, _ rule: BrowserRules.Kerning, _ store: inout TextStore
  ) {
    let start = piece.lowerBound
    guard Int(item.pointee.start) < start && rule != .never else { return }
    let before = store.prepared.segments.base + store.prepared.segments.count - 1
    if rule == .onOneLine && units[start - 1] == 0x20, let kerning = spaceKerning.width(before: units[start]) {
      before.pointee.space += kerning
      return
    }
    let kerning = store.shaper.kerning(before: piece, in: units, item, pairs) * item.pointee.scale
    if units[start - 1] == 0x20 {
      before.pointee.space += kerning
    } else if rule == .always {
      before.pointee.advance += kerning
    } else {
      segment.joining = kerning
    }
  }
}

/// The kerning of ASCII characters after a space in an item, which is known without shaping.
struct SpaceKerning: BitwiseCopyable {
  /// The kerning of each character after a space in font units; nil if there is none.
  private let kerning: UnsafePointer<Int32>?
  /// The size of a font unit in points at text scale 1; nil if the kerning is not known.
  private let scale: Double?

  /// The kerning of an item that has none of the characters.
  static var unknown: SpaceKerning { SpaceKerning(kerning: nil, scale: nil) }

  private init(kerning: UnsafePointer<Int32>?, scale: Double?) { (self.kerning, self.scale) = (kerning, scale) }

  @inline(__always)
  init(_ item: UnsafePointer<Item>, _ book: FontBook) {
    let context = item.pointee.context
    let face = book.faces[Int(context.face)]
    let isKnown = !context.isSpecial && context.ofAsciiPieces != nil && face.coversAscii
    kerning = face.spaceKerning
    scale = isKnown ? pointsPerUnit(face, item.pointee.style.size) : nil
  }

  /// Returns whether it is known that a unit has no kerning after a space.
  @inline(__always)
  func isNone(before unit: UInt16) -> Bool { kerning == nil && scale != nil && unit < 0x7f }

  /// Returns the kerning before a unit in points at text scale 1, or nil if it is not known.
  @inline(__always)
  func width(before unit: UInt16) -> Double? {
    guard let scale, unit >= 0x20, unit < 0x7f else { return nil }
    return kerning.map { Double($0[Int(unit) - 0x20]) * scale } ?? 0
  }
}

extension Shaper {
  /// Returns the difference in advance of a piece if the piece before it is on the same line, in font units: the kerning
  /// over a space or a hyphen.
  fileprivate mutating func kerning(
    before piece: Range<Int>, in units: UnsafePointer<UInt16>, _ item: UnsafePointer<Item>, _ pairs: PairAdvances
  ) -> Double {
    let start = piece.lowerBound
    guard Self.canKern(units[start - 1]) && Self.canKern(units[start]) else { return 0 }
    if Ideographs.isKana(units[start - 1]) && Ideographs.isKana(units[start])
      && (piece.count == 1 || Ideographs.isNoMark(units[start + 1])) && hasKanaPairs(item.pointee.context)
    {
      let pair = UnsafeBufferPointer(start: units + start - 1, count: 2)
      return Double(kerning(of: pair, at: 1, item.pointee.context))
    }
    var before = start
    while before > Int(item.pointee.start) && start - before < 2
      && !(before < start && HangingSpaces.isBlank(units[before - 1]))
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

  private mutating func hasKanaPairs(_ context: ShapingContext) -> Bool {
    if let known = ideographs[hasKanaPairs: context] { return known }
    let found = withProperties(of: context, PairwiseCharacters.includeKana)
    ideographs[hasKanaPairs: context] = found
    return found
  }

  /// Returns the difference in advance of the units before an offset if those after it follow them on the same line. There are at most two
  /// before and two after it.
  private mutating func kerning(
    of units: UnsafeBufferPointer<UInt16>, at offset: Int, _ context: ShapingContext
  ) -> Int {
    var characters = (units: UInt64(0), lengths: UInt64(units.count << 8 | offset))
    for unit in units { characters.units = characters.units << 16 | UInt64(unit) }
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

  /// Returns whether fonts kern a unit: Latin, Greek, Cyrillic, kana, and the spaces and marks among them, but not
  /// ideographs and the scripts that are broken with dictionaries.
  static func canKern(_ unit: UInt16) -> Bool {
    unit < 0x590 || (unit >= 0x2000 && unit <= 0x206f) || (unit >= 0x3000 && unit <= 0x30ff) || unit == 0x1680
  }
}
