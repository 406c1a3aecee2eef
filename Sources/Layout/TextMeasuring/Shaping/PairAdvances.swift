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
  /// An advance that was not measured.
  static let unknown = Int32.min

  let context: UInt64
  /// The row of each byte, which is 255 for one that is not pairwise.
  private let rows: UnsafeMutablePointer<UInt8>
  private let advances: UnsafeMutablePointer<Int32>

  init(context: UInt64, _ characters: PairwiseCharacters) {
    self.context = context
    rows = .allocate(capacity: 256)
    rows.initialize(repeating: .max, count: 256)
    for row in 0..<Self.count where characters.contains[row] { rows[row + Int(Self.first)] = UInt8(row) }
    advances = .allocate(capacity: Self.count * Self.columns)
    advances.initialize(repeating: Self.unknown, count: Self.count * Self.columns)
  }

  func destroy() {
    rows.deallocate()
    advances.deallocate()
  }

  /// Whether no character is pairwise.
  var isEmpty: Bool { (0..<256).allSatisfy { rows[$0] == .max } }

  /// Returns the row of a byte, or nil if it is not a pairwise character.
  @inline(__always)
  func row(_ byte: UInt8) -> Int? {
    let row = rows[Int(byte)]
    return row == .max ? nil : Int(row)
  }

  @inline(__always)
  subscript(row: Int, column: Int) -> Int32 {
    get { advances[row * Self.columns + column] }
    nonmutating set { advances[row * Self.columns + column] = newValue }
  }
}

/// The tables of pairs of the contexts in which texts are shaped.
struct PairTables: ~Copyable {
  /// A context before it has a table.
  private struct Candidate: BitwiseCopyable {
    let context: UInt64
    var words: Int
  }

  /// The words that are shaped in a context before its table is made, which takes about as long as shaping so many.
  private static let wordsBeforeTable = 256
  /// The most contexts with tables. A table has 36 KiB.
  private static let maxTables = 64

  private var tables = FlatBuffer<PairAdvances>()
  private var candidates = FlatBuffer<Candidate>()

  deinit { for table in tables.values { table.destroy() } }

  /// Returns the table of a context, or nil.
  @inline(__always)
  func table(_ context: UInt64) -> PairAdvances? {
    for index in 0..<tables.count where tables[index].context == context { return tables[index] }
    return nil
  }

  /// Counts a word that is shaped, and returns whether a table of its context is due.
  mutating func isDue(_ context: UInt64) -> Bool {
    for index in 0..<candidates.count where candidates[index].context == context {
      candidates.base[index].words += 1
      return candidates[index].words == Self.wordsBeforeTable && tables.count < Self.maxTables
    }
    if candidates.count < Self.maxTables { candidates.append(Candidate(context: context, words: 1)) }
    return false
  }

  mutating func add(_ table: PairAdvances) { tables.append(table) }
}

extension Shaper {
  /// Returns the advances of a segment of ASCII text as a sum; nil if it has characters that are not pairwise, or its context has
  /// no table yet.
  mutating func sum(_ bytes: ByteString, _ context: ShapingContext) -> ShapedSegment? {
    let key = context.cacheContext(wide: false)
    guard let table = pairs.table(key) else {
      if pairs.isDue(key) { makeTable(key, context) }
      return nil
    }
    // Longer ones are shaped in stretches.
    guard bytes.count <= Self.maxStretch, bytes.count > 0, var row = table.row(bytes[0]) else { return nil }
    var shaped = ShapedSegment()
    for index in 1..<bytes.count {
      guard let next = table.row(bytes[index]) else { return nil }
      var advance = table[row, next]
      if advance == PairAdvances.unknown {
        guard let measured = measurePair(row, next, table, context) else { return nil }
        advance = measured
      }
      shaped.advance += Int(advance)
      row = next
    }
    guard let last = advanceAlone(row, table, context) else { return nil }
    shaped.advance += Int(last)
    if bytes.hasSuffix(0x20) { shaped.spaceAdvance = Int(last) }
    return shaped
  }

  @inline(never)
  private mutating func makeTable(_ key: UInt64, _ context: ShapingContext) {
    var properties = hb_segment_properties_t()
    properties.script = context.script
    properties.direction = HB_DIRECTION_LTR
    properties.language = languages[context.language]
    let features = withFeatures(ShapingFeatures(ligatures: context.ligatures, kerning: context.kerns), of: context) {
      Array($0)
    }
    let characters = PairwiseCharacters(book.faces[Int(context.face)].font, properties, features)
    let table = PairAdvances(context: key, characters)
    pairs.add(table)
  }

  /// Measures and notes the advance of a character before another one.
  @inline(never)
  private mutating func measurePair(
    _ row: Int, _ next: Int, _ table: PairAdvances, _ context: ShapingContext
  ) -> Int32? {
    let bytes = [UInt8(row) + PairAdvances.first, UInt8(next) + PairAdvances.first]
    guard let advances = shapeCharacters(bytes, context), advanceAlone(next, table, context) == advances[1] else {
      return nil
    }
    table[row, next] = advances[0]
    return advances[0]
  }

  /// Returns the advance of a character with none after it.
  private mutating func advanceAlone(_ row: Int, _ table: PairAdvances, _ context: ShapingContext) -> Int32? {
    let known = table[row, PairAdvances.alone]
    if known != PairAdvances.unknown { return known }
    guard let advances = shapeCharacters([UInt8(row) + PairAdvances.first], context) else { return nil }
    table[row, PairAdvances.alone] = advances[0]
    return advances[0]
  }

  /// Returns the advances of the glyphs of characters; nil if these have not a glyph each.
  private mutating func shapeCharacters(_ bytes: [UInt8], _ context: ShapingContext) -> [Int32]? {
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
