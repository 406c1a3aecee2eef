import Buffers
import CHarfBuzz
import CICU

/// The characters of the prepared texts for which no face has a glyph, so that .notdef is measured instead.
struct MissingGlyphs: ~Copyable {
  /// The most different characters of a row that are kept.
  private static let maxCharacters = 8

  /// The number of characters without a glyph, each as often as it occurs.
  private(set) var count = 0
  /// Whether the characters of the text that is being prepared count.
  var counts = true
  /// The first different characters without a glyph.
  private(set) var characters = FlatBuffer<UInt32>(capacity: maxCharacters)

  mutating func removeAll() {
    count = 0
    characters.removeAll()
  }

  mutating func note(_ scalar: UInt32) {
    guard counts else { return }
    count += 1
    guard characters.count < Self.maxCharacters, !characters.values.contains(scalar) else { return }
    characters.append(scalar)
  }
}

extension TextStore {
  /// Returns whether a face shows .notdef for any character of a cluster. The results are cached: all clusters of a text are looked up
  /// if no font has its script.
  mutating func showsNotdef(_ cluster: Range<Int>, _ face: Int32) -> Bool {
    let units = UnsafeBufferPointer(start: prepared.units.base + cluster.lowerBound, count: cluster.count)
    let bytes = ByteString(UnsafeRawBufferPointer(units))
    guard bytes.count <= SegmentCache.maxKeyLength else { return shaper.shapesNotdef(units, face) }
    let key = SegmentCache.Key(bytes, context: ShapingContext.numberOfNotdef(face))
    if let known = shaper.cache.find(key) { return known.advance != 0 }
    let isShown = shaper.shapesNotdef(units, face)
    shaper.cache.insert(key, ShapedSegment(advance: isShown ? 1 : 0))
    return isShown
  }

  /// Notes the characters of a cluster for which a face has no glyph. HarfBuzz also finds glyphs for characters that the
  /// face does not map, by decomposing them or by a space of another width, so that the cluster is shaped.
  mutating func noteMissing(_ cluster: Range<Int>, _ face: Int32) {
    guard showsNotdef(cluster, face) else { return }
    var next = cluster.lowerBound
    while next < cluster.upperBound {
      let (scalar, width) = scalar(at: next)
      if !galley_is_invisible(scalar) && !book.faces[Int(face)].covers(scalar) { missing.note(scalar) }
      next += width
    }
  }
}

extension Shaper {
  /// Returns whether a face shows .notdef for any character of a text.
  fileprivate func shapesNotdef(_ units: UnsafeBufferPointer<UInt16>, _ face: Int32) -> Bool {
    guard let start = units.baseAddress else { return false }
    fillBuffer(units.indices, of: start, units.count)
    hb_buffer_guess_segment_properties(buffer)
    galley_shape(book.faces[Int(face)].font, buffer, nil, 0)
    return ShapedGlyphs(buffer).infos.contains { $0.codepoint == 0 }
  }
}
