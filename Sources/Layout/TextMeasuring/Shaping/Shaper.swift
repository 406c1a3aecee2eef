import Buffers
import CHarfBuzz

/// A shaper that measures text with HarfBuzz, with a cache of the segments shaped before.
struct Shaper: ~Copyable {
  let book: FontBook
  var cache: SegmentCache
  var tables = ContextTables()
  /// The kerning of each of `SpaceKerning.units` after a space, face by face. It is measured when it is first needed.
  let spaceKernings: AdvanceTable
  /// The text that is being shaped, and afterwards its glyphs.
  let buffer = hb_buffer_create()
  /// The number of units that HarfBuzz has shaped, which tests compare with the lengths of texts.
  var shapedUnits = 0
  var languages = Languages()
  /// Whether a lookup of the font has the space, by the contexts of Firefox without their sizes.
  var shapesSpaces: [UInt64: Bool] = [:]
  /// The forms of the punctuation of faces, by the numbers that items have of them. The first one is that of faces without any.
  var forms = FlatBuffer<FormsOfFace>(capacity: 4)

  init(book: FontBook, cacheBudget: Int) {
    self.book = book
    cache = SegmentCache(budget: cacheBudget)
    spaceKernings = AdvanceTable(count: book.faces.count * SpaceKerning.units.count)
    forms.append(FormsOfFace(face: -1, language: 0, scale: 0, forms: nil))
  }

  deinit {
    hb_buffer_destroy(buffer)
    spaceKernings.destroy()
  }

  /// Starts a row, after the texts of the last one were removed.
  mutating func startRow() {
    if languages.startRow() { removeAll() }
    if forms.count > Self.manyForms { forms.truncate(to: 1) }
  }

  /// Removes all advances, because the numbers of languages have another meaning from now on.
  mutating func removeAll() {
    cache.removeAll()
    tables = ContextTables()
    shapesSpaces.removeAll()
    forms.truncate(to: 1)
  }

  /// Returns the advances of a piece of a text, which has at most one space at its end. Plain ASCII is shaped as Latin in all scripts
  /// that allow it.
  mutating func piece(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    if units.count == 1 && Ideographs.contains(units[0]) { return ideograph(units, context) }
    let isAscii = units.allSatisfy { $0 < 0x7f }
    return segment(units, isAscii ? context.ofAsciiPieces ?? context : context)
  }

  /// Returns the advances of a segment.
  mutating func segment(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    let bytes = ByteString(UnsafeRawBufferPointer(units))
    guard bytes.count <= SegmentCache.maxKeyLength else { return sum(units, context) ?? shape(units, context) }
    let key = SegmentCache.Key(bytes, context: context.number)
    if let known = cache.find(key) { return known }
    let shaped = sum(units, context) ?? shape(units, context)
    cache.insert(key, shaped)
    return shaped
  }

  /// Returns the advance of a single ideograph. Lines can break around ideographs, so that many segments are one.
  private mutating func ideograph(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    guard let advances = tables.ideographs(context) else { return segment(units, context) }
    let number = Ideographs.number(of: units[0])
    if let known = advances[number] { return ShapedSegment(advance: Int(known)) }
    let shaped = segment(units, context)
    advances[number] = Int32(exactly: shaped.advance)
    return shaped
  }

  /// Shapes a segment.
  mutating func shape(_ units: UnsafeBufferPointer<UInt16>, _ context: ShapingContext) -> ShapedSegment {
    guard let start = units.baseAddress else { return ShapedSegment() }
    return measure(0..<units.count, in: start, units.count, context, endsWithSpace: units.last == 0x20)
  }

  /// Appends the clusters of a range of `text` in the order of the text. The characters around the range affect its shape,
  /// as joined letters stay joined where a line breaks between them.
  mutating func shapeClusters(
    _ range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext,
    into clusters: inout FlatBuffer<ShapedCluster>
  ) {
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    var last: UInt32?
    var joinsNext = false
    shapeStretches(of: range, in: text, length, context) { stretch in
      // A stretch of a single cluster can end inside that.
      let glyphs = stretch.glyphs
      if joinsNext { last = glyphs.infos.map(\.cluster).min() }
      for index in 0..<glyphs.count {
        let glyph = context.isRightToLeft ? glyphs.count - 1 - index : index
        let cluster = glyphs.infos[glyph].cluster
        guard Int(cluster) < stretch.end else { continue }
        let advance = rounding(glyphs.positions[glyph].x_advance, of: glyphs.infos[glyph].codepoint)
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

  /// Returns the glyphs of a range of `text`. The characters around the range affect its shape.
  ///
  /// - Parameter features: the features instead of those of a browser.
  func glyphs(
    of range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext,
    features: ShapingFeatures? = nil
  ) -> ShapedGlyphs {
    fillBuffer(range, of: text, length)
    hb_buffer_set_script(buffer, context.script)
    hb_buffer_set_direction(buffer, context.isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
    hb_buffer_set_language(buffer, languages[context.language])
    withFeatures(features ?? .ofBrowser(context), of: context) {
      galley_shape(book.faces[Int(context.face)].font, buffer, $0.baseAddress, UInt32($0.count))
    }
    return ShapedGlyphs(buffer)
  }

  /// Replaces what is in the buffer by a range of a text.
  func fillBuffer(_ range: Range<Int>, of text: UnsafePointer<UInt16>, _ length: Int) {
    hb_buffer_clear_contents(buffer)
    hb_buffer_add_utf16(buffer, text, Int32(length), UInt32(range.lowerBound), Int32(range.count))
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

  /// Returns the advances of a range of a text; see `shapeStretches`. The characters around the range affect its shape.
  private mutating func measure(
    _ range: Range<Int>, in text: UnsafePointer<UInt16>, _ length: Int, _ context: ShapingContext, endsWithSpace: Bool
  ) -> ShapedSegment {
    var shaped = ShapedSegment()
    let rounding = AdvanceRounding(book.faces[Int(context.face)], context)
    shapeStretches(of: range, in: text, length, context) { stretch in
      let glyphs = stretch.glyphs
      for glyph in 0..<glyphs.count where Int(glyphs.infos[glyph].cluster) < stretch.end {
        let advance = rounding(glyphs.positions[glyph].x_advance, of: glyphs.infos[glyph].codepoint)
        shaped.advance += Int(advance)
        if endsWithSpace && Int(glyphs.infos[glyph].cluster) == range.upperBound - 1 {
          shaped.spaceAdvance += Int(advance)
        }
      }
    }
    return shaped
  }
}

/// The glyphs of a text that was shaped. They are valid until another text is.
struct ShapedGlyphs {
  let infos: UnsafeMutableBufferPointer<hb_glyph_info_t>
  let positions: UnsafeMutableBufferPointer<hb_glyph_position_t>

  /// The glyphs in a buffer of HarfBuzz.
  init(_ buffer: OpaquePointer?) {
    var count: UInt32 = 0
    infos = UnsafeMutableBufferPointer(start: hb_buffer_get_glyph_infos(buffer, &count), count: Int(count))
    positions = UnsafeMutableBufferPointer(start: hb_buffer_get_glyph_positions(buffer, &count), count: Int(count))
  }

  var count: Int { infos.count }
}

/// A cluster of shaped text.
struct ShapedCluster: BitwiseCopyable {
  /// The offset of its first unit in the text.
  var start: Int32
  /// The advance in font units, or in 1/60 point if it is rounded. A cluster can have thousands of glyphs, whose advances do not fit in 32 bits.
  var advance: Int
}
