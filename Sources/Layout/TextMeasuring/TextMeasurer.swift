import Buffers
import CHarfBuzz
import CICU

/// What a text takes when it has at most so much room.
public struct TextMeasurement: BitwiseCopyable, Equatable, Sendable {
  /// The widest line without the spaces that hang at its end, in points.
  public var width = 0.0
  public var height = 0.0
  public var lines: Int32 = 0
  /// Cut by `maximumNumberOfLines` or by the height.
  public var isTruncated = false
  /// First baseline below the top.
  public var ascender = 0.0
  /// Last baseline relative to the bottom: negative above it.
  public var descender = 0.0
}

/// Measures texts: shapes them once, then fills lines of any width.
///
/// Not safe to share between threads: HarfBuzz's and ICU's objects stay on one.
public struct TextMeasurer: ~Copyable {
  /// Bytes of the segment cache unless said otherwise.
  public static let defaultCacheBudget = 64 << 20

  let book: FontBook
  var shaper: Shaper
  var prepared = PreparedTexts()
  /// For each unit of the text being prepared, whether a line may begin there.
  var breaks = FlatBuffer<Bool>(capacity: 256)
  /// The text as ICU is given it, where that differs.
  var quoted = FlatBuffer<UInt16>(capacity: 16)
  /// The words of the run of plain ASCII being prepared.
  var words = FlatBuffer<SegmentCache.Key>(capacity: 64)
  var runEnds = FlatBuffer<Int>(capacity: 8)
  var scriptRuns = FlatBuffer<ScriptRun>(capacity: 8)
  var openBrackets = FlatBuffer<OpenBracket>(capacity: 8)
  /// Segments of the texts that are prepared; behind them stands what is cut anew while lines are filled.
  var keptSegments = 0
  /// Clusters of the line that is broken inside a word.
  var clusters = FlatBuffer<Cluster>(capacity: 64)
  var shaped = FlatBuffer<ShapedCluster>(capacity: 64)
  /// Whether the lines of the last measurement are kept, for those who want to see them.
  public var recordsLines = false
  var lineEnds = FlatBuffer<LineEnd>(capacity: 16)
  let lineBreaks = galley_breaks_open(galley_breaks_lines)
  let bidi = galley_bidi_open()
  var characters = CharacterTable()
  var missing = MissingGlyphs()

  public init(book: FontBook, cacheBudget: Int = defaultCacheBudget) {
    self.book = book
    shaper = Shaper(book: book, cacheBudget: cacheBudget)
  }

  deinit {
    galley_breaks_close(lineBreaks)
    galley_bidi_close(bidi)
  }

  /// Share of the segments looked up so far that were in the cache; 1 before the first.
  public var cacheHitRate: Double {
    shaper.cache.lookups == 0 ? 1 : Double(shaper.cache.hits) / Double(shaper.cache.lookups)
  }

  public mutating func resetCacheStatistics() { shaper.cache.resetStatistics() }

  /// Forgets the texts prepared so far.
  public mutating func removeAll() {
    prepared.removeAll()
    missing.removeAll()
  }

  /// Shapes a text; answers its number for `measure`.
  public mutating func prepare(_ runs: UnsafeBufferPointer<TextRun>, _ options: TextOptions) -> Int {
    prepare(runs, options, isPlainAscii: isPlainAscii(runs, options.whiteSpace))
  }

  mutating func prepare(
    _ runs: UnsafeBufferPointer<TextRun>, _ options: TextOptions, isPlainAscii: Bool
  ) -> Int {
    var text = PreparedText()
    text.options = options
    text.segments.first = prepared.segments.count
    text.items.first = prepared.items.count
    text.metrics.first = prepared.metrics.count
    if isPlainAscii {
      prepareAscii(runs, into: &text)
    } else {
      prepareUnicode(runs, into: &text)
    }
    text.segments.count = prepared.segments.count - text.segments.first
    text.items.count = prepared.items.count - text.items.first
    text.metrics.count = prepared.metrics.count - text.metrics.first
    if let style = runs.first?.style {
      let face = book.faces[Int(style.face)]
      text.tabWidth = Double(face.spaceAdvance) * pointsPerUnit(face, style.size) * Self.spacesPerTab
      text.tabSpacing = style.letterSpacing * Self.spacesPerTab
    }
    text.truncationStyle = runs.last?.style
    prepared.texts.append(text)
    return prepared.texts.count - 1
  }

  static let spacesPerTab = 8.0

  /// The lines of the last measurement, of this text: what they show, without the spaces that hang, and its width in
  /// points. Only with `recordsLines`.
  public func lines(of text: Int) -> [(text: String, width: Double)] {
    let unitStart = prepared.texts[text].unitStart
    var start = 0
    return (0..<lineEnds.count).map { line in
      let end = Int(lineEnds[line].unit)
      defer { start = end }
      let units = (start..<max(start, end)).map { prepared.units[unitStart + $0] }
      let shown = String(decoding: units, as: UTF16.self)
      return (String(shown.reversed().drop { $0 == " " || $0 == "\n" }.reversed()), lineEnds[line].width)
    }
  }

  /// Where the lines of the last measurement, of this text, start in the text as written, in UTF-16. Only with
  /// `recordsLines`.
  public func lineStarts(of text: Int) -> [Int] {
    let text = prepared.texts[text]
    guard lineEnds.count > 0 else { return [] }
    let ends = (0..<lineEnds.count - 1).map { Int(lineEnds[$0].unit) }
    let first = text.segments.count > 0 ? Int(prepared.segments[text.segments.first].start) : 0
    return ([first] + ends).map { $0 < text.unitCount ? Int(prepared.origins[text.unitStart + $0]) : text.unitCount }
  }

  /// The width of a text's truncation string in points at text scale 1. Most texts are not cut, so it is found for those
  /// that are.
  mutating func truncationWidth(of text: Int) -> Double {
    if let known = prepared.texts[text].truncationWidth { return known }
    guard let style = prepared.texts[text].truncationStyle else { return 0 }
    let found = width(prepared.texts[text].options.truncation, style)
    prepared.texts.base[text].truncationWidth = found
    return found
  }

  private mutating func width(_ string: ByteString, _ style: TextStyle) -> Double {
    var text = PreparedText()
    text.segments.first = prepared.segments.count
    text.metrics.first = prepared.metrics.count
    let substitutes = prepared.substitutes.count
    var run = TextRun(text: string, style: style)
    withUnsafePointer(to: &run) { prepareUnicode(UnsafeBufferPointer(start: $0, count: 1), into: &text) }
    var width = 0.0
    for index in text.segments.first..<prepared.segments.count {
      let segment = prepared.segments[index]
      width += segment.advance + segment.advanceSpacing + segment.space + segment.spaceSpacing
    }
    prepared.segments.truncate(to: text.segments.first)
    prepared.items.truncate(to: text.items.first)
    prepared.metrics.truncate(to: text.metrics.first)
    prepared.units.truncate(to: text.unitStart)
    prepared.substitutes.truncate(to: substitutes)
    if recordsLines { prepared.origins.truncate(to: text.unitStart) }
    return width
  }
}

/// Where a line of a measured text ends.
struct LineEnd: BitwiseCopyable {
  /// The unit after its last.
  var unit: Int32
  /// In points, without hanging spaces and with them.
  var width: Double
  var hangingWidth: Double
}
