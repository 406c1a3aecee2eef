import Buffers

/// The advances of single units from U+2E80 on in a font, for one way of shaping. Looking one up takes less than in the cache of segments.
struct IdeographAdvances: BitwiseCopyable {
  private static let first: UInt16 = 0x2e80
  /// What is added to an advance in the table, so that none is 0, which stands for an advance that is not known.
  private static let bias = 1 << 31

  /// A page of advances takes memory when it is first written.
  private let advances = ZeroedMemory.allocate(UInt32.self, count: Int(UInt16.max - first) + 1)

  func destroy() { ZeroedMemory.deallocate(advances) }

  /// The advance of a unit; nil if it is not known.
  @inline(__always)
  subscript(unit: UInt16) -> Int32? {
    get {
      let biased = advances[Int(unit - Self.first)]
      return biased == 0 ? nil : Int32(truncatingIfNeeded: Int(biased) - Self.bias)
    }
    nonmutating set {
      advances[Int(unit - Self.first)] = newValue.map { UInt32(truncatingIfNeeded: Int($0) + Self.bias) } ?? 0
    }
  }
}

/// The advances of ideographs in the contexts in which texts are shaped.
struct IdeographTables: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let context: UInt64
    let advances: IdeographAdvances
    /// Whether kana are changed in pairs only; nil if that is not known yet.
    var hasKanaPairs: Bool?
  }

  /// The most contexts with tables.
  private static let maxTables = 64

  private var entries = FlatBuffer<Entry>()

  deinit { for entry in entries.values { entry.advances.destroy() } }

  /// Returns the table of a context, or nil if too many contexts have one.
  @inline(__always)
  mutating func advances(_ context: ShapingContext) -> IdeographAdvances? {
    index(of: context).map { entries[$0].advances }
  }

  @inline(__always)
  private mutating func index(of context: ShapingContext) -> Int? {
    for index in 0..<entries.count where entries[index].context == context.number { return index }
    guard entries.count < Self.maxTables else { return nil }
    entries.append(Entry(context: context.number, advances: IdeographAdvances()))
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
