import Buffers
import CHarfBuzz

/// The advances of the printable ASCII characters of a font by the character after them, for one way of shaping.
///
/// The advance of a word whose characters are all pairwise is a sum of these, so that the word need not be shaped. HarfBuzz measures a
/// pair when it first occurs.
struct PairAdvances: BitwiseCopyable {
  /// The first of the characters, a space.
  static let first: UInt8 = 0x20
  /// The number of characters from space to `~`.
  static let count = 95
  /// The column of the advance of a character by itself.
  static let alone = count
  private static let columns = count + 1
  /// The advance of a pair that was not measured, or whose characters are not pairwise.
  static let unknown = Int32.min

  private let advances: UnsafeMutablePointer<Int32>

  /// Creates a table without advances.
  init() {
    advances = .allocate(capacity: Self.count * Self.columns)
    advances.initialize(repeating: Self.unknown, count: Self.count * Self.columns)
  }

  func destroy() { advances.deallocate() }

  /// The advance of a character before another one, by their numbers from space on.
  @inline(__always)
  subscript(row: Int, column: Int) -> Int32 {
    get { advances[row &* Self.columns &+ column] }
    nonmutating set { advances[row &* Self.columns &+ column] = newValue }
  }

  /// The sum of advances of which at least one is `unknown` is at most this, and any other sum is greater.
  static let unknownSum = -(1 << 30)
  /// The most characters of which advances are summed. Longer words are shaped in stretches.
  static let maxSummed = Shaper.maxStretch
  /// The advances in the table are smaller than this, so that sums show whether one was unknown.
  private static let limit: Int32 = 1 << 21

  /// Returns the number of a unit from space on, or nil if it is not printable ASCII.
  @inline(__always)
  private static func row(_ unit: UInt16) -> Int? {
    let row = Int(unit &- UInt16(first))
    return row < count ? row : nil
  }

  /// Returns whether the table can have an advance.
  static func contains(_ advance: Int32) -> Bool { advance > -limit && advance < limit }

  /// The advance of a printable ASCII unit before another one.
  @inline(__always)
  subscript(unit: UInt16, next: UInt16) -> Int32 {
    let offset = Int(Self.first) &* Self.columns &+ Int(Self.first)
    return (advances - offset)[Int(unit) &* Self.columns &+ Int(next)]
  }

  /// Returns the advance of a printable ASCII unit by itself.
  @inline(__always)
  func alone(_ unit: UInt16) -> Int32 { self[unit, UInt16(Self.first) + UInt16(Self.count)] }

  /// Returns the advances of a piece of a text, which is not empty; nil if one of its pairs was not measured.
  @inline(__always)
  func sum(of units: UnsafeBufferPointer<UInt16>) -> ShapedSegment? {
    guard units.count <= Self.maxSummed, var row = Self.row(units[0]) else { return nil }
    var shaped = ShapedSegment()
    for index in 1..<units.count {
      guard let next = Self.row(units[index]) else { return nil }
      let advance = self[row, next]
      if advance == Self.unknown { return nil }
      shaped.advance += Int(advance)
      row = next
    }
    let last = self[row, Self.alone]
    if last == Self.unknown { return nil }
    shaped.advance += Int(last)
    if row == 0 { shaped.spaceAdvance = Int(last) }
    return shaped
  }

  /// Returns the difference in advance of the piece before `start` if the piece from `start` on follows it on the same line; nil
  /// if one of their pairs was not measured.
  func kerning(of units: UnsafeBufferPointer<UInt16>, at start: Int) -> Int? {
    guard sum(of: units) != nil, let before = Self.row(units[start - 1]), let after = Self.row(units[start]) else {
      return nil
    }
    let alone = self[before, Self.alone]
    return alone == Self.unknown ? nil : Int(self[before, after] - alone)
  }
}

/// The tables of pairs of the contexts in which texts are shaped.
struct PairTables: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let context: UInt64
    /// The words that were shaped before the context had a table.
    var words = 0
    /// The table and the characters that are pairwise; nil before the table is made.
    var table: PairAdvances?
    var characters: PairwiseCharacters?
  }

  /// The number of words that are shaped in a context before its table is made. Shaping them takes about as long as making the
  /// table.
  private static let wordsBeforeTable = 256
  /// The most contexts with tables. A table has 36 KiB.
  private static let maxTables = 64

  private var entries = FlatBuffer<Entry>()
  /// The table of contexts that have none.
  private let none = PairAdvances()

  deinit {
    for entry in entries.values { entry.table?.destroy() }
    none.destroy()
  }

  /// Returns the table of a context, which is empty if it was not made.
  @inline(__always)
  func table(_ context: ShapingContext) -> PairAdvances { index(of: context).flatMap { entries[$0].table } ?? none }

  /// Returns the table for pieces of a text that are plain ASCII; see `Shaper.piece`.
  func tableOfPieces(_ context: ShapingContext) -> PairAdvances {
    guard let context = context.ofAsciiPieces else { return none }
    return table(context)
  }

  /// Returns the characters of a context that are pairwise, or nil if they are not known.
  func characters(_ context: ShapingContext) -> PairwiseCharacters? {
    index(of: context).flatMap { entries[$0].characters }
  }

  @inline(__always)
  private func index(of context: ShapingContext) -> Int? {
    let key = context.number
    for index in 0..<entries.count where entries[index].context == key { return index }
    return nil
  }

  /// Counts a word that is shaped, and returns whether a table of its context is due.
  mutating func isDue(_ context: ShapingContext) -> Bool {
    if let index = index(of: context) {
      entries.base[index].words += 1
      return entries[index].words == Self.wordsBeforeTable
    }
    if entries.count < Self.maxTables {
      entries.append(Entry(context: context.number, words: 1))
    }
    return false
  }

  /// Makes the table of a context.
  mutating func add(_ found: PairwiseCharacters, _ context: ShapingContext) {
    guard let index = index(of: context) else { return }
    entries.base[index].table = PairAdvances()
    entries.base[index].characters = found
  }
}

extension Shaper {
  /// Returns the advances of a segment as a sum; nil if it has characters that are not pairwise, or its context has no table yet.
  mutating func sum(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment? {
    guard context.script == HB_SCRIPT_LATIN, !context.isRightToLeft else { return nil }
    guard let characters = pairs.characters(context) else {
      if pairs.isDue(context) { pairs.add(pairwiseCharacters(context), context) }
      return nil
    }
    // Longer ones are shaped in stretches.
    guard units.count <= PairAdvances.maxSummed, units.count > 0, units.allSatisfy({ characters.contains($0) }) else {
      return nil
    }
    let table = pairs.table(context)
    var shaped = ShapedSegment()
    for index in 0..<units.count {
      let row = Int(units[index]) - Int(PairAdvances.first)
      let next = index + 1 < units.count ? Int(units[index + 1]) - Int(PairAdvances.first) : PairAdvances.alone
      guard let advance = advance(row, next, table, context) else { return nil }
      shaped.advance += Int(advance)
      if next == PairAdvances.alone && units[index] == 0x20 { shaped.spaceAdvance = Int(advance) }
    }
    return shaped
  }

  @inline(never)
  private func pairwiseCharacters(_ context: ShapingContext) -> PairwiseCharacters {
    var properties = hb_segment_properties_t()
    properties.script = context.script
    properties.direction = HB_DIRECTION_LTR
    properties.language = languages[context.language]
    let features = withFeatures(
      ShapingFeatures(ligatures: context.ligatures, kerning: context.kerns), of: context
    ) { Array($0) }
    return PairwiseCharacters(book.faces[Int(context.face)].font, properties, features)
  }

  /// Returns the advance of a character before another one, or by itself, and notes it.
  private mutating func advance(
    _ row: Int, _ next: Int, _ table: PairAdvances, _ context: ShapingContext
  ) -> Int32? {
    let known = table[row, next]
    if known != PairAdvances.unknown { return known }
    let first = UInt8(row) + PairAdvances.first
    if next == PairAdvances.alone {
      guard let alone = advances(of: [first], context), PairAdvances.contains(alone[0]) else { return nil }
      table[row, next] = alone[0]
      return alone[0]
    }
    guard let pair = advances(of: [first, UInt8(next) + PairAdvances.first], context),
      advance(next, PairAdvances.alone, table, context) == pair[1], PairAdvances.contains(pair[0])
    else { return nil }
    table[row, next] = pair[0]
    return pair[0]
  }

  /// Returns the advances of the glyphs of characters; nil if these have not a glyph each.
  private func advances(of bytes: [UInt8], _ context: ShapingContext) -> [Int32]? {
    hb_buffer_clear_contents(buffer)
    hb_buffer_add_latin1(buffer, bytes, Int32(bytes.count), 0, Int32(bytes.count))
    shapeBuffer(context)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &count), Int(count) == bytes.count
    else { return nil }
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    return bytes.indices.map { rounding(positions[$0].x_advance, of: infos[$0].codepoint) }
  }
}
