import Buffers
import CHarfBuzz
import CICU

/// A stretch of a word that is shaped in one face.
struct AndroidFaceRun: BitwiseCopyable {
  /// The index of its first unit among the units of all texts.
  let start: Int
  /// The index after its last unit.
  var end: Int
  let face: Int32
}

/// The choice of a face for each character of a word, as Android makes it. Source: minikin's `FontCollection`.
///
/// A face is chosen for each word by itself: what is before the word has no influence.
struct AndroidFonts: ~Copyable {
  /// The stretches of one face of the word that was searched last. Each emoji is a stretch of its own.
  private(set) var runs = FlatBuffer<AndroidFaceRun>(capacity: 32)
  /// The characters of that word that no face has.
  private(set) var missing = FlatBuffer<UInt32>(capacity: 8)

  /// Finds the faces of the units in a range of the units of all texts.
  mutating func find(
    _ word: Range<Int>, primary: Int32, _ prepared: borrowing PreparedTexts, _ book: FontBook
  ) {
    runs.removeAll()
    missing.removeAll()
    if !(book.coversAscii(primary) && Self.isPlain(word, prepared)) {
      var before = Character(value: 0, start: word.lowerBound)
      var index = word.lowerBound
      while index < word.upperBound {
        let (value, width) = Self.scalar(at: index, to: word.upperBound, prepared)
        let end = index + width
        if !Self.isFormat(value) && !stays(value, book) {
          let (next, _) = end < word.upperBound ? Self.scalar(at: end, to: word.upperBound, prepared) : (0, 0)
          let choice = choice(of: value, selector: Self.isSelector(next) ? next : 0, primary, book)
          if startsRun(choice, value, after: before.value, book) {
            startRun(choice, value, at: index, after: before, in: word, book)
          }
        }
        if runs.count > 0 { runs[runs.count - 1].end = end }
        before = Character(value: value, start: index)
        index = end
      }
    }
    if runs.count == 0 { runs.append(AndroidFaceRun(start: word.lowerBound, end: word.upperBound, face: primary)) }
  }

  private struct Character {
    var value: UInt32
    var start: Int
  }

  /// A face of a character.
  private struct Choice {
    var face: Int32
    /// Whether each fallback face that has the character is as good.
    var isAnyFallback: Bool
  }

  private var current: AndroidFaceRun? { runs.count > 0 ? runs[runs.count - 1] : nil }

  /// Starts a stretch with a character. A mark in another face takes its base along, and format characters at the start of a
  /// word have the face of the first other character.
  private mutating func startRun(
    _ choice: Choice, _ value: UInt32, at index: Int, after before: Character, in word: Range<Int>, _ book: FontBook
  ) {
    var start = index
    if let current {
      let attaches = Self.isMark(value) || (Self.isModifier(value) && Self.takesModifier(before.value))
      if attaches && isGood(for: before.value, choice, value, book) {
        start = before.start
        runs[runs.count - 1].end = start
        if current.start == start { runs.truncate(to: runs.count - 1) }
      }
    } else {
      start = word.lowerBound
    }
    runs.append(AndroidFaceRun(start: start, end: index, face: choice.face))
  }

  /// Returns whether a face that is as good for a character as the chosen one has the character before it.
  private func isGood(for before: UInt32, _ choice: Choice, _ value: UInt32, _ book: FontBook) -> Bool {
    book.faces[Int(choice.face)].covers(before)
      || (choice.isAnyFallback
        && book.fallback.contains { book.faces[Int($0)].covers(value) && book.faces[Int($0)].covers(before) })
  }

  /// Returns whether a character stays in the face of the characters before it, whatever face is chosen for it.
  private func stays(_ value: UInt32, _ book: FontBook) -> Bool {
    guard let current, book.faces[Int(current.face)].covers(value) else { return false }
    return Self.isSticky(value) || Self.isMark(value)
  }

  /// Returns whether a stretch starts with a character.
  private func startsRun(_ choice: Choice, _ value: UInt32, after before: UInt32, _ book: FontBook) -> Bool {
    guard let current else { return true }
    guard current.face == book.emojiFace else { return choice.face != current.face }
    let isInFace =
      choice.face == current.face || (choice.isAnyFallback && book.faces[Int(current.face)].covers(value))
    return !isInFace || Self.startsEmoji(value, after: before)
  }

  /// Returns the face of a character: the text's own if it has the character, otherwise the best of the others.
  private mutating func choice(of value: UInt32, selector: UInt32, _ primary: Int32, _ book: FontBook) -> Choice {
    var value = value
    while true {
      if selector == 0 {
        if let face = book.face(for: value, primary: primary) {
          return Choice(face: face, isAnyFallback: face != primary)
        }
      } else if let face = Self.face(of: value, selector, primary, book) {
        return Choice(face: face, isAnyFallback: false)
      }
      guard let base = Self.decomposed(value) else { break }
      value = base
    }
    if !galley_is_invisible(value) { missing.append(value) }
    return Choice(face: primary, isAnyFallback: false)
  }

  /// Returns the first character of a canonical decomposition, or nil.
  private static func decomposed(_ value: UInt32) -> UInt32? {
    guard let functions = hb_unicode_funcs_get_default() else { return nil }
    var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
    guard hb_unicode_decompose(functions, value, &first, &second) != 0, first != 0, first != value else { return nil }
    return first
  }

  /// Returns the face of a character before a variation selector: one that has a glyph for both, then one for emoji or
  /// other characters as the selector says, then any.
  private static func face(of value: UInt32, _ selector: UInt32, _ primary: Int32, _ book: FontBook) -> Int32? {
    var best: Int32?
    var bestScore = 0
    _ = book.firstFace(primary: primary) { index in
      let face = book.faces[Int(index)]
      var glyph: hb_codepoint_t = 0
      let hasVariation = hb_font_get_variation_glyph(face.font, value, selector, &glyph) != 0
      guard hasVariation || face.covers(value) else { return false }
      let wantsEmoji = selector == 0xfe0f
      let isWanted = (selector == 0xfe0e || wantsEmoji) && (index == book.emojiFace) == wantsEmoji
      let score = hasVariation ? (index == primary ? 4 : 3) : isWanted ? 2 : 1
      if score > bestScore { (best, bestScore) = (index, score) }
      return false
    }
    return best
  }

  // MARK: Characters

  private static func isPlain(_ word: Range<Int>, _ prepared: borrowing PreparedTexts) -> Bool {
    for index in word where prepared.units[index] < 0x20 || prepared.units[index] > 0x7e { return false }
    return true
  }

  static func scalar(at index: Int, to end: Int, _ prepared: borrowing PreparedTexts) -> (UInt32, Int) {
    let unit = UInt32(prepared.units[index])
    guard unit & 0xf800 == 0xd800 else { return (unit, 1) }
    guard unit < 0xdc00, index + 1 < end, prepared.units[index + 1] & 0xfc00 == 0xdc00 else { return (0xfffd, 1) }
    return ((unit - 0xd7c0) << 10 + UInt32(prepared.units[index + 1]) & 0x3ff, 2)
  }

  static func isSelector(_ value: UInt32) -> Bool {
    (0xfe00...0xfe0f).contains(value) || (0xe0100...0xe01ef).contains(value)
  }

  /// Returns whether a character needs no font, as HarfBuzz shows it whatever the font is.
  private static func isFormat(_ value: UInt32) -> Bool {
    switch value {
    case 0xad, 0x034f, 0x061c, 0x200c...0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfeff: true
    default: isSelector(value)
    }
  }

  /// Returns whether a character stays in the face of the text before it if that has it.
  private static func isSticky(_ value: UInt32) -> Bool {
    switch value {
    case 0x21, 0x2c, 0x2d, 0x2e, 0x3a, 0x3b, 0x3f, 0xa0, 0x2010, 0x2011, 0x202f, 0x2640, 0x2642, 0x2695: true
    default: false
    }
  }

  private static func isMark(_ value: UInt32) -> Bool {
    guard value >= 0x300, let scalar = Unicode.Scalar(value) else { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  private static func isModifier(_ value: UInt32) -> Bool { (0x1f3fb...0x1f3ff).contains(value) }

  private static func takesModifier(_ value: UInt32) -> Bool {
    value > 0x2300 && Unicode.Scalar(value)?.properties.isEmojiModifierBase == true
  }

  private static func isRegional(_ value: UInt32) -> Bool { (0x1f1e6...0x1f1ff).contains(value) }

  /// Returns whether an emoji begins with a character instead of continuing the one before.
  private static func startsEmoji(_ value: UInt32, after before: UInt32) -> Bool {
    !(isModifier(value) || (isRegional(before) && isRegional(value)) || value == 0x20e3
      || (0xe0020...0xe007f).contains(value) || value == 0x200d || before == 0x200d)
  }
}
