import CICU

/// The properties of CSS that decide where the lines of a text end and how it is shaped, apart from `white-space`
/// (text-rules 50 to 56). The platforms `texture` and `web` have them.
///
/// The numbers are small, because the options of a text are copied for each text. The largest come first, without padding between
/// them, because fingerprints of texts have the bytes.
public struct CSSTextOptions: BitwiseCopyable, Equatable, Sendable {
  /// The language of the text. HTML: `lang`.
  public var language = LanguageTag.none
  /// The distance between two tab stops in spaces of the first run. CSS: `tab-size`.
  public var tabSize: Float = Self.defaultTabSize
  /// What happens to a word that is wider than a line. CSS: `overflow-wrap`.
  public var overflowWrap = OverflowWrap.anywhere
  /// Where lines can end in words. CSS: `word-break`.
  public var wordBreak = WordBreak.normal
  /// How strictly lines end as in the typography of East Asia. CSS: `line-break`.
  public var lineBreak = LineBreak.auto
  /// The choice of lines among those that fit. CSS: `text-wrap-style`.
  public var textWrap = TextWrap.wrap
  /// The hyphens of words at the ends of lines. CSS: `hyphens`.
  public var hyphens = Hyphens.manual

  /// The distance between two tab stops in spaces, if a text states none.
  public static let defaultTabSize: Float = 8

  /// Creates the initial values of CSS, except that long words are broken.
  public init() {}

  /// Whether no property is stated.
  public var isPlain: Bool { self == CSSTextOptions() }

  /// The name in cells files of the first property that is stated, or nil.
  public var statedProperty: String? {
    let plain = Self()
    let stated = [
      ("overflowWrap", overflowWrap != plain.overflowWrap), ("wordBreak", wordBreak != plain.wordBreak),
      ("lineBreak", lineBreak != plain.lineBreak), ("textWrap", textWrap != plain.textWrap),
      ("hyphens", hyphens != plain.hyphens), ("lang", language != plain.language),
      ("tabSize", tabSize != plain.tabSize),
    ]
    return stated.first { $0.1 }?.0
  }

  /// What the properties change in the filling of lines.
  var traits: TextTraits {
    var traits: TextTraits = []
    if overflowWrap == .normal && lineBreak != .anywhere { traits.insert(.overflowing) }
    if wordBreak == .breakAll || lineBreak == .anywhere { traits.insert(.breaksWords) }
    if textWrap == .balance || textWrap == .pretty && !traits.contains(.breaksWords) { traits.insert(.choosesLines) }
    return traits
  }

  /// The iterator of ICU that finds the opportunities of lines.
  var lines: galley_breaks_kind {
    let lines = language.lines
    return switch lineBreak {
    case .auto, .anywhere: lines == .chinese ? galley_breaks_cj_lines : galley_breaks_lines
    case .normal: lines == .other ? galley_breaks_lines : galley_breaks_cj_lines
    case .strict: lines == .korean ? galley_breaks_lines : galley_breaks_strict_lines
    case .loose: lines == .other ? galley_breaks_loose_lines : galley_breaks_loose_cj_lines
    }
  }
}

/// What happens to a word that is wider than a line. CSS: `overflow-wrap`.
public enum OverflowWrap: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// The word is broken between two clusters. CSS `break-word` has the same lines where a text has a width.
  case anywhere
  /// The word is wider than its line.
  case normal
}

/// Where lines can end in words. CSS: `word-break`.
public enum WordBreak: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Where the language of the script has it.
  case normal
  /// Between two letters or digits of any script.
  case breakAll
  /// Not between two letters or digits, except in scripts that are broken with a dictionary.
  case keepAll
}

/// How strictly lines end as in the typography of East Asia. CSS: `line-break`.
public enum LineBreak: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// As the language has it.
  case auto
  /// Also before small kana, iteration marks, and in Chinese and Japanese before some punctuation.
  case loose
  /// Also before small kana.
  case normal
  /// Not before small kana.
  case strict
  /// Between any two clusters.
  case anywhere
}

/// The hyphens of words at the ends of lines. CSS: `hyphens`.
public enum Hyphens: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// At soft hyphens.
  case manual
  /// Where the dictionary of the text's language has them, too.
  case auto
}

/// The choice of lines among those that fit. CSS: `text-wrap`.
public enum TextWrap: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Each line is as full as possible.
  case wrap
  /// The lines of a paragraph of at most six lines are about as wide as each other.
  case balance
  /// The last line of a paragraph is not a single short word, if that is possible.
  case pretty
}
