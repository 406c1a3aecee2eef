import CICU

/// The words of Khmer, between which lines break.
///
/// This is the algorithm of ICU's dictionaries with the two thresholds of Chromium, which combine more of the text that is in no
/// dictionary, such as names, with the word before it.
struct KhmerWords {
  /// The length from which on a word is not combined with what follows.
  private static let maxCombined = 10
  /// The part that text in no dictionary has in common with a word from which on it is not combined with the word before it.
  private static let minPrefix = 5
  /// The length of the shortest text that is divided.
  private static let minLength = 4
  /// The most words that begin at one place.
  private static let maxWords: Int32 = 20

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

  /// Decides where lines can break in the Khmer among some units.
  ///
  /// - Parameter decide: Receives the index of a unit and whether a line can begin there. A later decision counts.
  @inline(__always)
  static func divideAll(_ units: UnsafePointer<UInt16>, _ count: Int, _ decide: (Int, Bool) -> Void) {
    var index = 0
    while index < count {
      let first = index
      while index < count && contains(units[index]) { index += 1 }
      if index > first { divide(first..<index, units, decide) }
      index += 1
    }
  }

  /// Decides where lines can break in a range of units, which are only Khmer.
  private static func divide(_ range: Range<Int>, _ units: UnsafePointer<UInt16>, _ decide: (Int, Bool) -> Void) {
    for unit in range.dropFirst() { decide(unit, false) }
    guard range.count >= minLength else { return }
    let words = KhmerWords(units: units, end: range.upperBound)
    var start = words.endOfWord(from: range.lowerBound)
    while start < range.upperBound {
      decide(start, true)
      start = words.endOfWord(from: start)
    }
  }

  /// Returns whether a unit is Khmer that is divided with the dictionary.
  @inline(__always)
  private static func contains(_ unit: UInt16) -> Bool {
    (unit >= 0x1780 && unit < 0x17d4) || unit == 0x17d7 || unit == 0x17dc || unit == 0x17dd
  }

  private func words(at start: Int) -> Words {
    var words = Words()
    var (count, prefix): (Int32, Int32) = (0, 0)
    withUnsafeMutableBytes(of: &words.lengths) { bytes in
      let lengths = bytes.assumingMemoryBound(to: Int32.self)
      guard let first = lengths.baseAddress else { return }
      count = galley_khmer_words(
        units + start, Int32(truncatingIfNeeded: end - start), first, Self.maxWords, &prefix)
    }
    (words.count, words.prefix) = (Int(count), prefix)
    return words
  }

  /// Returns the end of the word at a place, and of what is combined with it.
  private func endOfWord(from start: Int) -> Int {
    let length = dictionaryWord(at: start)
    var index = start + length
    if index < end && length < Self.maxCombined {
      let next = words(at: index)
      if next.count == 0 && (length == 0 || next.prefix < Self.minPrefix) { index = nextWord(after: index) }
    }
    while index < end && Self.isMark(units[index]) { index += 1 }
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
      if units[index - 1] != Self.coeng && Self.beginsWord(units[index]) && words(at: index).count > 0 { break }
      index += 1
    }
    return index
  }

  /// The sign that joins the consonant after it to the one before it.
  private static let coeng: UInt16 = 0x17d2

  private static func beginsWord(_ unit: UInt16) -> Bool { unit >= 0x1780 && unit <= 0x17b3 }

  private static func isMark(_ unit: UInt16) -> Bool { (unit >= 0x17b4 && unit <= 0x17d3) || unit == 0x17dd }
}
