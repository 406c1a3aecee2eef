import Buffers

/// A piece of a text that no line breaks, with the spaces after it. Widths are in points at text scale 1; offsets are in
/// units of the text.
struct Segment: BitwiseCopyable {
  /// The advance without the hanging spaces and the letter spacing.
  var advance = 0.0
  /// The advance of the spaces after it, which hang at the end of a line.
  var space = 0.0
  /// The letter spacing of the piece, which does not scale with the text.
  var advanceSpacing = 0.0
  /// The letter spacing of the spaces, which does not scale with the text.
  var spaceSpacing = 0.0
  /// The width that is added if it does not start a line: kerning with the text before it, or the trimmed half of an opening
  /// mark, which is negative.
  var joining = 0.0
  /// The width that can be subtracted at the end of a line, which is half of a closing mark; or if negative, the width of
  /// the hyphen that a soft hyphen shows there.
  var endTrim = 0.0
  /// The offset of its first unit.
  var start: Int32
  /// The offset of its first hanging space, or `end` if it has none.
  var spaceStart: Int32
  /// The offset after its last unit.
  var end: Int32
  /// The line metrics of its items, or in WebKit of its characters, a bit each.
  var metrics: UInt32
  var traits = Traits()

  /// Creates a segment without advances.
  @inline(__always)
  init(_ start: Int, spaceStart: Int, end: Int, metrics: UInt32) {
    self.start = Int32(truncatingIfNeeded: start)
    self.spaceStart = Int32(truncatingIfNeeded: spaceStart)
    self.end = Int32(truncatingIfNeeded: end)
    self.metrics = metrics
  }

  struct Traits: OptionSet, BitwiseCopyable {
    var rawValue: UInt16

    /// The line ends after it, as it ends with a newline.
    static let endsLine = Traits(rawValue: 1)
    /// It is a tab.
    static let tab = Traits(rawValue: 2)
    /// It continues the segment before it in another style, face or script: no line breaks between them.
    static let continues = Traits(rawValue: 4)
    /// The next segment continues it.
    static let isContinued = Traits(rawValue: 8)
    /// It starts a stretch of another style or direction: the width before it is rounded up (text-rules 8).
    static let startsItem = Traits(rawValue: 16)
    /// Its spaces start a stretch of another style or direction.
    static let spacesStartItem = Traits(rawValue: 32)
    /// It has an `endTrim`.
    static let changesAtEnd = Traits(rawValue: 64)
    /// It consists of ideographic spaces after a collapsing space, which move to the next line if the text after them does.
    static let givesWay = Traits(rawValue: 128)
    /// No line breaks between it and the tab after it, unless both are wider than a line (text-rules 22).
    static let joinsTab = Traits(rawValue: 256)
  }

  /// Whether it consists of hanging spaces.
  @inline(__always)
  var isBlank: Bool { start == spaceStart }
}

/// A cluster of a word that is broken inside. Widths are in points at text scale 1.
struct Cluster: BitwiseCopyable {
  /// The advance without letter spacing.
  var advance: Double
  /// The letter spacing.
  var spacing: Double
  /// The offset of its first unit in the text.
  var start: Int32
  /// The width that was subtracted from its glyph's advance, as it is next to other punctuation.
  var trim = 0.0
  /// The width that can be subtracted at the end of a line.
  var endTrim = 0.0
}

/// A stretch of a text in one style, direction, face and script.
struct Item: BitwiseCopyable {
  /// The offset of its first unit in the text.
  var start: Int32
  /// The offset after its last unit.
  var end: Int32
  var style: TextStyle
  var context: ShapingContext
  /// The size in points of the unit of its advances, at text scale 1.
  var scale: Double
  /// The line metrics of its style and face, a bit each.
  var metrics: UInt32
  /// Whether its style or direction differs from that of the item before it.
  var startsInline: Bool
  /// Whether it is shaped together with the item before it, which has the same font and direction.
  var continuesShaping: Bool
  /// Whether its words are shaped without the spaces around them.
  var leavesSpaces: Bool
  /// The index of the forms of its punctuation (`Shaper.forms`); 0 if none is trimmed.
  var forms: UInt16
}

extension UnsafePointer<Item> {
  /// Returns the offset of the first unit that is shaped together with a unit of the item, or one at least two units before it: a text can
  /// have thousands of items that are shaped together.
  @inline(__always)
  func shapingStart(before unit: Int) -> Int {
    var first = self
    while first.pointee.continuesShaping && Int(first.pointee.start) > unit - 2 { first -= 1 }
    return Int(first.pointee.start)
  }
}

/// A text that was cut into segments, which can be filled into lines of any width.
struct PreparedText: BitwiseCopyable {
  var segments = Run()
  var items = Run()
  var metrics = Run()
  var options = TextOptions()
  /// The distance between two tab stops, in points at text scale 1.
  var tabWidth = 0.0
  /// The letter spacing between two tab stops in points, which does not scale with the text.
  var tabSpacing = 0.0
  /// The least width of a tab, in points at text scale 1.
  var leastTab = 0.0
  /// The style of the truncation string: in browsers that of the last run, elsewhere that of the text's own font, which also decides
  /// about the line height of the text.
  var truncationStyle: TextStyle?
  /// The width of the truncation string in points at text scale 1, which is known when the text was cut once.
  var truncationWidth: Double?
  /// The glyphs of the truncation string on a platform that shapes texts as a whole, which are known when the text was cut
  /// once.
  var truncationGlyphs: Run?
  /// The glyphs of a text whose platform shapes it as a whole.
  var glyphs = Run()
  /// The break opportunities before its units, and at its end.
  var opportunities = Run()
  /// The ends of its runs, if these are kept.
  var runEnds = Run()
  /// The text scale for which it was prepared; see `Platform.preparesForTextScale`.
  var textScale = 1.0
  /// The index of its first unit among those of all texts.
  var unitStart = 0
  /// The number of its units.
  var unitCount = 0
  /// The properties of its characters on which its preparation depends.
  var traits: TextTraits = []
  /// The number of its language in `Languages`.
  var language = 0
  /// The index of the dictionary with which its words are hyphenated, if they are.
  var dictionary = 0
  /// The rules of its browser.
  var rules = BrowserRules.rules(for: .texture)

  /// Sets the traits to those of the characters. Characters from left to right have other directions in a paragraph from right to
  /// left.
  mutating func note(_ characters: TextTraits) {
    traits = characters
    if options.baseDirection == .rtl { traits.insert(.bidirectional) }
  }

  /// A range of indices in a buffer of `PreparedTexts`.
  struct Run: BitwiseCopyable {
    var first = 0
    var count = 0
  }
}
