import Buffers

/// The characters of plain stretches: printable ASCII, the letters of Latin-1 and of Latin Extended-A, and the punctuation that English,
/// French and German texts have beside ASCII.
///
/// Whether a line can end between two of them depends on nothing else, except beside a hyphen. Each has a number below `count`: its own
/// value, or for punctuation that of Windows-1252.
enum PlainCharacters {
  static let count = 0x180
  /// A number that no character has.
  static let none: UInt16 = 0x7f

  /// Returns the number of a unit, or `none` if it is not one of the characters.
  @inline(__always)
  static func number(of unit: UInt16) -> UInt16 {
    if unit < 0x7f { return unit >= 0x20 ? unit : none }
    return isLetter(unit) ? unit : numberOfPunctuation(unit)
  }

  /// Returns whether a unit is a letter of Latin-1 or Latin Extended-A.
  @inline(__always)
  static func isLetter(_ unit: UInt16) -> Bool { unit >= 0xc0 && unit < 0x180 && unit != 0xd7 && unit != 0xf7 }

  private static func numberOfPunctuation(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0xa1, 0xab, 0xbb, 0xbf: unit
    case 0x2014: 0x97
    case 0x2018: 0x91
    case 0x2019: 0x92
    case 0x201c: 0x93
    case 0x201d: 0x94
    case 0x2026: 0x85
    case 0x2039: 0x8b
    case 0x203a: 0x9b
    default: none
    }
  }
}

/// The break opportunities of a browser between plain characters that are not both ASCII. ICU decides about a pair when it first occurs.
struct PlainBreaks: BitwiseCopyable {
  enum Decision: UInt8 { case unknown, allowed, forbidden }

  /// The raw value of the decision for each pair of numbers. A page of them takes memory when it is first written.
  private let decisions = ZeroedMemory.allocate(UInt8.self, count: PlainCharacters.count * PlainCharacters.count)

  func destroy() { ZeroedMemory.deallocate(decisions) }

  /// The decision about two characters by their numbers. The first one must not be a hyphen.
  @inline(__always)
  subscript(before: UInt16, after: UInt16) -> Decision {
    get {
      // No line breaks between letters and digits.
      if Self.isInWord(before) && Self.isInWord(after) { return .forbidden }
      return Decision(rawValue: decisions[Self.index(before, after)]) ?? .unknown
    }
    nonmutating set { decisions[Self.index(before, after)] = newValue.rawValue }
  }

  @inline(__always)
  private static func isInWord(_ number: UInt16) -> Bool {
    AsciiBreaks.isAlphanumeric(number) || PlainCharacters.isLetter(number)
  }

  @inline(__always)
  private static func index(_ before: UInt16, _ after: UInt16) -> Int {
    Int(before) &* PlainCharacters.count &+ Int(after)
  }
}
