import Buffers
import Foundation
import TextMeasuring

/// The characters that pages with rows show, and those that they may show later.
public struct PageCharacters {
  public private(set) var all: Set<UInt32>
  /// The characters of texts that were added, and whether each can be composed with the one before it.
  private var known: [UInt32: Bool] = [:]
  /// The letters with marks that were added.
  private var composed: Set<String> = []

  /// What a browser shows beside the characters of a text: those of ASCII, the no-break space, hyphens and ….
  private static let always: [ClosedRange<UInt32>] = [
    0x20...0x7e, 0xa0...0xa0, 0xad...0xad, 0x2010...0x2011, 0x2026...0x2026,
  ]
  /// What HarfBuzz shows in the place of the letter that a mark lacks.
  private static let dottedCircle: UInt32 = 0x25cc
  /// The characters that HarfBuzz divides although Unicode does not: the vowel AM of Thai and Lao, and vowels of Khmer with a part on
  /// the left.
  private static let divided: [UInt32: [UInt32]] = [
    0x0e33: [0x0e4d, 0x0e32], 0x0eb3: [0x0ecd, 0x0eb2], 0x17be: [0x17c1], 0x17bf: [0x17c1], 0x17c0: [0x17c1],
    0x17c4: [0x17c1], 0x17c5: [0x17c1],
  ]
  /// The punctuation, numbers and signs that texts of every script have.
  private static let common: [ClosedRange<UInt32>] = [
    0x20...0xbf, 0xd7...0xd7, 0xf7...0xf7, 0x2000...0x206f, 0x20a0...0x20cf,
  ]
  /// The punctuation and the wide letters of East Asian scripts.
  private static let eastAsian: [ClosedRange<UInt32>] = [0x3000...0x303f, 0x30fb...0x30fc, 0xff00...0xffef]
  private static let eastAsianScripts: Set = ["han", "hiragana", "katakana", "hangul", "bopomofo"]
  /// The joiner of emoji, the variation selectors, keycaps and the tags of flags.
  private static let emojiParts: [ClosedRange<UInt32>] = [
    0x200d...0x200d, 0x20e3...0x20e3, 0xfe0e...0xfe0f, 0xe0020...0xe007f,
  ]
  /// The name of the characters that are emoji, which are no script.
  private static let emoji = "emoji"

  /// Creates the characters that every page shows.
  public init() { all = Set(Self.always.joined()) }

  /// Returns whether a character can be composed with the one before it. Adds the character if it is new.
  private mutating func isComposed(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x80 else { return false }
    if let isComposed = known[scalar.value] { return isComposed }
    insert(forms: String(scalar))
    let isComposed = scalar.properties.generalCategory.isMark || (0x1160...0x11ff).contains(scalar.value)
    known[scalar.value] = isComposed
    return isComposed
  }

  private mutating func insert(composed letter: String) {
    if composed.insert(letter).inserted { insert(forms: letter) }
  }

  /// Adds the characters of a letter and of its composed and decomposed forms.
  private mutating func insert(forms letter: String) {
    for form in [letter, letter.precomposedStringWithCanonicalMapping, letter.decomposedStringWithCanonicalMapping] {
      for scalar in form.unicodeScalars where scalar.value >= 0x80 {
        all.insert(scalar.value)
        if let parts = Self.divided[scalar.value] { all.formUnion(parts) }
        if scalar.value >= 0x900, scalar.properties.generalCategory.isMark { all.insert(Self.dottedCircle) }
      }
    }
  }

  /// Adds the characters of all strings of a JSON text, such as a row, and those that HarfBuzz can show in their place: the parts into
  /// which it divides a letter, and the letter that it composes of parts. Each character, and each letter with marks, is normalized once.
  public mutating func add(json: ByteString) {
    var (letter, marks) = (Unicode.Scalar(UInt8(ascii: " ")), "")
    func add(_ scalar: Unicode.Scalar) {
      if isComposed(scalar) {
        marks.unicodeScalars.append(scalar)
        return
      }
      if !marks.isEmpty { insert(composed: String(letter) + marks) }
      (letter, marks) = (scalar, "")
    }
    let text = json.string
    var left = text.unicodeScalars[...]
    var highSurrogate: UInt32 = 0
    while let scalar = left.popFirst() {
      if scalar != "\\" {
        add(scalar)
        continue
      }
      guard left.popFirst() == "u", let unit = UInt32(String(left.prefix(4)), radix: 16) else { continue }
      left = left.dropFirst(4)
      if 0xd800..<0xdc00 ~= unit {
        highSurrogate = unit
      } else {
        let isLow = 0xdc00..<0xe000 ~= unit
        let value = isLow ? 0x10000 + (highSurrogate & 0x3ff) << 10 + (unit & 0x3ff) : unit
        if let scalar = Unicode.Scalar(value) { add(scalar) }
      }
    }
    // A space ends the last letter.
    add(" ")
  }

  /// Adds the characters of a script that faces have, such as `latin`, or `emoji`. Returns false if they have none of it.
  public mutating func keep(_ script: String, of faces: [FontBook.Source]) -> Bool {
    let characters = Set(faces.flatMap(\.characters))
    let own = characters.filter { script == Self.emoji ? Self.isEmoji($0) : Script.name(of: $0) == script }
    guard !own.isEmpty else { return false }
    all.formUnion(own)
    all.formUnion(Self.common.joined())
    if script == Self.emoji { all.formUnion(Self.emojiParts.joined()) }
    if Self.eastAsianScripts.contains(script) { all.formUnion(Self.eastAsian.joined()) }
    // Marks that letters of several scripts have.
    if script != Self.emoji { all.formUnion(characters.filter { Script.name(of: $0) == "inherited" && $0 < 0x2000 }) }
    return true
  }

  private static func isEmoji(_ character: UInt32) -> Bool {
    Unicode.Scalar(character)?.properties.isEmoji ?? false
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isMark: Bool { self == .nonspacingMark || self == .spacingMark }
}
