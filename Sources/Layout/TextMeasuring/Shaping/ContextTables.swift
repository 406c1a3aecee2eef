import Buffers

/// What is known of the contexts in which texts are shaped: advances by which words and ideographs need not be shaped.
struct ContextTables: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let context: UInt64
    /// The words that were shaped before the context had advances of pairs.
    var words = 0
    /// The advances of pairs, and the characters that are pairwise; nil before they are made.
    var pairs: PairAdvances?
    var pairwise: PairwiseCharacters?
    /// The advances of ideographs by their numbers in `Ideographs`; nil before one is needed.
    var ideographs: AdvanceTable?
    /// Whether kana are changed in pairs only; nil if that is not known yet.
    var hasKanaPairs: Bool?
  }

  /// The number of words that are shaped in a context before it has advances of pairs. Shaping them takes about as long as making
  /// these.
  private static let wordsBeforePairs = 256
  /// The largest number of contexts. Their tables have up to 576 KiB each. English texts use a quarter of the pages.
  private static let maxContexts = 64

  private var entries = FlatBuffer<Entry>()
  /// The advances of pairs of contexts that have none.
  private let none = PairAdvances()

  deinit {
    for entry in entries.values {
      entry.pairs?.destroy()
      entry.ideographs?.destroy()
    }
    none.destroy()
  }

  @inline(__always)
  private func index(of context: ShapingContext) -> Int? {
    let key = context.number
    for index in 0..<entries.count where entries.base[index].context == key { return index }
    return nil
  }

  /// Returns the index of a context, which is added if it is new; nil if there are too many.
  private mutating func add(_ context: ShapingContext) -> Int? {
    if let index = index(of: context) { return index }
    guard entries.count < Self.maxContexts else { return nil }
    entries.append(Entry(context: context.number))
    return entries.count - 1
  }

  // MARK: Pairs

  /// Returns the advances of pairs of a context, which are empty if they were not made.
  @inline(__always)
  func pairs(_ context: ShapingContext) -> PairAdvances { index(of: context).flatMap { entries[$0].pairs } ?? none }

  /// Returns the advances of pairs for pieces of a text that are plain ASCII; see `Shaper.piece`.
  func pairsOfPieces(_ context: ShapingContext) -> PairAdvances {
    guard let context = context.ofAsciiPieces else { return none }
    return pairs(context)
  }

  /// Returns the characters of a context that are pairwise, or nil if they are not known.
  func pairwise(_ context: ShapingContext) -> PairwiseCharacters? {
    index(of: context).flatMap { entries[$0].pairwise }
  }

  /// Counts a word that is shaped, and returns whether advances of pairs of its context are due.
  mutating func isDue(_ context: ShapingContext) -> Bool {
    guard let index = add(context) else { return false }
    entries.base[index].words += 1
    return entries[index].words == Self.wordsBeforePairs
  }

  /// Makes the advances of pairs of a context.
  mutating func addPairs(_ found: PairwiseCharacters, _ context: ShapingContext) {
    guard let index = index(of: context) else { return }
    entries.base[index].pairs = PairAdvances()
    entries.base[index].pairwise = found
  }

  // MARK: Ideographs

  /// Returns the advances of ideographs of a context, or nil if too many contexts have tables. A table is faster than the cache of
  /// segments.
  @inline(__always)
  mutating func ideographs(_ context: ShapingContext) -> AdvanceTable? {
    if let index = index(of: context), let known = entries.base[index].ideographs { return known }
    return addIdeographs(context)
  }

  private mutating func addIdeographs(_ context: ShapingContext) -> AdvanceTable? {
    guard let index = add(context) else { return nil }
    let advances = AdvanceTable(count: Ideographs.count)
    entries.base[index].ideographs = advances
    return advances
  }

  /// Whether kana are changed in pairs only in a context; nil if that is not known yet.
  subscript(hasKanaPairs context: ShapingContext) -> Bool? {
    mutating get {
      guard let index = add(context) else { return false }
      return entries[index].hasKanaPairs
    }
    set { if let index = index(of: context) { entries.base[index].hasKanaPairs = newValue } }
  }
}
