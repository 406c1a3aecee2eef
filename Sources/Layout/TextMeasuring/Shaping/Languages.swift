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
  /// The number of languages before those of the row.
  private var earlier = 1

  init() { add(.english) }

  private mutating func add(_ tag: LanguageTag) {
    tags.append(tag)
    let characters = tag.characters
    languages.append(
      characters.withUnsafeBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { hb_language_from_string($0.baseAddress, Int32($0.count)) }
      })
  }

  /// The language with a number.
  @inline(__always)
  subscript(number: Int) -> OpaquePointer? { languages[number] }

  /// Returns the number of a language.
  mutating func number(of tag: LanguageTag) -> Int {
    if tag.isDefault { return 0 }
    if let known = (1..<tags.count).first(where: { tags[$0] == tag }) { return known }
    guard tags.count < earlier + Self.maxLanguagesOfRow else {
      areTooMany = true
      return 0
    }
    add(tag)
    return tags.count - 1
  }

  /// Starts a row. Returns whether the languages have new numbers, so that what was shaped with the old ones is no longer valid.
  mutating func startRow() -> Bool {
    areTooMany = false
    guard tags.count > Self.manyLanguages else {
      earlier = tags.count
      return false
    }
    tags.truncate(to: 1)
    languages.truncate(to: 1)
    earlier = 1
    return true
  }
}
