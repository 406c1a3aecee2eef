import Buffers
import CHarfBuzz
import CICU

/// The choice of a face for each character of a word, as Android makes it. Source: minikin's `FontCollection`.
///
/// A face is chosen for each word by itself: what is before the word has no influence.
struct AndroidFonts: ~Copyable {
  /// The face of each unit of the word that was searched last.
  private(set) var faces = FlatBuffer<Int32>(capacity: 32)

  /// Finds the faces of the units in a range of the units of all texts.
  mutating func find(_ word: Range<Int>, primary: Int32, _ store: inout TextStore) {
    faces.removeAll()
    faces.extend(by: word.count).initialize(repeating: primary, count: word.count)
    if store.book.coversAscii(primary), Self.isPlain(word, store.prepared) { return }
    var current: Int32?
    var before = Character(value: 0, start: word.lowerBound)
    var index = word.lowerBound
    while index < word.upperBound {
      let (value, width) = Self.scalar(at: index, to: word.upperBound, store.prepared)
      let end = index + width
      if !Self.isFormat(value), !continues(value, after: before.value, current, store.book) {
        let (next, _) = end < word.upperBound ? Self.scalar(at: end, to: word.upperBound, store.prepared) : (0, 0)
        let face = Self.face(of: value, selector: Self.isSelector(next) ? next : 0, primary, &store)
        if face != current {
          // Format characters at the start have the face of the first other character.
          if current == nil { assign(face, word.lowerBound..<index, in: word) }
          // A mark in another face takes its base along.
          let attaches = Self.isMark(value) || (Self.isModifier(value) && Self.takesModifier(before.value))
          if current != nil, attaches, store.book.faces[Int(face)].covers(before.value) {
            assign(face, before.start..<index, in: word)
          }
          current = face
        }
      }
      assign(current ?? primary, index..<end, in: word)
      before = Character(value: value, start: index)
      index = end
    }
  }

  private struct Character {
    var value: UInt32
    var start: Int
  }

  private mutating func assign(_ face: Int32, _ range: Range<Int>, in word: Range<Int>) {
    for index in range { faces[index - word.lowerBound] = face }
  }

  /// Returns whether a character stays in the face of the characters before it.
  private func continues(_ value: UInt32, after before: UInt32, _ current: Int32?, _ book: FontBook) -> Bool {
    guard let current, book.faces[Int(current)].covers(value) else { return false }
    if Self.isSticky(value) || Self.isMark(value) { return true }
    return current == book.emojiFace && !Self.startsEmoji(value, after: before)
  }

  /// Returns the face of a character: the text's own if it has the character, otherwise the best of the others.
  private static func face(
    of value: UInt32, selector: UInt32, _ primary: Int32, _ store: inout TextStore
  ) -> Int32 {
    if selector == 0 {
      if let face = store.book.face(for: value, primary: primary) { return face }
    } else if let face = face(of: value, selector, primary, store.book) {
      return face
    }
    let decomposed = hb_unicode_funcs_get_default().map { functions in
      var (first, second): (hb_codepoint_t, hb_codepoint_t) = (0, 0)
      return hb_unicode_decompose(functions, value, &first, &second) != 0 ? first : 0
    }
    if let decomposed, decomposed != 0, decomposed != value {
      return face(of: decomposed, selector: selector, primary, &store)
    }
    if !galley_is_invisible(value) { store.missing.note(value) }
    return primary
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
