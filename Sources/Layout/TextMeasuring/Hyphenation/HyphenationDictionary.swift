import Buffers

/// The patterns with which the words of a language are hyphenated: as Chromium applies its own, or in two levels as libhyphen does.
///
/// libhyphen itself is not used, because workers receive dictionaries from clients, and it is not made for dictionaries that
/// nobody has checked.
public final class HyphenationDictionary: Sendable {
  /// The least numbers of letters before and after a hyphen.
  private struct Least: Sendable {
    var before = HyphenationDictionary.leastBefore
    var after = HyphenationDictionary.leastAfter
    /// Those within a compound, after and before the place where two words meet.
    var inCompoundBefore = 0
    var inCompoundAfter = 0
  }

  /// A keyword with a value, which is the next token.
  private enum Keyword {
    case least(WritableKeyPath<Least, Int>)
    case barriers

    init?(_ name: String) {
      switch name {
      case "LEFTHYPHENMIN": self = .least(\.before)
      case "RIGHTHYPHENMIN": self = .least(\.after)
      case "COMPOUNDLEFTHYPHENMIN": self = .least(\.inCompoundBefore)
      case "COMPOUNDRIGHTHYPHENMIN": self = .least(\.inCompoundAfter)
      case "NOHYPHEN": self = .barriers
      default: return nil
      }
    }
  }

  /// The least numbers of letters before and after a hyphen, and the letters of the shortest and the longest word that Chromium
  /// hyphenates.
  static let leastBefore = 2
  static let leastAfter = 3
  static let wordLengths = 5...62
  /// The most characters of a pattern, as in libhyphen.
  public static let maxPatternLength = 98

  /// The patterns; if there are two levels, those of the first find where the words of a compound meet.
  private let levels: [PatternTrie]
  private let least: Least
  /// The texts before and after which no hyphen is, such as apostrophes.
  private let barriers: [[UInt16]]
  /// The letters of words that are hyphenated, in lower case and in order.
  private let letters: [UInt16]

  /// Creates a dictionary.
  ///
  /// - Parameters:
  ///   - patterns: the patterns in UTF-8 between white space, with the keywords of libhyphen's dictionaries. What is not a pattern
  ///     or a keyword is ignored, as is a pattern that changes letters (`/`) or has characters beyond the basic plane.
  ///   - language: the language, which decides about the letters of some dictionaries.
  public init(_ patterns: ByteString, language: LanguageTag) {
    var (levels, least, barriers) = ([PatternTrie()], Least(), [[UInt16]]())
    var letters: Set<UInt16> = []
    var keyword: Keyword?
    for token in patterns.bytes.split(whereSeparator: { $0 <= 0x20 }) {
      let text = String(decoding: token, as: UTF8.self)
      switch keyword {
      case .least(let number): least[keyPath: number] = max(least[keyPath: number], Int(text) ?? 0)
      case .barriers: barriers += text.split(separator: ",").map { Array($0.utf16) }
      case nil:
        keyword = Keyword(text)
        if keyword != nil { continue }
        if text != "NEXTLEVEL" {
          Self.insert(text, into: &levels[levels.count - 1], &letters)
        } else if levels.count == 1 {
          levels.append(PatternTrie())
        }
      }
      keyword = nil
    }
    (self.levels, self.least, self.barriers) = (levels, least, barriers)
    self.letters = Self.letters(of: language, in: letters)
  }

  private static func insert(_ pattern: String, into trie: inout PatternTrie, _ letters: inout Set<UInt16>) {
    var (characters, places): ([UInt16], [UInt8]) = ([], [0])
    for unit in pattern.utf16 {
      if (0x30...0x39).contains(unit) {
        places[places.count - 1] = UInt8(unit - 0x30)
      } else {
        guard unit != 0x2f, unit & 0xf800 != 0xd800 else { return }
        characters.append(unit)
        places.append(0)
      }
    }
    guard !characters.isEmpty, characters.count <= maxPatternLength else { return }
    trie.insert(characters, places)
    letters.formUnion(characters)
  }

  /// The letters beside `a` to `z` of the words that Chromium hyphenates, as its dictionaries have them (the files `hyph-*.chr.txt` of
  /// hyph-utf8), where other dictionaries of the language have more or fewer of them.
  private static let lettersOfChromium: [(language: LanguageTag, others: String)] = [
    ("af", "'’äèêëîïôöûü"), ("bg", "абвгдежзийклмнопрстуфхцчшщъюя"), ("de", "ßàáâäçèéêëíïñóôöü"),
    ("en", ""), ("es", "áéíñóú"), ("eu", "ñ"), ("fr", "'’àâçèéêëîïôûœ"), ("gl", "áéíïñóú"), ("hu", "áäéíóöúüőű"),
    ("it", "'’"), ("pt", "áâãçéêíóôõú"), ("ro", "îășț"), ("ru", "абвгдежзийклмнопрстуфхцчшщъыьэюяё"), ("sv", "äåéö"),
    ("uk", "'’абвгдежзийклмнопрстуфхцчшщьюяєіїґ"),
  ].map { (LanguageTag($0), $1) }

  /// Returns the letters of the words that Chromium hyphenates in a language: those of its own dictionary, where they are known,
  /// and otherwise those of the patterns.
  private static func letters(of language: LanguageTag, in patterns: Set<UInt16>) -> [UInt16] {
    let known = lettersOfChromium.first { language.isOf($0.language) }
    let others = known.map { Set($0.others.utf16) } ?? patterns.subtracting([0x2d, 0x2e])
    let isLatin = known == nil ? patterns.contains(0x61) : !others.contains(0x430)
    return others.union(isLatin ? Array(0x61...0x7a) : []).sorted()
  }

  /// Finds the numbers of letters after which a word can be hyphenated, in ascending order.
  ///
  /// - Parameter word: the word in lower case.
  func findPoints(in word: UnsafeBufferPointer<UInt16>, _ points: inout FlatBuffer<Int32>) {
    points.removeAll()
    guard Self.wordLengths.contains(word.count), word.allSatisfy(isLetter) else { return }
    if levels.count == 1 {
      levels[0].appendPoints(in: word, longestOnly: false, to: &points)
    } else {
      appendPoints(ofCompound: word, isFirst: true, isLast: true, to: &points)
    }
    Self.keep(from: 0, &points) { point in
      point >= least.before && point <= word.count - least.after
        && !barriers.contains { word[..<point].suffix($0.count).elementsEqual($0) || word[point...].starts(with: $0) }
    }
  }

  /// Returns whether words with a letter are hyphenated.
  private func isLetter(_ unit: UInt16) -> Bool {
    let index = partitionPoint(letters.count) { letters[$0] < unit }
    return index < letters.count && letters[index] == unit
  }

  /// Appends the points of a word, or of a part of a compound, which can be a compound itself.
  private func appendPoints(
    ofCompound word: UnsafeBufferPointer<UInt16>, isFirst: Bool, isLast: Bool, to points: inout FlatBuffer<Int32>
  ) {
    let first = points.count
    levels[0].appendPoints(in: word, longestOnly: true, to: &points)
    guard points.count > first else {
      levels[1].appendPoints(in: word, longestOnly: true, to: &points)
      return Self.keep(from: first, &points) {
        $0 >= (isFirst ? 0 : least.inCompoundBefore) && $0 <= word.count - (isLast ? 0 : least.inCompoundAfter)
      }
    }
    let seams = Array(points.values[first...])
    points.truncate(to: first)
    var start = 0
    for end in seams.map(Int.init) + [word.count] {
      // A single letter has no points.
      if end - start > 1 {
        let ownFirst = points.count
        appendPoints(
          ofCompound: UnsafeBufferPointer(rebasing: word[start..<end]), isFirst: isFirst && start == 0,
          isLast: isLast && end == word.count, to: &points)
        for index in ownFirst..<points.count { points[index] += Int32(truncatingIfNeeded: start) }
      }
      if end < word.count { points.append(Int32(truncatingIfNeeded: end)) }
      start = end
    }
  }

  /// Removes the points from an index on for which a condition does not hold.
  private static func keep(from first: Int, _ points: inout FlatBuffer<Int32>, _ condition: (Int) -> Bool) {
    var kept = first
    for index in first..<points.count where condition(Int(points[index])) {
      points[kept] = points[index]
      kept += 1
    }
    points.truncate(to: kept)
  }
}
