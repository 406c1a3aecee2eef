/// The position at the end of the current line.
struct LinePen: BitwiseCopyable {
  /// The fractions of a point to which Chromium rounds the width of each item up. A line can exceed its box by one fraction
  /// (text-rules 8).
  static let fraction = 64.0

  /// The widths of the complete items, each rounded up, in points.
  var items = 0.0
  /// The position within the current item, in points.
  var x = 0.0
  /// The width of the line without hanging spaces, in points.
  var width = 0.0
  /// The line metrics of the items on the line, a bit each.
  var metrics: UInt32 = 0
  /// Whether the line has segments.
  var isOpen = false
  /// Whether a hyphen follows that is not a character of the text.
  var isHyphenated = false

  /// The position in the line, in points.
  @inline(__always)
  var position: Double { items + x }

  /// Completes the current item, whose width is rounded up, and starts the next one.
  @inline(__always)
  mutating func startItem() {
    items += Self.roundUp(x)
    x = 0
  }

  /// Returns a length rounded up to a fraction of a point.
  @inline(__always)
  static func roundUp(_ x: Double) -> Double { (x * fraction).rounded(.up) / fraction }

  /// Returns the length of a line whose last character is a trimmed mark. Chromium shapes this mark alone, and rounds the length before
  /// it up. The function assumes that the mark is one em wide.
  ///
  /// - Parameter half: half of an em.
  static func trimmed(_ x: Double, by half: Double) -> Double { roundUp(x - 2 * half) + half }
}

/// The state of filling the lines of a text.
struct LineFillingState {
  /// An earlier end of the line, before ideographic spaces that move to the next line together with the text after them.
  struct EarlierEnd {
    var pen: LinePen
    /// The index of the segment that the next line starts with.
    var next: Int
    /// The index of the segment after the spaces.
    var afterSpaces: Int
  }

  /// The start of the current line, from which the line can be filled again. It is kept for texts with soft hyphens.
  struct LineStart {
    /// The first unit of the line.
    var unit: Int32 = 0
    /// The index of the next segment.
    var next = 0
    /// Whether that is one of the segments that were cut again.
    var isRecut = false
    /// The pen after the rest of a broken word, with which the line starts.
    var pen = LinePen()
    /// Whether that rest is a single cluster.
    var isCluster = false
  }

  /// The rest of a broken word.
  struct RestOfWord {
    /// Its first unit.
    var start: Int32
    /// The index of its last segment, or of a later one while `isNarrowed` is false.
    var last: Int
    /// Whether `last` is known to end the word that holds `start`.
    var isNarrowed = false
    /// The index of the last segment of what did not fit, if a line is filled again.
    var hyphenated: Int?
  }

  /// What is known of a line beside rectangles when it is filled.
  struct FilledLine {
    /// The height of the line, in points.
    var height: Double
    /// Whether its text is wider than the room between the rectangles.
    var exceeds: Bool
  }

  /// The text, which is not copied, because its options are large.
  private let prepared: UnsafePointer<PreparedText>
  let textScale: Double
  let hasSoftHyphens: Bool
  /// Whether lines can end between any characters of words that are not wider than a line.
  let breaksWords: Bool
  /// Whether words are hyphenated with a dictionary.
  let hyphenates: Bool
  /// Whether the end of a line depends on more than what fits.
  let endsWithCare: Bool
  /// The width of the box, in points.
  let room: Double
  /// The width of the widest line that the box holds, in points.
  let limit: Double
  /// The width of the widest current line without its indent.
  private(set) var openLimit: Double
  /// The width of the widest current line: less than `openLimit` while the line is filled again to leave room for its hyphen.
  var lineLimit: Double
  /// Whether paragraphs have indents or spaces, or rectangles are beside lines.
  let placesLines: Bool
  /// The rectangles beside lines.
  let exclusions: UnsafePointer<ExclusionPaths>?
  /// What they exclude of the current line.
  private(set) var exclusion = LineExclusion()
  /// The line that was filled last beside rectangles; nil if none was since its place was set.
  private(set) var filledLine: FilledLine?
  /// The rest of a broken word with which the next line starts.
  var restOfWord: RestOfWord?
  /// Whether the current line is the first one of its paragraph.
  private(set) var startsParagraph = true
  var lines: FilledLines
  /// The widths that were compared with `limit`.
  var decisions = WidthDecisions()
  /// Those that decided about the lines that are kept.
  var keptDecisions = WidthDecisions()
  var pen = LinePen()
  var start = LineStart()
  /// The index of the last segment of what did not fit, while a line is filled again.
  var overflow: Int?
  var earlierEnd: EarlierEnd?
  /// The index of the next segment.
  var index: Int
  /// The index after the last of the segments that are being filled.
  var end: Int
  /// Whether the segments that are being filled were cut again.
  var isRecut = false
  /// The index of the segment with which the text continues after those.
  var afterRecut = 0
  /// The units before that segment that are to be cut again but are not yet.
  var uncut = 0..<0
  /// The number of units that are cut again at once.
  var partLength = 0
  /// The index after the text's last segment.
  let lastSegment: Int

  /// - Parameters:
  ///   - text: the text, which must stay where it is while its lines are filled, as the rectangles must.
  ///   - hyphenates: whether its words can be hyphenated.
  @inline(__always)
  init(
    _ text: UnsafePointer<PreparedText>, textScale: Double, maxWidth: Double, maxHeight: Double,
    exclusions: UnsafePointer<ExclusionPaths>? = nil, hyphenates: Bool = true
  ) {
    prepared = text
    self.textScale = textScale
    hasSoftHyphens = text.pointee.traits.contains(.softHyphens)
    breaksWords = text.pointee.traits.contains(.breaksWords)
    self.hyphenates = hyphenates && text.pointee.traits.contains(.hyphenated)
    endsWithCare = !text.pointee.traits.isDisjoint(with: [.softHyphens, .breaksWords, .hyphenated])
    // In a box whose width is NaN or negative, each cluster is a line.
    room = maxWidth > 0 ? maxWidth : 0
    // A line fits if ceil(width * 64) <= room * 64 + 1. This is the widest one.
    limit = ((room * LinePen.fraction).rounded(.down) + 1) / LinePen.fraction
    self.exclusions = exclusions
    placesLines = text.pointee.traits.contains(.paragraphs) || exclusions != nil
    openLimit = limit
    lineLimit = limit
    lines = FilledLines(
      limit: text.pointee.options.maximumNumberOfLines > 0 ? text.pointee.options.maximumNumberOfLines : .max,
      maxHeight: maxHeight.isNaN ? .infinity : maxHeight, spacing: text.pointee.options.lineSpacing)
    index = text.pointee.segments.first
    end = index + text.pointee.segments.count
    lastSegment = end
  }

  @inline(__always)
  var text: PreparedText { prepared.pointee }

  /// Whether lines can end inside words that are not wider than a line.
  var endsInsideWords: Bool { breaksWords || hyphenates }

  /// Whether ideographic spaces hang after a line that ends inside a word.
  var hangsIdeographicSpaces: Bool {
    text.options.css.lineBreak == .anywhere
      || !breaksWords && !pen.isHyphenated && text.rules.traits.contains(.hangsIdeographicSpaces)
  }

  /// Whether text is left that is on no line.
  var isCut: Bool {
    index < end || (isRecut && (afterRecut < lastSegment || !uncut.isEmpty)) || lines.isOutOfHeight
  }

  /// Notes whether a width fits in `space`, which is the width of a line, or what a hyphen leaves of it.
  @inline(__always)
  mutating func note(_ width: Double, in space: Double) {
    decisions.note(width + (limit - space), fits: width <= space)
  }

  /// The changes of the box's width that leave the lines that are kept as they are.
  var margins: TextMargins {
    TextMargins(
      narrower: room - Self.leastRoom(for: keptDecisions.fitting + Self.roundingError),
      wider: Self.leastRoom(for: keptDecisions.exceeding - Self.roundingError) - room)
  }

  /// The largest error of a width in points that sums of numbers have.
  private static let roundingError = 1e-8

  /// Returns the width of the narrowest box in which a width fits.
  private static func leastRoom(for width: Double) -> Double {
    ((width * LinePen.fraction).rounded(.up) - 1) / LinePen.fraction
  }

  /// Starts the next line.
  ///
  /// - Parameter isFirst: whether it is the first line of a paragraph.
  @inline(__always)
  mutating func startLine(ofParagraph isFirst: Bool = false) {
    pen = LinePen()
    guard hasSoftHyphens || earlierEnd != nil || placesLines else { return }
    if placesLines { indentLine(isFirst) }
    (lineLimit, overflow, earlierEnd) = (openLimit, nil, nil)
  }

  @inline(never)
  private mutating func indentLine(_ isFirst: Bool) {
    startsParagraph = isFirst
    limitLine()
  }

  private mutating func limitLine() {
    let paragraphs = text.options.paragraphs
    openLimit = max(
      paragraphs.end(in: limit) - paragraphs.indent(isFirst: startsParagraph) - exclusion.width, 1 / LinePen.fraction)
    lineLimit = openLimit
  }

  /// Sets the place of the current line beside rectangles.
  ///
  /// - Parameters:
  ///   - top: the distance from the top of the text to where the line would be without rectangles, in points.
  ///   - below: the distance from there, in points.
  ///   - height: the height that the place must have, in points.
  mutating func placeLine(top: Double, below: Double, height: Double, _ exclusions: borrowing ExclusionPaths) {
    exclusion = exclusions.exclusion(top: top + below, height: height)
    exclusion.space = Float(below)
    filledLine = nil
    limitLine()
  }

  /// The indent of the current line, in points.
  var indent: Double { placesLines ? text.options.paragraphs.indent(isFirst: startsParagraph) : 0 }

  /// The distance from the top of the text to the top of the current line, in points.
  var lineTop: Double { lines.nextTop + gap }

  /// The space above the current line that is due to its paragraph, in points.
  private var gap: Double { startsParagraph && lines.count > 0 ? text.options.paragraphs.gap : 0 }

  /// Notes the height of the current line, and returns its indents and the space above it, beside that between lines, in points.
  @inline(never)
  mutating func placedLine(height: Double) -> (indents: Double, space: Double) {
    if exclusions != nil {
      note(pen.width, in: openLimit)
      filledLine = FilledLine(height: height, exceeds: pen.width > openLimit)
    }
    return (
      indent + text.options.paragraphs.trailing + exclusion.width, gap + Double(exclusion.space)
    )
  }

  /// Continues with segments that are cut again.
  ///
  /// - Parameters:
  ///   - first: the index of the first of them.
  ///   - next: the index of the segment with which the text continues after them.
  mutating func enter(recut first: Int, before next: Int) {
    startLine()
    (index, end, isRecut, afterRecut) = (first, first, true, next)
  }

  /// Continues with the segments after those that were cut again.
  mutating func leaveRecut() { (index, end, isRecut) = (afterRecut, lastSegment, false) }
}
