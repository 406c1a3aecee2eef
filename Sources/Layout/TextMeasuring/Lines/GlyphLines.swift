import Buffers
import CHarfBuzz

extension TextMeasurer {
  /// Returns the lines of the last measurement, which was of this text, as glyphs. Empty unless `recordsLines` is set.
  ///
  /// - Parameters:
  ///   - number: the number that `prepare` returned.
  ///   - textScale: the factor of the measurement.
  ///   - room: the width in points in which the text was cut, so that its last line ends with the truncation string; nil for
  ///     a text that was not cut.
  ///   - width: the width in points to which lines are justified, or nil.
  public mutating func glyphLines(
    of number: Int, textScale: Double, truncatedTo room: Double? = nil, justifiedTo width: Double? = nil
  ) -> [GlyphLine] {
    var lines = FlatBuffer<TextLine>()
    appendLines(of: number, textScale: textScale, truncatedTo: room, to: &lines)
    guard lines.count > 0 else { return [] }
    let text = store.prepared.texts[number]
    let levels = itemizer.bidi.shownLevels(of: text, store.prepared)
    let truncation = lines.values.contains { $0.traits.contains(.ellipsis) } ? truncationRun(number, textScale) : nil
    return lines.values.indices.map { index in
      let line = lines[index]
      var drawing = drawing(of: line, text, textScale: textScale)
      if let width {
        drawing.stretch = stretch(of: number, line, next: index + 1 < lines.count ? lines[index + 1] : nil, to: width)
      }
      let last = line.traits.contains(.ellipsis) ? truncation : nil
      var drawn = join(directionalRuns(drawing, levels, followedBy: last), drawing)
      drawn.runs = runs(of: drawing, levels) + (last?.runs ?? [])
      drawn.text = characters(of: number, line)
      drawn.isJustified = drawing.stretch > 0
      if last == nil && drawing.stretch == 0 { drawn.fit(to: line.width, endTrim: endTrim(of: drawing)) }
      drawn.baseline = line.baseline
      drawn.indent = Double(line.x)
      drawn.exclusion = line.exclusion
      return drawn
    }
  }

  /// A line that is being drawn.
  struct LineDrawing {
    let text: PreparedText
    let tabStops: TabStops
    let textScale: Double
    /// The units of the text that are shown.
    let range: Range<Int>
    /// Whether it ends with a hyphen that is not a character of the text.
    var isHyphenated = false
    var paragraphLevel: UInt8 = 0
    /// The distance of the line's start from that of its tab stops.
    var tabOrigin = 0.0
    /// The length by which each space is wider in a justified line, in points.
    var stretch = 0.0
    /// Whether its text was measured last, on Android, which rounds the advances of glyphs.
    var hasAdvancesOfAndroid = false

    /// Returns the positions after the stretches of the line in visual order, in points.
    func ends(of runs: [DirectionalRun]) -> [Double] {
      guard paragraphLevel & 1 != 0, runs.contains(where: \.isTab) else { return distances(after: runs) }
      // The start of the line, from which its tab stops are counted, is its right end.
      let fromRight = distances(after: runs.reversed())
      var x = 0.0
      return runs.indices.map { index in
        let number = runs.count - 1 - index
        let tab = fromRight[number] - (number > 0 ? fromRight[number - 1] : 0)
        x += runs[index].isTab ? tab : runs[index].width
        return x
      }
    }

    /// Returns the distances of the ends of stretches from the start of the line, in points.
    private func distances(after runs: [DirectionalRun]) -> [Double] {
      var (x, stretch, followsTab) = (0.0, 0.0, false)
      return runs.map { run in
        x = run.isTab ? tabStops.next(after: x, origin: tabOrigin, followsTab: followsTab) : x + run.width - run.stretch
        stretch += run.stretch
        followsTab = run.isTab
        return x + stretch
      }
    }
  }

  // MARK: Drawing a line

  /// Returns a line of the text that was measured last.
  func drawing(of line: TextLine, _ text: PreparedText, textScale: Double) -> LineDrawing {
    let isAndroid = text.options.platform.isAndroid
    return LineDrawing(
      text: text, tabStops: isAndroid ? androidTexts.tabStops : TabStops(of: text, textScale: textScale),
      textScale: textScale, range: Int(line.start)..<Int(line.end), isHyphenated: line.traits.contains(.hyphen),
      paragraphLevel: line.traits.contains(.rightToLeft) ? 1 : 0,
      tabOrigin: text.tabOrigin(indent: Double(line.x), line.exclusion), hasAdvancesOfAndroid: isAndroid)
  }

  /// Returns the stretches of a line in visual order. One can have several runs of one style.
  ///
  /// - Parameters:
  ///   - levels: the embedding level of each unit of the text.
  ///   - last: the truncation string, which is at the end of the line.
  mutating func directionalRuns(
    _ line: LineDrawing, _ levels: [UInt8], followedBy last: GlyphLine? = nil
  ) -> [DirectionalRun] {
    var runs: [DirectionalRun] = []
    for (item, units) in stretches(of: line, levels) {
      let isTab = store.prepared.units[line.text.unitStart + units.lowerBound] == 0x09
      var run = DirectionalRun(level: levels[units.lowerBound], isTab: isTab, units: units)
      if isTab { stretch(&run, 0x09, line) } else { appendGlyphs(units, item, to: &run, line) }
      if line.hasAdvancesOfAndroid { place(&run, line) }
      runs.append(run)
      if line.isHyphenated && units.upperBound == line.range.upperBound { runs.append(hyphenRun(item, line)) }
    }
    if let last { runs.append(DirectionalRun(level: line.paragraphLevel, glyphs: last.glyphs, width: last.width)) }
    return Self.inVisualOrder(runs)
  }

  /// Moves the glyphs of a stretch to where Android has them.
  private func place(_ run: inout DirectionalRun, _ line: LineDrawing) {
    run.place { units in
      let spaces = units.count {
        Justification.isSpace(store.prepared.units[line.text.unitStart + $0], on: line.text.options.platform)
      }
      return androidTexts.advance(of: units) + line.stretch * Double(spaces)
    }
  }

  /// Returns the stretches of a line in one item and direction, in the order of the text. A tab is a stretch of its own.
  ///
  /// - Parameter levels: the embedding level of each unit of the text, or nil if they do not divide it.
  func stretches(of line: LineDrawing, _ levels: [UInt8]?) -> [(item: Item, units: Range<Int>)] {
    guard line.text.items.count > 0, !line.range.isEmpty else { return [] }
    func item(at unit: Int) -> Int { store.itemIndex(at: Int32(truncatingIfNeeded: unit), line.text) }
    let units = store.prepared.units.base + line.text.unitStart
    var stretches: [(item: Item, units: Range<Int>)] = []
    for index in item(at: line.range.lowerBound)...item(at: line.range.upperBound - 1) {
      let current = store.prepared.items[index]
      var unit = max(Int(current.start), line.range.lowerBound)
      let end = min(Int(current.end), line.range.upperBound)
      while unit < end {
        var next = unit + 1
        while next < end && units[unit] != 0x09 && units[next] != 0x09 && levels?[next] == levels?[unit] { next += 1 }
        stretches.append((current, unit..<next))
        unit = next
      }
    }
    return stretches
  }

  /// Returns a line as glyphs, from its stretches in visual order.
  private func join(_ runs: [DirectionalRun], _ line: LineDrawing) -> GlyphLine {
    var drawn = GlyphLine(glyphs: [], width: 0, baseline: 0, isRightToLeft: line.paragraphLevel & 1 != 0)
    for (run, end) in zip(runs, line.ends(of: runs)) {
      for var glyph in run.glyphs {
        glyph.x += drawn.width
        drawn.glyphs.append(glyph)
      }
      if var attachment = run.attachment {
        attachment.x = drawn.width
        drawn.attachments.append(attachment)
      }
      drawn.width = end
    }
    return drawn
  }

  /// Returns stretches in visual order: from the highest level to the lowest odd one, the sequences of stretches at that level
  /// or above are reversed (UAX #9, L2).
  private static func inVisualOrder(_ runs: [DirectionalRun]) -> [DirectionalRun] {
    var runs = runs
    guard let highest = runs.map(\.level).max(), let lowestOdd = runs.map(\.level).filter({ $0 & 1 != 0 }).min()
    else { return runs }
    for level in (lowestOdd...highest).reversed() {
      var start = 0
      while start < runs.count {
        var end = start
        while end < runs.count && runs[end].level >= level { end += 1 }
        if end > start { runs[start..<end].reverse() }
        start = max(end, start + 1)
      }
    }
    return runs
  }

  /// Appends the glyphs of a stretch of an item. It is shaped with the text around it, so that letters stay joined.
  private mutating func appendGlyphs(
    _ range: Range<Int>, _ item: Item, to run: inout DirectionalRun, _ line: LineDrawing
  ) {
    if let attachment = item.style.attachment {
      let (width, height) = (attachment.width * line.textScale, attachment.height * line.textScale)
      run.attachment = PlacedAttachment(
        x: 0, above: (attachment.height + item.style.baselineOffset) * line.textScale, width: width,
        height: height)
      run.width += width
      return
    }
    var context = item.context
    context.isRightToLeft = run.level & 1 != 0
    let face = store.book.faces[Int(context.face)]
    let scale = line.text.pointsPerUnit(face, item.style) * line.textScale
    let spacing = item.style.letterSpacing
    let raised = item.style.baselineOffset * line.textScale
    let isJoined = isCursive(context.script)
    let units = store.prepared.units.base + line.text.unitStart
    let glyphs = store.shaper.glyphs(of: range, in: units, line.text.unitCount, context)
    let infos = glyphs.infos
    var trimmedAfter = 0.0
    for index in infos.indices {
      let position = glyphs.positions[index]
      if index == 0 || infos[index - 1].cluster != infos[index].cluster {
        let cluster = Int(infos[index].cluster)
        let (before, after) = store.trimmedSides(
          at: cluster, lineStart: line.range.lowerBound, item, line.text)
        run.width -= before * line.textScale
        trimmedAfter = after * line.textScale
        run.clusters.append((cluster, run.glyphs.count, run.width))
      }
      run.glyphs.append(
        PlacedGlyph(
          key: GlyphKey(face: context.face, glyph: infos[index].codepoint),
          x: run.width + Double(position.x_offset) * scale, y: -Double(position.y_offset) * scale - raised,
          scale: scale))
      let advance = position.x_advance > 0 ? face.strikeAdvance ?? position.x_advance : position.x_advance
      run.width += Double(advance) * scale
      let endsCluster = index + 1 == infos.count || infos[index + 1].cluster != infos[index].cluster
      let unit = units[Int(infos[index].cluster)]
      let isSpaced = isJoined ? unit == 0x20 || unit == 0xa0 : advance > 0 || unit == ControlCharacters.hidden
      if endsCluster { run.width += (isSpaced ? spacing : 0) - trimmedAfter }
      stretch(&run, unit, line)
    }
  }

  /// Returns the hyphen that a line shows at its end.
  private func hyphenRun(_ item: Item, _ line: LineDrawing) -> DirectionalRun {
    let face = store.book.faces[Int(item.style.face)]
    let glyph = Face.glyph(of: face.hyphen, face.font) ?? 0
    let raised = item.style.baselineOffset * line.textScale
    let scale = line.text.pointsPerUnit(face, item.style) * line.textScale
    return DirectionalRun(
      level: item.context.isRightToLeft ? 1 : 0,
      glyphs: [PlacedGlyph(key: GlyphKey(face: item.style.face, glyph: glyph), x: 0, y: -raised, scale: scale)],
      width: Double(hb_font_get_glyph_h_advance(face.font, glyph)) * scale)
  }

  // MARK: Truncation

  /// Returns a text's truncation string in the style of its last run.
  mutating func truncationRun(_ number: Int, _ textScale: Double) -> GlyphLine {
    let text = store.prepared.texts[number]
    guard text.items.count > 0 else { return GlyphLine(glyphs: [], width: 0, baseline: 0, isRightToLeft: false) }
    var run = TextRun(
      text: text.options.truncation,
      style: store.prepared.items[text.items.first + text.items.count - 1].style.onBaseline)
    var options = TextOptions()
    options.css.language = text.options.css.language
    if text.options.platform.isBrowser {
      (options.platform, options.calibration) = (text.options.platform, text.options.calibration)
    }
    store.missing.counts = false
    let truncation = withUnsafePointer(to: &run) { run in
      prepare(
        UnsafeBufferPointer(start: run, count: 1), options, textScale: text.textScale, isPlainAscii: false)
    }
    let string = store.prepared.texts[truncation]
    let line = LineDrawing(
      text: string, tabStops: TabStops(of: string, textScale: textScale), textScale: textScale,
      range: 0..<string.unitCount)
    var drawn = join(directionalRuns(line, itemizer.bidi.shownLevels(of: string, store.prepared)), line)
    drawn.runs = runs(of: line, nil)
    return drawn
  }
}
