import Buffers

/// The advances of ideographs in the contexts in which texts are shaped, by their numbers in `Ideographs`. A table is faster than the
/// cache of segments.
struct IdeographTables: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let context: UInt64
    let advances: AdvanceTable
    /// Whether kana are changed in pairs only; nil if that is not known yet.
    var hasKanaPairs: Bool?
  }

  /// The most contexts with tables.
  private static let maxTables = 64

  private var entries = FlatBuffer<Entry>()

  deinit { for entry in entries.values { entry.advances.destroy() } }

  /// Returns the table of a context, or nil if too many contexts have one.
  @inline(__always)
  mutating func advances(_ context: ShapingContext) -> AdvanceTable? {
    index(of: context).map { entries[$0].advances }
  }

  @inline(__always)
  private mutating func index(of context: ShapingContext) -> Int? {
    for index in 0..<entries.count where entries[index].context == context.number { return index }
    guard entries.count < Self.maxTables else { return nil }
    entries.append(Entry(context: context.number, advances: AdvanceTable(count: Ideographs.count)))
    return entries.count - 1
  }

  /// Whether kana are changed in pairs only in a context; nil if that is not known yet.
  subscript(hasKanaPairs context: ShapingContext) -> Bool? {
    mutating get {
      guard let index = index(of: context) else { return false }
      return entries[index].hasKanaPairs
    }
    set { if let index = index(of: context) { entries.base[index].hasKanaPairs = newValue } }
  }
}
