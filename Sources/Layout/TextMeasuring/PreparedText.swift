import Buffers

/// A piece of a text that no line breaks, with the spaces after it. Widths are in points at text scale 1.
struct Segment: BitwiseCopyable {
  /// Of what is shown, without the letter spacing.
  var advance = 0.0
  /// Of the spaces that follow; they hang where a line ends.
  var space = 0.0
  /// Letter spacing of both, which does not scale with the text.
  var advanceSpacing = 0.0
  var spaceSpacing = 0.0
  /// Added where it does not start a line: kerning with what precedes, or the trimmed half of an opening mark.
  var joining = 0.0
  /// What it may give up to fit at the end of a line: half of a closing mark; or less than 0, the hyphen that its soft
  /// hyphen needs there.
  var endTrim = 0.0
  /// Where it starts, its spaces start, and it ends, in the text's units.
  var start: Int32 = 0
  var spaceStart: Int32 = 0
  var end: Int32 = 0
  /// Which of the paragraph's line metrics it brings to its line, a bit each.
  var metrics: UInt32 = 0
  var traits = Traits()

  struct Traits: OptionSet, BitwiseCopyable {
    var rawValue: UInt8

    /// The line ends here whatever fits.
    static let endsLine = Traits(rawValue: 1)
    /// Nothing but a tab.
    static let tab = Traits(rawValue: 2)
    /// No line may break before it: it goes on with the segment before, in another style, face or script.
    static let continues = Traits(rawValue: 4)
    /// The next one continues it.
    static let isContinued = Traits(rawValue: 8)
    /// It, or its spaces, start a stretch of another style or direction: what precedes is rounded up (text-rules 8).
    static let startsItem = Traits(rawValue: 16)
    static let spacesStartItem = Traits(rawValue: 32)
    /// It has an `endTrim`.
    static let changesAtEnd = Traits(rawValue: 64)
    /// Ideographic spaces that, behind a space that collapses, go to the next line if what follows does.
    static let givesWay = Traits(rawValue: 128)
  }

  @inline(__always)
  var isBlank: Bool { start == spaceStart }
}

/// A cluster of a segment that has to be broken inside.
struct Cluster: BitwiseCopyable {
  /// In points at text scale 1, without letter spacing.
  var advance: Double
  var spacing: Double
  /// Where it starts in the text's units.
  var start: Int32
  /// What its advance is less than that of its glyph by, as it is next to other punctuation, and what it may give up to
  /// fit at the end of a line.
  var trim = 0.0
  var endTrim = 0.0
}

/// A stretch of a text in one style, direction, face and script.
struct Item: BitwiseCopyable {
  var start: Int32
  var end: Int32
  var style: TextStyle
  var context: ShapingContext
  /// Size of its face's unit, in points.
  var scale: Double
  /// Which of the paragraph's line metrics it brings to its lines, a bit each.
  var metrics: UInt32
  /// Whether its style or direction is not that of the item before.
  var startsInline: Bool
}

/// A text cut into segments, ready to be filled into lines of any width.
struct PreparedText: BitwiseCopyable {
  var segments = Run()
  var items = Run()
  var metrics = Run()
  var options = TextOptions()
  /// The width of a tab stop, and its letter spacing, which does not scale with the text.
  var tabWidth = 0.0
  var tabSpacing = 0.0
  /// That of the last run.
  var truncationStyle: TextStyle?
  /// Known once the text was cut.
  var truncationWidth: Double?
  /// Where its units start among all units, and how many there are.
  var unitStart = 0
  var unitCount = 0
  var traits: TextTraits = []

  /// A run of indices into the buffers of the measurer.
  struct Run: BitwiseCopyable {
    var first = 0
    var count = 0
  }
}
