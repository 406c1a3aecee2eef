import Buffers
import CHarfBuzz
import LayoutEngine

/// The size of a text in a box, and what a layout needs to know of its lines.
public struct TextMeasurement: BitwiseCopyable, Equatable, Sendable {
  /// The width of the widest line without the spaces that hang at its end, in points.
  public var width = 0.0
  /// The height of all lines with the spacing between them, in points.
  public var height = 0.0
  /// The number of lines that are shown.
  public var lines: Int32 = 0
  /// Whether the text was cut by `TextOptions.maximumNumberOfLines` or by the height of the box.
  public var isTruncated = false
  /// The distance from the top to the first baseline, in points (text-rules 20).
  public var ascender = 0.0
  /// The position of the last baseline relative to the bottom, in points: negative if it is above the bottom.
  public var descender = 0.0
  /// The changes of the box's width that leave the number of lines as it is; nil if the lines of a paragraph depend on
  /// each other, so that no comparison decides about one of them alone.
  public var margins: TextMargins? = .unlimited
}

/// A measurer that shapes texts once and then fills their lines for any number of widths.
///
/// The lines are those of Chromium with the same fonts (`text-rules`): HarfBuzz shapes the text, ICU finds the break
/// opportunities (UAX #14) and the directions (UAX #9). The texts of a row stay prepared until `removeAll` is called;
/// the segments that were shaped stay in a cache.
///
///     var measurer = TextMeasurer(book: try FontBook([source], fallback: []))
///     let text = measurer.prepare(runs, TextOptions())
///     let narrow = measurer.measure(text, textScale: 1, maxWidth: 200, maxHeight: .infinity)
///     let wide = measurer.measure(text, textScale: 1, maxWidth: 390, maxHeight: .infinity)
///
/// A measurer must be used by one thread, because the objects of HarfBuzz and ICU are not safe to share.
public struct TextMeasurer: ~Copyable {
  /// The default size of the segment cache: 64 MiB.
  public static let defaultCacheBudget = 64 << 20

  // The phases in the order in which a text passes through them. Each owns its scratch memory.
  var store: TextStore
  private var decoder = TextDecoder()
  var itemizer = Itemizer()
  var lineFiller = LineFiller()
  var optimizer = LineOptimizer()
  var androidTexts = AndroidTexts()
  var flutterTexts = FlutterTexts()
  var lastPlatform = Platform.texture

  /// Creates a measurer without texts.
  ///
  /// - Parameters:
  ///   - book: the fonts that the runs' styles refer to.
  ///   - dictionaries: those with which texts with `Hyphens.auto` are hyphenated.
  ///   - cacheBudget: the most bytes that the segment cache takes.
  public init(
    book: FontBook, dictionaries: HyphenationDictionaries = HyphenationDictionaries(),
    cacheBudget: Int = defaultCacheBudget
  ) {
    store = TextStore(book: book, dictionaries: dictionaries, cacheBudget: cacheBudget)
  }

  /// Whether the lines of the last measurement are recorded for `appendLines` and `glyphLines`.
  public var recordsLines: Bool {
    get { lineFiller.recordsLines }
    set { lineFiller.recordsLines = newValue }
  }

  // MARK: Preparing

  /// Shapes a text and cuts it into segments.
  ///
  /// - Parameters:
  ///   - textScale: the text scale of the measurements that follow. Only platforms that prepare texts for a text scale use it.
  ///   - ownStyle: the style of the text's own font, or nil for that of its first run.
  ///   - countsMissingGlyphs: whether its characters count for `missingGlyphCount`; false for a text that is prepared once more,
  ///     in other styles.
  /// - Returns: the number by which `measure` and the functions for its lines refer to the text, until `removeAll` is
  ///   called.
  public mutating func prepare(
    _ runs: UnsafeBufferPointer<TextRun>, _ options: TextOptions, textScale: Double = 1, ownStyle: TextStyle? = nil,
    countsMissingGlyphs: Bool = true
  ) -> Int {
    store.missing.counts = countsMissingGlyphs
    let isPlainAscii =
      options.baseDirection != .rtl && options.css.language.isDefault && store.isPlainAscii(runs, options.whiteSpace)
    return prepare(runs, options, textScale: textScale, ownStyle: ownStyle, isPlainAscii: isPlainAscii)
  }

  mutating func prepare(
    _ runs: UnsafeBufferPointer<TextRun>, _ options: TextOptions, textScale: Double, ownStyle: TextStyle? = nil,
    isPlainAscii: Bool
  ) -> Int {
    var text = PreparedText()
    text.options = options
    text.textScale = textScale
    text.rules = .rules(for: options.platform)
    if options.calibration.roundsAdvances { text.rules.traits.insert(.roundsAdvancesToPoints) }
    text.segments.first = store.prepared.segments.count
    text.items.first = store.prepared.items.count
    text.metrics.first = store.prepared.metrics.count
    if options.css.language != .none { text.language = store.shaper.languages.number(of: options.css.language) }
    let isDecoded = !options.platform.isBrowser || !isPlainAscii
    if isDecoded { prepareUnicode(runs, into: &text) } else { preparePlain(runs, into: &text) }
    text.segments.count = store.prepared.segments.count - text.segments.first
    text.items.count = store.prepared.items.count - text.items.first
    text.metrics.count = store.prepared.metrics.count - text.metrics.first
    if store.prepared.keepsRunEnds { noteRunEnds(runs, decoded: isDecoded ? decoder.runEnds.values : nil, of: &text) }
    if let style = runs.first?.style { text.setTabStops(options.css.tabSize, style, store.book) }
    let style = options.platform.isBrowser ? runs.last?.style : ownStyle ?? runs.first?.style
    text.truncationStyle = style?.onBaseline
    store.noteEmoji(ofTruncation: options.truncation)
    if !options.paragraphs.isPlain { text.traits.insert(.paragraphs) }
    text.traits.formUnion(options.css.traits)
    if options.css.hyphens == .auto && !text.traits.contains(.breaksWords),
      let dictionary = store.dictionaries.index(for: options.css.language)
    {
      text.dictionary = dictionary
      text.traits.insert(.hyphenated)
    }
    store.prepared.texts.append(text)
    return store.prepared.texts.count - 1
  }

  /// Prepares a text of plain ASCII: see `TextStore.isPlainAscii`. The results are those of `prepareUnicode`.
  private mutating func preparePlain(_ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText) {
    text.unitStart = store.prepared.units.count
    for run in runs where !run.text.isEmpty {
      let start = store.prepared.units.count - text.unitStart
      store.prepared.appendPlain(run.text.bytes)
      let context = ShapingContext(
        face: run.style.face, script: HB_SCRIPT_LATIN, ligatures: run.style.letterSpacing == 0,
        rounding: text.rounding(run.style))
      store.appendItem(text, start..<start + run.text.count, run.style, context, startsInline: true)
    }
    text.unitCount = store.prepared.units.count - text.unitStart
    text.items.count = store.prepared.items.count - text.items.first
    // A collapsing space at the start of a text is not shown.
    let startsWithSpace = text.unitCount > 0 && store.prepared.units[text.unitStart] == 0x20
    let shown = text.options.whiteSpace == .collapse && startsWithSpace ? 1 : 0
    lineFiller.cutter.cut(text, shown..<text.unitCount, isPlain: true, &store)
  }

  /// Prepares a text of any scripts and any number of runs.
  mutating func prepareUnicode(_ runs: UnsafeBufferPointer<TextRun>, into text: inout PreparedText) {
    let isBrowser = text.options.platform.isBrowser
    store.prepared.separateTexts()
    text.unitStart = store.prepared.units.count
    text.items.first = store.prepared.items.count
    decoder.decode(
      runs, text.options.whiteSpace, keepsControls: !isBrowser || text.rules.controls != .likeFirst,
      into: &store.prepared)
    text.unitCount = store.prepared.units.count - text.unitStart
    text.note(decoder.traits)
    if isBrowser {
      itemizer.itemize(text, runs, runEnds: decoder.runEnds.values, &store)
      text.items.count = store.prepared.items.count - text.items.first
      lineFiller.cutter.cut(text, 0..<text.unitCount, &store)
    } else if text.options.platform == .flutter {
      flutterTexts.prepare(&text, runs, runEnds: decoder.runEnds.values, &itemizer, &store)
    } else {
      androidTexts.prepare(&text, runs, runEnds: decoder.runEnds.values, &itemizer, &store)
    }
  }

  /// Removes the texts prepared so far. The segment cache is kept.
  public mutating func removeAll() {
    store.prepared.removeAll()
    lineFiller.recordedLines.removeAll()
    store.missing.removeAll()
    store.dependsOnEmojiFonts = false
    store.shaper.startRow()
  }

  // MARK: Lines

  /// The lines of the last measurement, if its platform shapes texts as a whole.
  var platformLines: UnsafeBufferPointer<PlatformLine> {
    lastPlatform == .flutter ? flutterTexts.lines.values : androidTexts.lines.values
  }

  /// The ends of the lines of the last measurement, if `recordsLines` is set.
  var lineEnds: UnsafeBufferPointer<LineEnd> { lineFiller.recordedLines.values }

  // MARK: Statistics
  // What is read for each row is `mutating`, because otherwise the compiler copies the measurer to read it.

  /// The share of the segments looked up so far that were in the cache, from 0 to 1; 1 before the first.
  public var cacheHitRate: Double {
    let (lookups, hits) = cacheUse
    return lookups == 0 ? 1 : Double(hits) / Double(lookups)
  }

  /// The numbers of segments looked up so far, and of those that were in the cache.
  public var cacheUse: (lookups: Int, hits: Int) { (store.shaper.cache.lookups, store.shaper.cache.hits) }

  /// Starts to count the segments looked up from zero.
  public mutating func resetCacheStatistics() { store.shaper.cache.resetStatistics() }

  /// Whether the texts prepared so far have an emoji for which the platforms `texture` and `web` choose different fonts.
  public var dependsOnEmojiFonts: Bool { mutating get { store.dependsOnEmojiFonts } }

  /// Whether the texts prepared so far are in more languages than a row can have.
  public var hasTooManyLanguages: Bool { mutating get { store.shaper.languages.areTooMany } }

  /// The most languages of the texts of a row, beside English.
  public static var maxLanguagesOfRow: Int { Languages.maxLanguagesOfRow }

  /// The number of characters of the texts prepared so far for which no font has a glyph. Those of truncation strings do not
  /// count, because these are prepared when a text is cut first.
  public var missingGlyphCount: Int { mutating get { store.missing.count } }

  /// The first different characters for which no font has a glyph, at most eight. The memory is valid until a text is
  /// prepared or removed.
  public var missingCharacters: UnsafeBufferPointer<UInt32> { store.missing.characters.values }
}
