import Buffers
import CHarfBuzz
import CICU

/// The shaping of a text as Flutter does it. Source: SkParagraph's `OneLineShaper`.
///
/// A stretch of one style, direction, face and script is shaped as a whole, so that kerning crosses spaces.
struct FlutterShaping: ~Copyable {
  private var faces = FlatBuffer<Int32>(capacity: 256)
  private let graphemes = galley_breaks_open(galley_breaks_graphemes)

  deinit { galley_breaks_close(graphemes) }

  /// Appends the items and glyphs of a text whose units were decoded.
  mutating func shape(
    _ text: PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ itemizer: inout Itemizer, _ store: inout TextStore
  ) {
    let levels = text.traits.contains(.bidirectional) ? itemizer.bidi.levels(of: text, store.prepared) : nil
    var start = text.unitStart
    for (run, end) in zip(runs, runEnds) {
      while start < end {
        let level = levels?[start - text.unitStart] ?? 0
        var next = start + 1
        while next < end && levels?[next - text.unitStart] ?? 0 == level { next += 1 }
        shape(text, start..<next, run.style, isRightToLeft: level & 1 != 0, &store)
        start = next
      }
    }
  }

  private mutating func shape(
    _ text: PreparedText, _ range: Range<Int>, _ style: TextStyle, isRightToLeft: Bool, _ store: inout TextStore
  ) {
    findFaces(range, primary: style.face, &store)
    var start = range.lowerBound
    while start < range.upperBound {
      let face = faces[start - range.lowerBound]
      var end = start + 1
      while end < range.upperBound && faces[end - range.lowerBound] == face { end += 1 }
      while start < end {
        let (next, script) = store.commonScriptRun(start..<end)
        let context = ShapingContext(
          face: face, script: script, ligatures: style.letterSpacing <= 0, isRightToLeft: isRightToLeft)
        store.appendItem(
          text, start - text.unitStart..<next - text.unitStart, style, context, startsInline: false)
        shape(text, in: range, start..<next, context, &store)
        start = next
      }
    }
  }

  /// Finds the face of each grapheme cluster: the first that shows all of it, otherwise the primary one.
  private mutating func findFaces(_ range: Range<Int>, primary: Int32, _ store: inout TextStore) {
    faces.removeAll()
    faces.extend(by: range.count).initialize(repeating: primary, count: range.count)
    let units = UnsafePointer(store.prepared.units.base + range.lowerBound)
    if store.book.coversAscii(primary), (0..<range.count).allSatisfy({ units[$0] < 0x7f }) { return }
    guard let graphemes, galley_breaks_set_text(graphemes, units, Int32(truncatingIfNeeded: range.count)) else {
      return
    }
    var start = 0
    while start < range.count {
      let next = galley_breaks_next(graphemes)
      let end = next < 0 ? range.count : Int(next)
      let cluster = range.lowerBound + start..<range.lowerBound + end
      let face = store.book.firstFaceIndex(primary: primary) { store.shows(cluster, in: $0) }
      if face == nil { store.noteMissing(cluster, primary) }
      for index in start..<end { faces[index] = face ?? primary }
      start = end
    }
  }

  private func shape(
    _ text: PreparedText, in region: Range<Int>, _ range: Range<Int>, _ context: ShapingContext,
    _ store: inout TextStore
  ) {
    let face = store.book.faces[Int(context.face)]
    let buffer = store.shaper.buffer
    hb_buffer_clear_contents(buffer)
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
    defer { hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES) }
    hb_buffer_add_utf16(
      buffer, store.prepared.units.base + region.lowerBound, Int32(region.count),
      UInt32(range.lowerBound - region.lowerBound), Int32(range.count))
    store.shaper.shapeBuffer(context, features: context.ligatures ? .standard : .withoutStandardLigatures)
    var count: UInt32 = 0
    guard let infos = hb_buffer_get_glyph_infos(buffer, &count),
      let positions = hb_buffer_get_glyph_positions(buffer, &count)
    else { return }
    for index in 0..<Int(count) {
      let glyph = context.isRightToLeft ? Int(count) - 1 - index : index
      let advance = positions[glyph].x_advance
      let outline =
        advance == 0 || face.strikeAdvance != nil ? 0 : hb_font_get_glyph_h_advance(face.font, infos[glyph].codepoint)
      store.prepared.glyphs.append(
        PlatformGlyph(
          unit: Int32(truncatingIfNeeded: region.lowerBound + Int(infos[glyph].cluster) - text.unitStart),
          item: Int32(truncatingIfNeeded: store.prepared.items.count - 1), outline: outline,
          adjustment: advance - outline, isSpaced: true))
    }
  }
}

extension TextStore {
  /// Returns whether a face shows all visible characters of a cluster.
  fileprivate func shows(_ cluster: Range<Int>, in face: Int32) -> Bool {
    var index = cluster.lowerBound
    while index < cluster.upperBound {
      let (scalar, width) = scalar(at: index)
      let isControl = galley_is_invisible(scalar) || scalar == 0x2028 || scalar == 0x2029
      if !book.faces[Int(face)].covers(scalar) && !isControl {
        let units = UnsafeBufferPointer(start: prepared.units.base + cluster.lowerBound, count: cluster.count)
        return !shaper.showsNotdef(units, face)
      }
      index += width
    }
    return true
  }

  /// Returns the end of the first stretch of one script in a range of the units of all texts, and its script. Characters
  /// that are common to all scripts belong to the stretch that they are in. Source: SkShaper and minikin.
  func commonScriptRun(_ range: Range<Int>) -> (end: Int, hb_script_t) {
    let functions = hb_unicode_funcs_get_default()
    var script = HB_SCRIPT_INHERITED
    var index = range.lowerBound
    while index < range.upperBound {
      let (scalar, width) = AndroidFonts.scalar(at: index, to: range.upperBound, prepared)
      let next = hb_unicode_script(functions, scalar)
      if index == range.lowerBound || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_COMMON {
        script = next
      } else if next != script && next != HB_SCRIPT_INHERITED && next != HB_SCRIPT_COMMON {
        break
      }
      index += width
    }
    return (index, script == HB_SCRIPT_INHERITED ? HB_SCRIPT_COMMON : script)
  }
}
