import Buffers
import CHarfBuzz

/// The languages of the texts that are prepared, by the numbers that contexts have of them.
struct Languages: ~Copyable {
  private var tags = FlatBuffer<LanguageTag>(capacity: 4)
  private var languages = FlatBuffer<OpaquePointer?>(capacity: 4)

  /// The most languages of one row, beside English.
  static let maxLanguagesOfRow = 15
  /// The number of languages from which they are numbered again when the texts of a row are removed.
  private static let manyLanguages = ShapingContext.maxLanguage - maxLanguagesOfRow
  /// Whether a text of the row was in one language too many, so that it was taken for English.
  private(set) var areTooMany = false
  /// A bit for the number of each language of the row.
  private var ofRow: UInt64 = 0

  init() { add(.english) }

  private mutating func add(_ tag: LanguageTag) {
    tags.append(tag)
    languages.append(hb_language_from_string(tag.name, -1))
  }

  /// The language with a number.
  @inline(__always)
  subscript(number: Int) -> OpaquePointer? { languages[number] }

  /// Returns whether the language with a number is Japanese.
  func isJapanese(_ number: Int) -> Bool { tags[number].lines == .japanese }

  /// Returns the number of a language.
  mutating func number(of tag: LanguageTag) -> Int {
    if tag.isDefault { return 0 }
    let number = (1..<tags.count).first { tags[$0] == tag } ?? tags.count
    guard ofRow & 1 << number != 0 || ofRow.nonzeroBitCount < Self.maxLanguagesOfRow else {
      areTooMany = true
      return 0
    }
    if number == tags.count { add(tag) }
    ofRow |= 1 << number
    return number
  }

  /// Starts a row. Returns whether the languages have new numbers, so that what was shaped with the old ones is no longer valid.
  mutating func startRow() -> Bool {
    (areTooMany, ofRow) = (false, 0)
    guard tags.count > Self.manyLanguages else { return false }
    tags.truncate(to: 1)
    languages.truncate(to: 1)
    return true
  }
}
