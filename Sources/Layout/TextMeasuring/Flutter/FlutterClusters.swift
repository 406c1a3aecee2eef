import Buffers

/// A cluster of a text, with what breaks after it. Lengths are in points.
struct FlutterCluster: BitwiseCopyable {
  /// The offset of its first unit.
  var start: Int32
  /// The offset after its last unit.
  var end: Int32
  var item: Int32
  /// The advance with letter spacing.
  var width: Float
  /// The index of its first glyph among those of its item, from left to right.
  var firstGlyph: Int32 = 0
  /// The number of its glyphs.
  var glyphs: Int32 = 0
  var traits: Traits

  struct Traits: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    /// A line can end after it.
    static let softBreak = Traits(rawValue: 1)
    /// A line ends after it.
    static let hardBreak = Traits(rawValue: 2)
    /// It consists of spaces that hang at the end of a line.
    static let whiteSpace = Traits(rawValue: 4)
    /// It consists of spaces of any kind, as a space that does not break.
    static let anySpace = Traits(rawValue: 8)
    static let rightToLeft = Traits(rawValue: 16)
  }
}

/// The clusters of the text that is measured. Source: SkParagraph's `ParagraphImpl`.
struct FlutterClusters: ~Copyable {
  private(set) var values = FlatBuffer<FlutterCluster>(capacity: 256)

  /// Finds the clusters of a text at a text scale.
  mutating func find(_ text: PreparedText, textScale: Double, _ store: borrowing TextStore) {
    values.removeAll()
    var item = -1
    var scale: FlutterAdvance?
    var spacing: Float = 0
    // The positions of glyphs are sums in 32 bits from the start of a stretch.
    var position: Float = 0
    var clusterStart: Float = 0
    for index in text.glyphs.first..<text.glyphs.first + text.glyphs.count {
      let glyph = store.prepared.glyphs[index]
      if Int(glyph.item) != item {
        item = Int(glyph.item)
        let current = store.prepared.items[item]
        scale = FlutterAdvance(
          store.book.faces[Int(current.context.face)], size: current.style.size * textScale)
        spacing = isCursive(current.context.script) ? 0 : Float(current.style.letterSpacing)
        (position, clusterStart) = (0, 0)
        append(glyph, store)
      } else if values[values.count - 1].start != glyph.unit {
        clusterStart = position
        append(glyph, store)
      }
      position += scale?.points(glyph) ?? 0
      let last = values.base + values.count - 1
      let glyphs = last.pointee.glyphs
      last.pointee.glyphs = glyphs + 1
      last.pointee.width = position - clusterStart + Float(glyphs + 1) * spacing
    }
    numberGlyphs()
    findEnds(text, store)
  }

  /// Numbers the glyphs of each item from left to right.
  private mutating func numberGlyphs() {
    var start = 0
    while start < values.count {
      var end = start + 1
      while end < values.count && values[end].item == values[start].item { end += 1 }
      let isRightToLeft = values[start].traits.contains(.rightToLeft)
      var next: Int32 = 0
      for offset in 0..<end - start {
        let cluster = values.base + (isRightToLeft ? end - 1 - offset : start + offset)
        cluster.pointee.firstGlyph = next
        next += cluster.pointee.glyphs
      }
      start = end
    }
  }

  private mutating func append(_ glyph: PlatformGlyph, _ store: borrowing TextStore) {
    let isRightToLeft = store.prepared.items[Int(glyph.item)].context.isRightToLeft
    values.append(
      FlutterCluster(
        start: glyph.unit, end: glyph.unit, item: glyph.item, width: 0, traits: isRightToLeft ? .rightToLeft : []))
  }

  private mutating func findEnds(_ text: PreparedText, _ store: borrowing TextStore) {
    for index in 0..<values.count {
      let cluster = values.base + index
      let itemEnd = store.prepared.items[Int(cluster.pointee.item)].end
      let next = index + 1 < values.count ? values[index + 1].start : itemEnd
      cluster.pointee.end = min(next, itemEnd)
      let end = Int(cluster.pointee.end)
      let opportunity = store.prepared.opportunities[text.opportunities.first + end]
      if opportunity.contains(.word) { cluster.pointee.traits.insert(.softBreak) }
      if opportunity.contains(.address) { cluster.pointee.traits.insert(.hardBreak) }
      let units = store.prepared.units.base + text.unitStart
      if (Int(cluster.pointee.start)..<end).allSatisfy({ Self.isWhiteSpace(units[$0]) }) {
        cluster.pointee.traits.formUnion([.whiteSpace, .anySpace])
      } else if (Int(cluster.pointee.start)..<end).allSatisfy({ Self.isAnySpace(units[$0]) }) {
        cluster.pointee.traits.insert(.anySpace)
      }
    }
  }

  /// Returns the width of the widest paragraph with the spaces at its end and without the newline, in points. SkParagraph
  /// leaves the first space of a line out that has spaces and a newline.
  ///
  /// - Parameter filled: the index after the last cluster on a line.
  func widestParagraph(filled: Int) -> Float {
    var widest: Float = 0
    var sum: Float = 0
    var start = 0
    var isBlank = true
    for (index, cluster) in values.values.enumerated() {
      if cluster.traits.contains(.hardBreak) {
        let leftOut = isBlank && start < index && start < filled ? values[start].width : 0
        widest = max(widest, sum - leftOut)
        (sum, start, isBlank) = (0, index + 1, true)
      } else {
        sum += cluster.width
        if !cluster.traits.contains(.whiteSpace) { isBlank = false }
      }
    }
    return max(widest, sum)
  }

  private static func isWhiteSpace(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x09...0x0d, 0x20, 0x1680, 0x2000...0x2006, 0x2008...0x200a, 0x2028, 0x2029, 0x205f, 0x3000: true
    default: false
    }
  }

  private static func isAnySpace(_ unit: UInt16) -> Bool {
    isWhiteSpace(unit) || unit == 0x85 || unit == 0xa0 || unit == 0x2007 || unit == 0x202f
  }
}

/// The advances of a face's glyphs at a size in points. Source: Skia's FreeType host, without hinting.
struct FlutterAdvance {
  private let outlineScale: Double
  private let kerningScale: Double
  private let isBitmap: Bool
  /// The advance of a bitmap.
  private let bitmapAdvance: Float
  /// The factor from the units of a face of bitmaps to 1/64 pixel of its strike.
  private let strikeScale: Double
  /// The factor of a strike in 1/65536.
  private let strikeFactor: Double

  init(_ face: Face, size: Double) {
    // Skia has sizes as numbers of 32 bits, and FreeType takes them in 1/64 point.
    let size = Double(Float(size))
    outlineScale = ((size * 64).rounded(.towardZero) * 65536 / face.designUnits).rounded()
    kerningScale = size / face.unitsPerEm
    isBitmap = face.strikeAdvance != nil
    strikeScale = face.strikePixels / face.unitsPerEm * 64
    strikeFactor = isBitmap ? (size / face.strikePixels * 65536).rounded(.towardZero) : 0
    let pixels = (Double(face.strikeAdvance ?? 0) / face.unitsPerEm * face.strikePixels).rounded()
    bitmapAdvance = Self.scaled(pixels * 64, strikeFactor)
  }

  /// Returns an advance in points of one in 1/64 pixel of a strike.
  private static func scaled(_ advance: Double, _ factor: Double) -> Float {
    Float((advance * factor / 65536).rounded() / 64)
  }

  func points(_ glyph: PlatformGlyph) -> Float {
    if isBitmap {
      if glyph.outline != 0 { return Self.scaled((Double(glyph.outline) * strikeScale).rounded(), strikeFactor) }
      return glyph.adjustment == 0 ? 0 : bitmapAdvance
    }
    var advance = 0.0
    if glyph.outline != 0 { advance = (Double(glyph.outline) * outlineScale / 64).rounded() / 65536 }
    if glyph.adjustment != 0 { advance += (Double(glyph.adjustment) * kerningScale * 65536).rounded() / 65536 }
    return Float(advance)
  }
}
