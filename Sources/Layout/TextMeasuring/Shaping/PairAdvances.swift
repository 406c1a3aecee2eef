import Buffers
import CHarfBuzz

/// The advances of the plain characters of a font by the character after them, for one way of shaping. Characters are known by their
/// numbers in `PlainCharacters`.
///
/// The advance of a word whose characters are all pairwise is a sum of these, so that the word need not be shaped. HarfBuzz measures a
/// pair when it first occurs.
///
/// A sum also shows whether one of its advances is not known. The table has the advances 500 and 600 as 500 + 2^31 and
/// 600 + 2^31, and 0 for one that is not known. Less 2^31 for each, the sum of both is 1,100, and that of 0 and the second is
/// 600 - 2^31. As the known ones are below 512 * 2^21 = 2^30 together, such a sum is at most -2^30, and others are greater.
struct PairAdvances: BitwiseCopyable {
  /// The length of the longest word whose advances are added up. Longer words are shaped in stretches.
  static let maxSummed = Shaper.maxStretch
  /// The advances in the table are smaller than this, so that sums show whether one was not known.
  private static let limit: Int32 = 1 << 21
  /// A sum is at most this if one of its advances is not known, and greater otherwise.
  static let unknownSum = -(1 << 30)

  private static let columns = PlainCharacters.count

  private let advances = AdvanceTable(count: columns * columns)

  func destroy() { advances.destroy() }

  @inline(__always)
  private static func index(_ character: UInt16, _ next: UInt16) -> Int { Int(character) &* columns &+ Int(next) }

  /// The advance of a character before another one with a bias, or of a character alone if there is none after it.
  @inline(__always)
  func biased(_ character: UInt16, _ next: UInt16) -> Int { advances.biased(Self.index(character, next)) }

  /// Returns the sum of some advances from the sum of them with their bias; at most `unknownSum` if one is not known.
  @inline(__always)
  static func sum(_ biased: Int, of count: Int) -> Int { biased &- count &* AdvanceTable.bias }

  /// The advance of a character before another one, or of a character alone if there is none after it; nil if it was not measured, or
  /// is not that of a pair.
  subscript(character: UInt16, next: UInt16) -> Int32? {
    get { advances[Self.index(character, next)] }
    nonmutating set { advances[Self.index(character, next)] = newValue }
  }

  /// Returns whether the table can have an advance.
  static func contains(_ advance: Int32) -> Bool { advance > -limit && advance < limit }

  /// Returns the advances of a piece of a text, which is not empty; nil if one of its pairs was not measured.
  ///
  /// - Parameter isLatin: whether it is shaped as Latin. Elsewhere only ASCII is shaped as the table has it.
  @inline(__always)
  func sum(of units: UnsafeBufferPointer<UInt16>, isLatin: Bool) -> ShapedSegment? {
    var last = PlainCharacters.number(of: units[0])
    var (biased, highest) = (0, last)
    for index in 1..<units.count {
      let next = PlainCharacters.number(of: units[index])
      if next == PlainCharacters.none { return nil }
      biased &+= self.biased(last, next)
      highest = max(highest, next)
      last = next
    }
    let alone = self.biased(last, PlainCharacters.none)
    let sum = Self.sum(biased &+ alone, of: units.count)
    guard units.count <= Self.maxSummed, isLatin || highest < 0x7f, sum > Self.unknownSum else { return nil }
    return ShapedSegment(advance: sum, spaceAdvance: last == 0x20 ? alone &- AdvanceTable.bias : 0)
  }

  /// Returns the difference in advance of the piece before `start` if the piece from `start` on follows it on the same line; nil
  /// if one of their pairs was not measured.
  func kerning(of units: UnsafeBufferPointer<UInt16>, at start: Int, isLatin: Bool) -> Int? {
    guard sum(of: units, isLatin: isLatin) != nil else { return nil }
    let before = PlainCharacters.number(of: units[start - 1])
    let after = PlainCharacters.number(of: units[start])
    guard let together = self[before, after], let alone = self[before, PlainCharacters.none] else { return nil }
    return Int(together) - Int(alone)
  }
}

extension Shaper {
  /// Returns the advances of a segment as a sum; nil if it has characters that are not pairwise, or its context has no table yet.
  mutating func sum(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment? {
    guard context.ofAsciiPieces == context else { return nil }
    guard let characters = tables.pairwise(context) else {
      if tables.isDue(context) { tables.addPairs(pairwiseCharacters(context), context) }
      return nil
    }
    // Longer ones are shaped in stretches.
    guard units.count <= PairAdvances.maxSummed, units.count > 0, units.allSatisfy({ characters.contains($0) }) else {
      return nil
    }
    let table = tables.pairs(context)
    var shaped = ShapedSegment()
    for index in 0..<units.count {
      let next = index + 1 < units.count ? units[index + 1] : nil
      guard let advance = advance(of: units[index], before: next, table, context) else { return nil }
      shaped.advance += Int(advance)
      if next == nil && units[index] == 0x20 { shaped.spaceAdvance = Int(advance) }
    }
    return shaped
  }

  @inline(never)
  private func pairwiseCharacters(_ context: ShapingContext) -> PairwiseCharacters {
    withProperties(of: context) { PairwiseCharacters($0, $1, $2) }
  }

  /// Calls a function with the font, the properties and the features of a context.
  func withProperties<Result>(
    of context: ShapingContext, _ body: (OpaquePointer, hb_segment_properties_t, [hb_feature_t]) -> Result
  ) -> Result {
    var properties = hb_segment_properties_t()
    properties.script = context.script
    properties.direction = context.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR
    properties.language = languages[context.language]
    let features = withFeatures(.ofBrowser(context), of: context) { Array($0) }
    return body(book.faces[Int(context.face)].font, properties, features)
  }

  /// Returns the advance of a unit before another one, or alone, and notes it.
  private mutating func advance(
    of unit: UInt16, before next: UInt16?, _ table: PairAdvances, _ context: ShapingContext
  ) -> Int32? {
    let character = PlainCharacters.number(of: unit)
    let after = next.map { PlainCharacters.number(of: $0) } ?? PlainCharacters.none
    if let known = table[character, after] { return known }
    let neighbor = (unit == 0x20 || next == 0x20) && leavesSpaces(context) ? nil : next
    let units = neighbor.map { [unit, $0] } ?? [unit]
    guard let measured = advances(of: units, context), PairAdvances.contains(measured[0]) else { return nil }
    if let neighbor {
      guard advance(of: neighbor, before: nil, table, context) == measured[1] else { return nil }
    }
    table[character, after] = measured[0]
    return measured[0]
  }

  /// Returns the advances of the glyphs of units; nil if these have not a glyph each.
  private func advances(of units: [UInt16], _ context: ShapingContext) -> [Int32]? {
    let glyphs = glyphs(of: units.indices, in: units, units.count, context)
    guard glyphs.count == units.count else { return nil }
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    return units.indices.map { rounding(glyphs.positions[$0].x_advance, of: glyphs.infos[$0].codepoint) }
  }
}
