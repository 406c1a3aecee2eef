import Buffers
import CHarfBuzz

/// A shaper that measures text with HarfBuzz, with a cache of the segments shaped before.
struct Shaper: ~Copyable {
  let book: FontBook
  var cache: SegmentCache
  var pairs = PairTables()
  /// The text that is being shaped, and afterwards its glyphs.
  let buffer = hb_buffer_create()
  /// The number of units that HarfBuzz has shaped, which tests compare with the lengths of texts.
  var shapedUnits = 0
  var languages = Languages()

  init(book: FontBook, cacheBudget: Int) {
    self.book = book
    cache = SegmentCache(budget: cacheBudget)
  }

  deinit { hb_buffer_destroy(buffer) }

  /// Returns the advances of a segment of ASCII text, which has at most one space at its end.
  mutating func segment(_ bytes: ByteString, _ context: ShapingContext) -> ShapedSegment {
    segment(SegmentCache.Key(bytes, context: context.cacheContext(wide: false)), context)
  }

  /// Returns the advances of a segment of ASCII text by its key.
  mutating func segment(_ key: SegmentCache.Key, _ context: ShapingContext) -> ShapedSegment {
    let bytes = key.bytes
    if bytes.count <= SegmentCache.maxKeyLength, let known = cache.find(key) { return known }
    let shaped = sum(bytes, context) ?? shape(bytes, context)
    if bytes.count <= SegmentCache.maxKeyLength { cache.insert(key, shaped) }
    return shaped
  }

  /// Shapes a segment of ASCII text.
  mutating func shape(_ bytes: ByteString, _ context: ShapingContext) -> ShapedSegment {
    let buffer = buffer
    return measure(
      0..<bytes.count, context, endsWithSpace: bytes.hasSuffix(0x20),
      fill: { range in
        hb_buffer_add_latin1(
          buffer, bytes.start, Int32(bytes.count), UInt32(range.lowerBound), Int32(range.count))
      }, isTrailing: { _ in false })
  }

  /// Returns the advances of a segment of UTF-16 text.
  mutating func segment(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    let raw = UnsafeRawBufferPointer(units)
    guard let start = raw.baseAddress else { return ShapedSegment() }
    let bytes = ByteString(start: start.assumingMemoryBound(to: UInt8.self), count: raw.count)
    let key = SegmentCache.Key(bytes, context: context.cacheContext(wide: true))
    if bytes.count <= SegmentCache.maxKeyLength, let known = cache.find(key) { return known }
    let shaped = measure(
      0..<units.count, in: UnsafePointer(start.assumingMemoryBound(to: UInt16.self)), units.count, context,
      endsWithSpace: units.last == 0x20)
    if bytes.count <= SegmentCache.maxKeyLength { cache.insert(key, shaped) }
    return shaped
  }

  /// Returns the advances of a piece of a text. Plain ASCII pieces share the cache with plain ASCII texts.
  mutating func piece(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    guard units.count <= SegmentCache.maxKeyLength, let latin = context.ofAsciiPieces else {
      return segment(units, context)
    }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: SegmentCache.maxKeyLength) { bytes in
      guard let start = bytes.baseAddress else { return ShapedSegment() }
      var bits: UInt16 = 0
      for index in 0..<units.count {
        let unit = units[index]
        // Units from U+007F on set one of the upper bits.
        bits |= unit | (unit &+ 1)
        start[index] = UInt8(truncatingIfNeeded: unit)
      }
      guard bits < 0x80 else { return segment(units, context) }
      return segment(ByteString(start: start, count: units.count), latin)
    }
  }

  /// Appends the clusters of a range of `text` in the order of the text. The characters around the range affect its shape,
  /// as joined letters stay joined where a line breaks between them.
  mutating func shapeClusters(
    _ range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext,
    into clusters: inout FlatBuffer<ShapedCluster>
  ) {
    let buffer = buffer
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    var last: UInt32?
    var joinsNext = false
    shapeStretches(
      of: range, context,
      fill: { hb_buffer_add_utf16(buffer, text, Int32(length), UInt32($0.lowerBound), Int32($0.count)) },
      isTrailing: { text[$0] & 0xfc00 == 0xdc00 }
    ) { stretch in
      // A stretch of a single cluster can end inside that.
      if joinsNext { last = stretch.infos.map(\.cluster).min() }
      for index in 0..<stretch.infos.count {
        let glyph = context.isRightToLeft ? stretch.infos.count - 1 - index : index
        let cluster = stretch.infos[glyph].cluster
        guard Int(cluster) < stretch.end else { continue }
        let advance = rounding(stretch.positions[glyph].x_advance, of: stretch.infos[glyph].codepoint)
        if cluster == last {
          clusters.base[clusters.count - 1].advance += Int(advance)
        } else {
          clusters.append(ShapedCluster(start: Int32(bitPattern: cluster), advance: Int(advance)))
          last = cluster
        }
      }
      joinsNext = stretch.endsInsideCluster
    }
  }

  /// Returns the advance of a range of `text` in font units. The characters around the range affect its shape.
  mutating func advance(
    of range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext
  ) -> Int {
    measure(range, in: text, length, context, endsWithSpace: false).advance
  }

  /// Replaces the text in the buffer by its glyphs.
  func shapeBuffer(_ context: ShapingContext) {
    shapeBuffer(context, features: ShapingFeatures(ligatures: context.ligatures, kerning: context.kerns))
  }

  /// Replaces the text in the buffer by its glyphs, with features instead of those of the context.
  func shapeBuffer(_ context: ShapingContext, features: ShapingFeatures) {
    hb_buffer_set_script(buffer, context.script)
    hb_buffer_set_direction(buffer, context.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_set_language(buffer, languages[context.language])
    withFeatures(features, of: context) {
      hb_shape(book.faces[Int(context.face)].font, buffer, $0.baseAddress, UInt32($0.count))
    }
  }

  /// Calls a function with a list of features and those of the font of a context.
  func withFeatures<Result>(
    _ features: ShapingFeatures, of context: ShapingContext, _ body: (UnsafeBufferPointer<hb_feature_t>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(
      of: hb_feature_t.self, capacity: ShapingFeatures.limit + FontFeatures.maxCount
    ) { list in
      var count = features.write(to: list)
      // Of two values of a feature HarfBuzz takes the later one.
      for feature in book.features[context.features] {
        list[count] = feature
        count += 1
      }
      return body(UnsafeBufferPointer(rebasing: list[..<count]))
    }
  }

  /// Returns the advances of a range of UTF-16 text. The characters around the range affect its shape.
  private mutating func measure(
    _ range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext, endsWithSpace: Bool
  ) -> ShapedSegment {
    let buffer = buffer
    return measure(
      range, context, endsWithSpace: endsWithSpace,
      fill: { hb_buffer_add_utf16(buffer, text, Int32(length), UInt32($0.lowerBound), Int32($0.count)) },
      isTrailing: { text[$0] & 0xfc00 == 0xdc00 })
  }

  /// Returns the advances of a range of a text; see `shapeStretches`.
  @inline(__always)
  private mutating func measure(
    _ range: Range<Int>, _ context: ShapingContext, endsWithSpace: Bool, fill: (Range<Int>) -> Void,
    isTrailing: (Int) -> Bool
  ) -> ShapedSegment {
    var shaped = ShapedSegment()
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    shapeStretches(of: range, context, fill: fill, isTrailing: isTrailing) { stretch in
      for glyph in 0..<stretch.infos.count where Int(stretch.infos[glyph].cluster) < stretch.end {
        let advance = rounding(stretch.positions[glyph].x_advance, of: stretch.infos[glyph].codepoint)
        shaped.advance += Int(advance)
        if endsWithSpace && Int(stretch.infos[glyph].cluster) == range.upperBound - 1 {
          shaped.spaceAdvance += Int(advance)
        }
      }
    }
    return shaped
  }
}

/// A cluster of shaped text.
struct ShapedCluster: BitwiseCopyable {
  /// The offset of its first unit in the text.
  var start: Int32
  /// The advance in font units, or in 1/60 point if it is rounded. A cluster can have thousands of glyphs, whose advances do not fit in 32 bits.
  var advance: Int
}
