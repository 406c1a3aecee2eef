import LayoutEngine

/// The rules by which the engine of a browser lays out texts, where engines differ (text-rules 2 to 22).
///
/// They are chosen once for a text.
struct BrowserRules: BitwiseCopyable {
  /// The engine whose table of ASCII pairs, whose differences from ICU's breaks and whose heights of lines apply.
  let engine: Engine
  var traits: Traits
  /// The kerning of two pieces of a text between which a line can break.
  let kerning: Kerning
  let controls: Controls
  /// The choice of a font for emoji.
  let emoji: EmojiFonts

  /// The rules that an engine has or lacks.
  struct Traits: OptionSet, BitwiseCopyable {
    let rawValue: UInt32

    /// No line begins with small kana or with U+30FC (CSS `line-break: strict`).
    static let strict = Traits(rawValue: 1)
    /// Quotation marks between wide characters break like brackets (text-rules 5).
    static let bracketQuotes = Traits(rawValue: 2)
    /// CJK punctuation is set half as wide next to other punctuation (text-rules 14).
    static let trimsPunctuation = Traits(rawValue: 4)
    /// The rest of a broken word has other opportunities than the word (text-rules 7).
    static let restartsAfterBrokenWords = Traits(rawValue: 8)
    /// Ideographic spaces hang at the end of a line (text-rules 9).
    static let hangsIdeographicSpaces = Traits(rawValue: 16)
    /// Ideographic spaces also hang before a newline.
    static let hangsIdeographicSpacesBeforeNewlines = Traits(rawValue: 32)
    /// Each advance is rounded to 1/60 point, and that of a bitmap to a whole point (text-rules 22).
    static let roundsAdvances = Traits(rawValue: 64)
    /// Texts in Han and kana are not kerned (text-rules 22).
    static let leavesIdeographsUnkerned = Traits(rawValue: 128)
    /// Tabs do not hang, and stay with the word before them (text-rules 22).
    static let tabsTakeRoom = Traits(rawValue: 256)
    /// The advance of each glyph is rounded to a whole point before it is kerned, on a device that is calibrated so.
    static let roundsAdvancesToPoints = Traits(rawValue: 512)
    /// Neighbors of one font and direction are shaped together (text-rules 17).
    static let shapesAcrossItems = Traits(rawValue: 1024)
    /// Glyphs are set in the size to which the engine cuts that of the font (text-rules 16 and 21).
    static let cutsFontSizes = Traits(rawValue: 2048)
    /// A line that ends anyway after a soft hyphen has room for its hyphen (text-rules 12).
    static let keepsRoomForHiddenHyphens = Traits(rawValue: 4096)
    /// The hyphen that a line shows has the letter spacing (text-rules 21 and 22).
    static let spacesHyphens = Traits(rawValue: 8192)
    /// Tab stops do not contain the letter spacing (text-rules 21).
    static let leavesTabStopsUnspaced = Traits(rawValue: 16384)
    /// A tab is at least half as wide as the digit zero instead of a space (text-rules 22).
    static let measuresTabsByZero = Traits(rawValue: 32768)
    /// The parts of a broken word keep the advances that they have in the word, and ligatures are not cut (text-rules 22).
    static let keepsShapesOfWords = Traits(rawValue: 1 << 16)
  }

  /// The kerning of two pieces of a text between which a line can break.
  enum Kerning: BitwiseCopyable {
    /// It counts if both pieces are on one line.
    case onOneLine
    /// It does not count.
    case never
    /// It counts, also if a line ends between the pieces, but not over spaces that are not shaped with their words.
    case always
  }

  /// The way in which control characters and separators are shown (text-rules 18).
  enum Controls: BitwiseCopyable {
    /// The first control character of a stretch decides how all of them are shown.
    case likeFirst
    /// They show .notdef, except carriage returns, which have no width.
    case shown
    /// They have no width.
    case hidden
  }

  /// The engine of a browser.
  enum Engine: UInt8, BitwiseCopyable {
    case chromium, webKit, firefox

    /// The break opportunities between printable ASCII characters.
    var pairs: AsciiBreaks {
      switch self {
      case .chromium: .chromium
      case .webKit: .webKit
      case .firefox: .firefox
      }
    }
  }

  /// Returns the rules of a platform that fills segments.
  static func rules(for platform: Platform) -> BrowserRules {
    switch platform {
    case .webkit: webKit
    case .firefox: firefox
    case .web: web
    case .texture, .android, .reactNative, .flutter, .compose: texture
    }
  }

  private static let texture = chromium(.emojiFace, [])
  private static let web = chromium(.inOrder, .cutsFontSizes)

  private static func chromium(_ emoji: EmojiFonts, _ traits: Traits) -> BrowserRules {
    BrowserRules(
      engine: .chromium,
      traits: traits.union([
        .bracketQuotes, .trimsPunctuation, .restartsAfterBrokenWords, .hangsIdeographicSpaces,
        .hangsIdeographicSpacesBeforeNewlines, .shapesAcrossItems, .keepsRoomForHiddenHyphens,
      ]),
      kerning: .onOneLine, controls: .likeFirst, emoji: emoji)
  }

  private static let webKit = BrowserRules(
    engine: .webKit, traits: [.strict, .cutsFontSizes, .spacesHyphens, .leavesTabStopsUnspaced], kerning: .never,
    controls: .shown, emoji: .emojiFaceWithModifierBases)
  private static let firefox = BrowserRules(
    engine: .firefox,
    traits: [
      .strict, .hangsIdeographicSpaces, .roundsAdvances, .leavesIdeographsUnkerned, .tabsTakeRoom, .shapesAcrossItems,
      .spacesHyphens, .measuresTabsByZero, .keepsShapesOfWords,
    ],
    kerning: .always, controls: .hidden, emoji: .inOrder)
}
