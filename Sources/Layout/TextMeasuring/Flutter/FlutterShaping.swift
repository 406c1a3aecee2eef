import Buffers
import CHarfBuzz
import CICU

/// The shaping of a text as Flutter does it. Source: SkParagraph's `OneLineShaper`.
///
/// A stretch of one style and direction is shaped in the first face. What that does not show is shaped in the next face, and
/// so on. In each of these passes, the scripts of the stretch are found anew, and a stretch of one script is shaped as a
/// whole, so that kerning crosses spaces.
struct FlutterShaping: ~Copyable {
  /// The place of each unit's face in the order of passes: 0 for the primary face, and `unknown` for none. The units are
  /// those of a stretch of one script.
  private var ranks = FlatBuffer<Int32>(capacity: 256)
  /// The index of the first unit of `ranks` among those of all texts.
  private var ranksStart = 0
  private var iterators = BreakIterators()
  private static let unknown = Int32.max

  /// Appends the items and glyphs of a text whose units were decoded.
  mutating func shape(
    _ text: PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ itemizer: inout Itemizer, _ store: inout TextStore
  ) {
    let levels =
      text.traits.contains(.bidirectional)
      ? itemizer.bidi.levels(of: text, store.prepared, base: text.options.shownDirection) : nil
    var start = text.unitStart
    for (index, end) in zip(runs.indices, runEnds) {
      if runs.hasStyleOfNext(index) { continue }
      while start < end {
        let level = levels?[start - text.unitStart] ?? 0
        var next = start + 1
        while next < end && levels?[next - text.unitStart] ?? 0 == level { next += 1 }
        let region = Region(text: text, range: start..<next, style: runs[index].style, isRightToLeft: level & 1 != 0)
        shape(region, &store)
        start = next
      }
    }
  }

  /// A stretch of one style and direction.
  private struct Region {
    let text: PreparedText
    /// The indices of its units among those of all texts.
    let range: Range<Int>
    let style: TextStyle
    let isRightToLeft: Bool
  }

  /// Shapes the stretches of one script of a region.
  private mutating func shape(_ region: Region, _ store: inout TextStore) {
    var start = region.range.lowerBound
    while start < region.range.upperBound {
      let (scriptEnd, _) = store.commonScriptRun(start..<region.range.upperBound)
      let end = store.prepared.shapingEnd(start..<scriptEnd)
      ranks.removeAll()
      ranks.extend(by: end - start).initialize(repeating: 0, count: end - start)
      ranksStart = start
      let none = Pass(
        rank: -1, face: region.style.face, script: store.commonScriptRun(start..<end).1, stretch: start..<end,
        context: region.range, isReversed: false)
      findRanks(start..<end, primary: region.style.face, after: none, isReversed: false, &store)
      shape(start..<end, in: region, after: none, &store)
      start = end
    }
  }

  /// The shaping of a stretch in a face.
  private struct Pass {
    /// The place of the face in the order of passes; -1 before the first one.
    let rank: Int32
    let face: Int32
    let script: hb_script_t
    /// The units that are shaped together.
    let stretch: Range<Int>
    /// The units around them that the face sees: in the first face, those of the region.
    let context: Range<Int>
    /// Whether a script from left to right is shaped from right to left. HarfBuzz then reverses the text by graphemes, and each
    /// grapheme becomes one cluster. SkParagraph counts a cluster as shown if the font has its first glyph. It drops the glyphs
    /// of the cluster from the first .notdef on.
    let isReversed: Bool
  }

  /// Shapes a stretch of one script, the parts that the next face shows in that face and the others in further passes.
  ///
  /// - Parameter previous: the pass that left the stretch, whose glyphs stay if no face shows it.
  private mutating func shape(_ range: Range<Int>, in region: Region, after previous: Pass, _ store: inout TextStore) {
    let (_, script) = store.commonScriptRun(range)
    let isReversed = region.isRightToLeft && hb_script_get_horizontal_direction(script) != HB_DIRECTION_RTL
    if isReversed { findRanks(range, primary: region.style.face, after: previous, isReversed: true, &store) }
    let ranks = UnsafePointer(self.ranks.base) - ranksStart
    var rank = Self.unknown
    for index in range { rank = min(rank, ranks[index]) }
    guard rank != Self.unknown else {
      store.noteMissing(range, region.style.face)
      return shapeItem(range, previous, in: region, &store)
    }
    let face = rank == 0 ? region.style.face : store.book.fallback[Int(rank) - 1]
    let pass = Pass(
      rank: rank, face: face, script: script, stretch: range, context: rank == 0 ? region.range : range,
      isReversed: isReversed)
    var start = range.lowerBound
    while start < range.upperBound {
      let isShown = ranks[start] == rank
      var end = start + 1
      while end < range.upperBound && (ranks[end] == rank) == isShown { end += 1 }
      if isShown {
        shapeItem(start..<end, pass, in: region, &store)
      } else {
        shape(start..<end, in: region, after: pass, &store)
      }
      start = end
    }
  }

  /// Finds the rank of the face of each grapheme cluster: the first after a pass that shows all of it, or its first
  /// character in a stretch that is reversed.
  private mutating func findRanks(
    _ range: Range<Int>, primary: Int32, after pass: Pass, isReversed: Bool, _ store: inout TextStore
  ) {
    let units = UnsafePointer(store.prepared.units.base + range.lowerBound)
    if store.book.coversAscii(primary), Self.isPlain(units, range.count) { return }
    let ranks = self.ranks.base + range.lowerBound - ranksStart
    var start = 0
    iterators.forEachBoundary(galley_breaks_graphemes, units, range.count) { end in
      var cluster = range.lowerBound + start..<range.lowerBound + end
      // Of a carriage return with a newline, one must be shown: the newline, or from right to left the carriage return.
      let isNewline = units[start] == 0x0d && end - start == 2
      if isReversed {
        cluster = cluster.lowerBound..<cluster.lowerBound + store.scalar(at: cluster.lowerBound).1
      }
      let rank =
        store.rank(of: cluster, showsLast: isNewline, primary: primary, after: pass.rank) ?? Self.unknown
      for index in start..<end { ranks[index] = rank }
      start = end
    }
  }

  /// Returns whether any face with the printable ASCII characters shows all units.
  private static func isPlain(_ units: UnsafePointer<UInt16>, _ count: Int) -> Bool {
    for index in 0..<count where units[index] >= 0x7f || units[index] == 0x0d { return false }
    return true
  }

  /// Shapes the units of a pass that keep its glyphs.
  private func shapeItem(_ range: Range<Int>, _ pass: Pass, in region: Region, _ store: inout TextStore) {
    let shaping = ShapingContext(
      face: pass.face, script: pass.script, ligatures: region.style.letterSpacing <= 0,
      isRightToLeft: region.isRightToLeft)
    let start = region.text.unitStart
    store.appendItem(
      region.text, range.lowerBound - start..<range.upperBound - start, region.style, shaping, startsInline: false)
    shape(region.text, range, pass, shaping, &store)
  }

  private func shape(
    _ text: PreparedText, _ range: Range<Int>, _ pass: Pass, _ context: ShapingContext, _ store: inout TextStore
  ) {
    let face = store.book.faces[Int(context.face)]
    // A character after the units is kerned with them, even if the next face shows it because of what follows it.
    var shapedEnd = range.upperBound
    if shapedEnd < pass.stretch.upperBound {
      let (next, width) = AndroidFonts.scalar(at: shapedEnd, to: pass.stretch.upperBound, store.prepared)
      if face.covers(next) { shapedEnd += width }
    }
    let buffer = store.shaper.buffer
    hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_CHARACTERS)
    defer { hb_buffer_set_cluster_level(buffer, HB_BUFFER_CLUSTER_LEVEL_MONOTONE_GRAPHEMES) }
    let first = pass.context.lowerBound
    let glyphs = store.shaper.glyphs(
      of: range.lowerBound - first..<shapedEnd - first, in: store.prepared.units.base + first, pass.context.count,
      context, features: context.ligatures ? [] : .withoutStandardLigatures)
    let infos = glyphs.infos
    if pass.isReversed { Self.dropGlyphs(infos) }
    for index in infos.indices {
      let glyph = context.isRightToLeft ? infos.count - 1 - index : index
      let unit = first + Int(infos[glyph].cluster)
      guard unit < range.upperBound, infos[glyph].codepoint != Self.dropped else { continue }
      let advance = glyphs.positions[glyph].x_advance
      let outline =
        advance == 0 || face.hasBitmap(infos[glyph].codepoint)
        ? 0 : hb_font_get_glyph_h_advance(face.font, infos[glyph].codepoint)
      store.prepared.glyphs.append(
        PlatformGlyph(
          unit: Int32(truncatingIfNeeded: unit - text.unitStart),
          item: Int32(truncatingIfNeeded: store.prepared.items.count - 1), outline: outline,
          adjustment: advance - outline, isSpaced: true))
    }
  }

  /// The number of a glyph that is dropped.
  private static let dropped = UInt32.max

  /// Drops the glyphs of each cluster from the first .notdef on that is not the first glyph.
  private static func dropGlyphs(_ infos: UnsafeMutableBufferPointer<hb_glyph_info_t>) {
    var start = 0
    for index in infos.indices {
      if infos[index].cluster != infos[start].cluster { start = index }
      guard index > start, infos[start].codepoint != 0 else { continue }
      if infos[index].codepoint == 0 || infos[index - 1].codepoint == dropped { infos[index].codepoint = dropped }
    }
  }
}

extension TextStore {
  /// Returns the rank of the first face after another rank that shows a cluster: 0 for the primary one and the number of the
  /// fallback face, from 1, for others; or nil if none shows it.
  ///
  /// - Parameter showsLast: Whether the last character must be shown although it is a control.
  fileprivate mutating func rank(
    of cluster: Range<Int>, showsLast: Bool, primary: Int32, after rank: Int32
  ) -> Int32? {
    if rank < 0 && shows(cluster, showsLast, in: primary) { return 0 }
    for index in max(0, Int(rank))..<book.fallback.count
    where book.fallback[index] != primary && shows(cluster, showsLast, in: book.fallback[index]) {
      return Int32(truncatingIfNeeded: index + 1)
    }
    return nil
  }

  /// Returns whether a face shows all visible characters of a cluster. Controls are shown by any face, but the fillers of Hangul
  /// are not.
  private mutating func shows(_ cluster: Range<Int>, _ showsLast: Bool, in face: Int32) -> Bool {
    var index = cluster.lowerBound
    while index < cluster.upperBound {
      let (scalar, width) = scalar(at: index)
      let isControl =
        (galley_is_invisible(scalar) || scalar == 0x2028 || scalar == 0x2029)
        && !(showsLast && index + width == cluster.upperBound) && !Self.isFiller(scalar)
      if !book.faces[Int(face)].covers(scalar) && !isControl { return !showsNotdef(cluster, face) }
      index += width
    }
    return true
  }

  private static func isFiller(_ scalar: UInt32) -> Bool {
    scalar == 0x115f || scalar == 0x1160 || scalar == 0x3164 || scalar == 0xffa0
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
