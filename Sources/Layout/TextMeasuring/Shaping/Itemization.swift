import Buffers
import CHarfBuzz

/// The phase that cuts a text into items: stretches of one style, direction, face and script.
struct Itemizer: ~Copyable {
  private var scripts = ScriptRunFinder()
  var bidi = BidiLevels()

  /// Appends the items of a text whose units were decoded.
  ///
  /// - Parameter runEnds: the index after the last unit of each run, among the units of all texts.
  mutating func itemize(
    _ text: PreparedText, _ runs: UnsafeBufferPointer<TextRun>, runEnds: UnsafeBufferPointer<Int>,
    _ store: inout TextStore
  ) {
    let levels =
      text.traits.contains(.bidirectional)
      ? bidi.levels(of: text, store.prepared, base: text.options.baseDirection == .rtl ? .rtl : .ltr) : nil
    var start = text.unitStart
    scripts.find(in: start..<store.prepared.units.count, &store)
    var scriptRun = 0
    for (run, end) in zip(runs, runEnds) {
      itemize(text, start..<end, run.style, levels: levels, scriptRun: &scriptRun, &store)
      start = end
    }
  }

  /// The item that is extended cluster by cluster.
  private struct OpenItem {
    /// The index of its first unit.
    var start: Int
    var face: Int32
    var script: hb_script_t
    var level: UInt8
    var startsInline = true
    /// The number of items before it that have its style, two at most.
    var before = 0
    /// Whether its clusters are hidden control characters. Their font is none of those around them: letters do not join
    /// over them.
    var isHidden = false
  }

  /// Appends the items of a range of units in one style.
  ///
  /// - Parameters:
  ///   - levels: the embedding level of each unit of the text, if anything in it runs from right to left.
  ///   - scriptRun: the index of the script run that holds the first unit, and afterwards the last.
  private mutating func itemize(
    _ text: PreparedText, _ range: Range<Int>, _ style: TextStyle, levels: UnsafePointer<UInt8>?,
    scriptRun: inout Int, _ store: inout TextStore
  ) {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard start < end else { return }
    let levels = levels.map { $0 - text.unitStart }
    var index = start
    while scripts.runs[scriptRun].end <= start { scriptRun += 1 }
    var item = OpenItem(
      start: start, face: style.face, script: scripts.runs[scriptRun].script, level: levels?[start] ?? 0)
    // No font needs a glyph for an attachment.
    if style.attachment != nil { return Self.append(item, to: end, text, style, &store) }
    let hasAscii = store.book.coversAscii(style.face)
    var controls = ControlCharacters()
    while index < end {
      if levels == nil {
        index = Self.endOfUnmarked(
          from: index, to: end, scripts.runs[scriptRun].end, item, primary: style.face, hasAscii: hasAscii,
          composes: text.rules.engine == .chromium, store)
        if index == end { break }
      }
      while scripts.runs[scriptRun].end <= index { scriptRun += 1 }
      let level = levels?[index] ?? 0
      if text.traits.contains(.substitutes) {
        let continues = index > item.start && item.face != store.book.emojiFace && level == item.level
        if !continues { controls = ControlCharacters() }
        controls.substitute(
          at: index, to: min(end, scripts.runs[scriptRun].end), levels: levels, text.rules.controls, &store)
      }
      let (scalar, width) = store.scalar(at: index)
      // A mark of another script or after a tab or newline is a character of its own.
      let endsCluster = scalar == 0x09 || scalar == 0x0a
      let clusterEnd =
        endsCluster
        ? index + 1 : store.endOfCluster(of: scalar, from: index + width, to: min(end, scripts.runs[scriptRun].end))
      let face = store.face(of: scalar, index..<clusterEnd, primary: style.face, current: item.face, text.rules)
      let isHidden = scalar == UInt32(ControlCharacters.hidden)
      let script = scripts.runs[scriptRun].script
      if index > item.start
        && (face != item.face || script != item.script || level != item.level || isHidden != item.isHidden)
      {
        Self.append(item, to: index, text, style, &store)
        (item.start, item.before) = (index, min(item.before + 1, 2))
        item.startsInline = level != item.level
      }
      if script != item.script { controls = ControlCharacters() }
      (item.script, item.face, item.level, item.isHidden) = (script, face, level, isHidden)
      index = clusterEnd
    }
    if index > item.start { Self.append(item, to: index, text, style, &store) }
  }

  private static func append(
    _ item: OpenItem, to end: Int, _ text: PreparedText, _ style: TextStyle, _ store: inout TextStore
  ) {
    var context = ShapingContext(
      face: item.face, script: item.script, ligatures: style.letterSpacing == 0, isRightToLeft: item.level & 1 != 0,
      kerns: !text.rules.traits.contains(.leavesIdeographsUnkerned) || !isIdeographic(item.script),
      rounding: text.rounding(style))
    context.features = Int(store.book.faces[Int(style.face)].features)
    context.language = text.language
    let range = item.start - text.unitStart..<end - text.unitStart
    // Items of one style and face have the same scale and metrics. Words of a fallback face alternate with spaces of the style's face.
    var known = store.prepared.items.count - 1
    let first = known - item.before
    while known > first && store.prepared.items[known].context.face != item.face { known -= 1 }
    guard known > first else {
      return store.appendItem(text, range, style, context, startsInline: item.startsInline)
    }
    var next = store.prepared.items[known]
    (next.start, next.end) = (Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.upperBound))
    (next.context, next.startsInline) = (context, item.startsInline)
    next.leavesSpaces = store.shaper.leavesSpaces(context)
    next.continuesShaping =
      item.startsInline && store.continuesShaping(at: range.lowerBound, text, style, context)
    store.prepared.items.append(next)
  }

  /// Returns the end of the characters from `start` that have no marks and do not change an item from left to right: letters and
  /// ideographs for which its face is chosen, and printable ASCII.
  ///
  /// - Parameters:
  ///   - scriptEnd: the end of the script of the item.
  ///   - hasAscii: whether `primary`, the face of the style, has all of ASCII.
  ///   - composes: whether a face also has the characters that HarfBuzz shows by others of the face.
  private static func endOfUnmarked(
    from start: Int, to end: Int, _ scriptEnd: Int, _ item: OpenItem, primary: Int32, hasAscii: Bool,
    composes: Bool, _ store: borrowing TextStore
  ) -> Int {
    let units = store.prepared.units.base
    let limit = min(end, scriptEnd)
    // In Latin text, ASCII belongs to the item of a hidden control character before it.
    let takesAscii = hasAscii && item.face == primary && (!item.isHidden || item.script == HB_SCRIPT_LATIN)
    var index = start
    while true {
      if takesAscii {
        let first = index
        while index < limit && units[index] >= 0x20 && units[index] < 0x7f { index += 1 }
        // A mark of another script is a character of its own.
        if index > first && index < limit && !isUnmarked(units[index]) { return index - 1 }
      }
      if item.isHidden { return index }
      let first = index
      while index < limit, isLetter(units[index]), index + 1 == limit || isUnmarked(units[index + 1]),
        store.book.face(for: UInt32(units[index]), primary: primary, composes: composes) == item.face
      {
        index += 1
      }
      if index == first || !takesAscii { return index }
    }
  }

  /// Returns whether a unit is a letter of Latin, Greek or Cyrillic, or an ideograph, which is a cluster if no mark follows.
  @inline(__always)
  private static func isLetter(_ unit: UInt16) -> Bool {
    unit >= Ideographs.first
      ? Ideographs.contains(unit)
      : PlainCharacters.isLetter(unit) || (unit >= 0x370 && unit < 0x483) || (unit >= 0x48a && unit < 0x530)
  }

  /// Returns whether a unit is certainly no mark of the character before it.
  @inline(__always)
  private static func isUnmarked(_ unit: UInt16) -> Bool { Ideographs.isNoMark(unit) || isLetter(unit) }
}
