/// The lookups of a table `GSUB` or `GPOS` (OpenType, "Lookup List Table"). Offsets that point outside the table read as zero.
struct LookupList {
  /// The types of lookups of `GPOS` that depend on no more than two glyphs, or that only place marks.
  enum Positioning: UInt16 {
    case single = 1
    case pair = 2
    case markToBase = 4
    case markToLigature = 5
    case markToMark = 6
  }

  /// The type of a lookup of `GSUB` that makes several glyphs, or none, of one.
  static let multipleSubstitution: UInt16 = 2

  private let bytes: UnsafeRawBufferPointer
  private let list: Int
  /// The type of a lookup that only points to those of other types.
  private let extensionType: UInt16

  /// - Parameters:
  ///   - bytes: the table, which must outlive the value.
  ///   - isPositioning: whether it is `GPOS`.
  init(_ bytes: UnsafeRawBufferPointer, isPositioning: Bool) {
    self.bytes = bytes
    extensionType = isPositioning ? 9 : 7
    list = bytes.number(at: 8)
  }

  var count: Int { list > 0 ? number(at: list) : 0 }

  /// Returns the type of a lookup, of the lookups that it points to.
  func type(of lookup: Int) -> UInt16 {
    let start = start(of: lookup)
    let type = UInt16(truncatingIfNeeded: number(at: start))
    guard type == extensionType, number(at: start + 4) > 0 else { return type }
    return UInt16(truncatingIfNeeded: number(at: start + number(at: start + 6) + 2))
  }

  /// Returns whether a lookup passes over glyphs that are neither marks nor ligatures.
  func ignoresBases(_ lookup: Int) -> Bool { number(at: start(of: lookup) + 2) & 2 != 0 }

  /// Returns whether a lookup of pairs only moves the second glyph: whether it states nothing for that glyph itself.
  func hasPlainPairs(_ lookup: Int) -> Bool {
    let start = start(of: lookup)
    return (0..<number(at: start + 4)).allSatisfy { index in
      var table = start + number(at: start + 6 + 2 * index)
      if number(at: start) == Int(extensionType) { table += number(at: table + 4) << 16 | number(at: table + 6) }
      return number(at: table + 6) == 0
    }
  }

  private func start(of lookup: Int) -> Int { list + number(at: list + 2 + 2 * lookup) }

  private func number(at offset: Int) -> Int { bytes.number(at: offset) }
}
