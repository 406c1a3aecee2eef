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
    /// Whether it is the first one of its style.
    var isFirst = true
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
    let isPlain = levels == nil && store.book.coversAscii(style.face)
    var controls = ControlCharacters()
    while index < end {
      if isPlain && item.face == style.face && item.script == HB_SCRIPT_LATIN {
        let face = item.isHidden ? nil : item.face
        index = Self.endOfPlain(from: index, to: end, scripts.runs[scriptRun].end, lettersOf: face, store)
        if index == end { break }
      } else if levels == nil && index > item.start && Ideographs.contains(store.prepared.units[index])
        && !item.isHidden
      {
        index = Self.endOfIdeographs(from: index, to: end, scripts.runs[scriptRun].end, item.face, style.face, store)
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
      let clusterEnd = store.endOfCluster(from: index + width, to: end)
      let face = store.face(of: scalar, index..<clusterEnd, primary: style.face, current: item.face, text.rules.emoji)
      let isHidden = scalar == UInt32(ControlCharacters.hidden)
      let script = scripts.runs[scriptRun].script
      if index > item.start
        && (face != item.face || script != item.script || level != item.level || isHidden != item.isHidden)
      {
        Self.append(item, to: index, text, style, &store)
        (item.start, item.isFirst) = (index, false)
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
      rounding: text.rules.rounding(style, textScale: store.textScale))
    context.features = Int(store.book.faces[Int(style.face)].features)
    context.language = text.language
    let range = item.start - text.unitStart..<end - text.unitStart
    let last = store.prepared.items.count - 1
    guard !item.isFirst && store.prepared.items[last].context.face == item.face else {
      return store.appendItem(text, range, style, context, startsInline: item.startsInline)
    }
    // Items of one style and face have the same scale and metrics.
    var next = store.prepared.items[last]
    (next.start, next.end) = (Int32(truncatingIfNeeded: range.lowerBound), Int32(truncatingIfNeeded: range.upperBound))
    (next.context, next.startsInline) = (context, item.startsInline)
    store.prepared.items.append(next)
  }

  /// Returns the end of the ideographs from `start` that a face is chosen for and that have no marks. They do not change an item of that
  /// face and of their script that runs from left to right.
  private static func endOfIdeographs(
    from start: Int, to end: Int, _ scriptEnd: Int, _ face: Int32, _ primary: Int32, _ store: borrowing TextStore
  ) -> Int {
    let units = store.prepared.units.base
    var index = start
    while index < min(end, scriptEnd) && Ideographs.contains(units[index])
      && (index + 1 == end || Ideographs.isNoMark(units[index + 1]))
      && store.book.face(for: UInt32(units[index]), primary: primary) == face
    {
      index += 1
    }
    return index
  }

  /// Returns the end of the printable ASCII characters from `start` and of other Latin letters that `face` has, without the
  /// character before a mark. They do not change an item that is Latin, runs from left to right, and has a face with all of ASCII.
  private static func endOfPlain(
    from start: Int, to end: Int, _ scriptEnd: Int, lettersOf face: Int32?, _ store: borrowing TextStore
  ) -> Int {
    let units = store.prepared.units.base
    let limit = min(end, scriptEnd)
    var index = start
    while index < limit {
      let unit = units[index]
      if unit < 0x20 || unit >= 0x7f {
        guard let face, PlainCharacters.isLetter(unit), index + 1 == end || units[index + 1] < 0x300,
          store.book.face(for: UInt32(unit), primary: face) == face
        else { break }
      }
      index += 1
    }
    return index > start && index < limit && units[index] >= 0x300 ? index - 1 : index
  }
}
