import CICU

/// The words of Khmer and Lao, between which lines break.
///
/// This is the algorithm of ICU's dictionaries with the words of Chromium, and with its two thresholds of Khmer, which combine more of the
/// text that is in no dictionary, such as names, with the word before it.
struct DictionaryWords {
  /// The length of the shortest text that is divided.
  private static let minLength = 4
  /// The most words that begin at one place.
  private static let maxWords: Int32 = 20

  private let script: DictionaryScript
  private let units: UnsafePointer<UInt16>
  private let end: Int

  /// The words of the dictionary at a place.
  private struct Words {
    /// The lengths of the words in ascending order.
    var lengths = InlineArray<20, Int32>(repeating: 0)
    var count = 0
    /// The number of units up to the first one that continues no word, including that.
    var prefix: Int32 = 0

    var longest: Int { count > 0 ? Int(lengths[count - 1]) : 0 }
  }

  /// Decides where lines can break in the Khmer and Lao among some units.
  ///
  /// - Parameter decide: Receives the index of a unit and whether a line can begin there. A later decision counts.
  @inline(__always)
  static func divideAll(_ units: UnsafePointer<UInt16>, _ count: Int, _ decide: (Int, Bool) -> Void) {
    var index = 0
    while index < count {
      let first = index
      let script = DictionaryScript(of: units[first])
      repeat { index += 1 } while index < count && DictionaryScript(of: units[index]) == script
      if let script { divide(first..<index, script, units, decide) }
    }
  }

  /// Decides where lines can break in a range of units of one script.
  private static func divide(
    _ range: Range<Int>, _ script: DictionaryScript, _ units: UnsafePointer<UInt16>, _ decide: (Int, Bool) -> Void
  ) {
    for unit in range.dropFirst() { decide(unit, false) }
    guard range.count >= minLength else { return }
    let words = DictionaryWords(script: script, units: units, end: range.upperBound)
    var start = words.endOfWord(from: range.lowerBound)
    while start < range.upperBound {
      decide(start, true)
      start = words.endOfWord(from: start)
    }
  }

  private func words(at start: Int) -> Words {
    var words = Words()
    var (count, prefix): (Int32, Int32) = (0, 0)
    withUnsafeMutableBytes(of: &words.lengths) { bytes in
      let lengths = bytes.assumingMemoryBound(to: Int32.self)
      guard let first = lengths.baseAddress else { return }
      count = galley_words(
        script.dictionary, units + start, Int32(truncatingIfNeeded: end - start), first, Self.maxWords, &prefix)
    }
    (words.count, words.prefix) = (Int(count), prefix)
    return words
  }

  /// Returns the end of the word at a place, and of what is combined with it.
  private func endOfWord(from start: Int) -> Int {
    let length = dictionaryWord(at: start)
    var index = start + length
    if index < end && length < script.maxCombined {
      let next = words(at: index)
      if next.count == 0 && (length == 0 || next.prefix < script.minPrefix) { index = nextWord(after: index) }
    }
    while index < end && script.isMark(units[index]) { index += 1 }
    return index
  }

  /// Returns the length of the word at a place; 0 if the dictionary has none.
  ///
  /// It is the longest word that two further words follow. If there is none, it is the shortest word that another word follows,
  /// and otherwise the longest word.
  private func dictionaryWord(at start: Int) -> Int {
    let first = words(at: start)
    guard first.count > 1, start + first.longest < end else { return first.longest }
    var best = first.longest
    for number in (0..<first.count).reversed() {
      let length = Int(first.lengths[number])
      let second = words(at: start + length)
      guard second.count > 0 else { continue }
      best = length
      if start + length + second.longest >= end { break }
      if (0..<second.count).contains(where: { words(at: start + length + Int(second.lengths[$0])).count > 0 }) { break }
    }
    return best
  }

  /// Returns the place after some text that is in no dictionary: the next one at which a word begins, or the end.
  private func nextWord(after start: Int) -> Int {
    var index = start + 1
    while index < end {
      if script.endsWord(units[index - 1]) && script.beginsWord(units[index]) && words(at: index).count > 0 { break }
      index += 1
    }
    return index
  }
}

/// A script whose words are those of a dictionary, and what ICU's algorithm knows of it.
private enum DictionaryScript {
  case khmer, lao

  /// Nil for a unit that is divided with no dictionary of these.
  @inline(__always)
  init?(of unit: UInt16) {
    switch unit {
    case 0x1780..<0x17d4, 0x17d7, 0x17dc, 0x17dd: self = .khmer
    case 0x0e81, 0x0e82, 0x0e84, 0x0e86...0x0e8a, 0x0e8c...0x0ea3, 0x0ea5, 0x0ea7...0x0ebd, 0x0ec0...0x0ec4, 0x0ec6,
      0x0ec8...0x0ece, 0x0edc...0x0edf:
      self = .lao
    default: return nil
    }
  }

  var dictionary: galley_dictionary { self == .khmer ? galley_khmer : galley_lao }

  /// The length from which on a word is not combined with what follows.
  var maxCombined: Int { self == .khmer ? 10 : 3 }

  /// The part that text in no dictionary has in common with a word from which on it is not combined with the word before it.
  var minPrefix: Int32 { self == .khmer ? 5 : 3 }

  func beginsWord(_ unit: UInt16) -> Bool {
    switch self {
    case .khmer: unit >= 0x1780 && unit <= 0x17b3
    case .lao: (unit >= 0x0e81 && unit <= 0x0eae) || unit == 0x0edc || unit == 0x0edd || Self.isPrefixVowel(unit)
    }
  }

  /// In Khmer, coeng (U+17D2) joins the consonant after it to the one before it.
  func endsWord(_ unit: UInt16) -> Bool { self == .khmer ? unit != 0x17d2 : !Self.isPrefixVowel(unit) }

  func isMark(_ unit: UInt16) -> Bool {
    switch self {
    case .khmer: (unit >= 0x17b4 && unit <= 0x17d3) || unit == 0x17dd
    case .lao: unit == 0x0eb1 || (unit >= 0x0eb4 && unit <= 0x0ebc) || (unit >= 0x0ec8 && unit <= 0x0ece)
    }
  }

  /// A vowel of Lao that is written before its consonant.
  private static func isPrefixVowel(_ unit: UInt16) -> Bool { unit >= 0x0ec0 && unit <= 0x0ec4 }
}
