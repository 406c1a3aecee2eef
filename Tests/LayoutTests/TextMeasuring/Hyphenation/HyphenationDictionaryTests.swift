import Buffers
import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

@Suite struct HyphenationDictionaryTests {
  private struct Language: Decodable {
    let language: String
    let points: [String: [Int]]
  }

  private static func points(_ word: String, _ dictionary: HyphenationDictionary) -> [Int] {
    var points = FlatBuffer<Int32>()
    Array(word.utf16).withUnsafeBufferPointer { dictionary.findPoints(in: $0, &points) }
    return points.values.map { Int($0) }
  }

  private static func tag(_ name: String) throws -> LanguageTag { try #require(LanguageTag(ByteString(keeping: name))) }

  private static func dictionary(_ patterns: String, language: String = "xx") throws -> HyphenationDictionary {
    let bytes = ByteString(keeping: patterns)
    defer { UnsafeMutablePointer(mutating: bytes.start).deallocate() }
    return HyphenationDictionary(bytes, language: try tag(language))
  }

  /// `Tests/ChromiumCases/libhyphen.py` has made the fixture with Debian's dictionaries. Chromium keeps words of fewer than five
  /// letters whole, and three letters after a hyphen.
  @Test func pointsAreThoseOfLibhyphenWhereChromiumHyphenates() throws {
    let dictionaries = try DebianDictionaries.all.get()
    var count = 0
    for line in try Fixtures.lines("libhyphen-points.jsonl") {
      let known = try JSONDecoder().decode(Language.self, from: line)
      let dictionary = dictionaries[try #require(dictionaries.index(for: Self.tag(known.language)))]
      for (word, points) in known.points {
        let length = word.utf16.count
        let expected = length < 5 ? [] : points.filter { $0 >= 2 && $0 <= length - 3 }
        #expect(Self.points(word, dictionary) == expected, "\(word)")
        count += expected.count
      }
    }
    #expect(count > 1000)
  }

  @Test func theLargestValueOfAllPatternsDecides() throws {
    #expect(Self.points("abcdef", try Self.dictionary("1cd bcdx a")) == [2])
    #expect(Self.points("abcdef", try Self.dictionary("1cd b2c1d a")) == [3])
    #expect(Self.points("abcdef", try Self.dictionary("3cd b2c1d a")) == [2, 3])
  }

  @Test func theLongestTextBeforeAPlaceDecidesInTwoLevels() throws {
    #expect(Self.points("abcdef", try Self.dictionary("a NEXTLEVEL 1cd acdx")) == [2])
    // "bcd" begins a pattern, but is none.
    #expect(Self.points("abcdef", try Self.dictionary("a NEXTLEVEL 1cd bcdx")) == [])
    #expect(Self.points("abcdef", try Self.dictionary("a NEXTLEVEL 3cd b2c1d")) == [3])
  }

  @Test func partsOfCompoundsKeepTheirLeastLetters() throws {
    let patterns = "COMPOUNDLEFTHYPHENMIN 2 COMPOUNDRIGHTHYPHENMIN 3 abc1def NEXTLEVEL 1b 1d 1e 1f ghi"
    // Without a compound, a hyphen is where the patterns have it.
    #expect(Self.points("abcghidefghi", try Self.dictionary(patterns)) == [6, 7, 8])
    // "abc" + "def": one letter after the seam, and two before it, are too few.
    #expect(Self.points("abcdefghi", try Self.dictionary(patterns)) == [3, 5])
  }

  @Test func noHyphenIsBesideATextThatTheDictionaryNames() throws {
    let patterns = "NOHYPHEN ',zz 1a 1b 1' 1z '1c 1d"
    #expect(Self.points("xxaxx'cxxbxxx", try Self.dictionary(patterns + " x")) == [2, 9])
    #expect(Self.points("xxxxzzdxxx", try Self.dictionary(patterns + " x")) == [5])
    #expect(Self.points("xxxzdxxx", try Self.dictionary(patterns + " x")) == [3, 4])
  }

  @Test func wordsWithOtherLettersStayWhole() throws {
    let english = try Self.dictionary("1b 1c 1d 1é a", language: "en-GB")
    #expect(Self.points("abcabc", english) == [2])
    #expect(Self.points("abcéabc", english) == [])
    let other = try Self.dictionary("1b 1c 1d 1é a")
    #expect(Self.points("abcéabc", other) == [2, 3])
    #expect(Self.points("abc’abc", other) == [])
    // Chromium's dictionaries have letters that those of Debian lack: é in Galician and ё in Russian.
    #expect(Self.points("abcéabc", try Self.dictionary("1b 1c 1d a", language: "gl")) == [2])
    #expect(Self.points("расчёт", try Self.dictionary("1с 1ч", language: "ru")) == [2, 3])
  }

  @Test func longWordsAndShortWordsStayWhole() throws {
    let dictionary = try Self.dictionary("1a")
    #expect(Self.points("aaaa", dictionary) == [])
    #expect(Self.points("aaaaa", dictionary) == [2])
    #expect(Self.points(String(repeating: "a", count: 62), dictionary).count == 58)
    #expect(Self.points(String(repeating: "a", count: 63), dictionary) == [])
  }

  @Test func keywordsStateTheLeastLetters() throws {
    #expect(Self.points("aaaaaaaaa", try Self.dictionary("LEFTHYPHENMIN 4 RIGHTHYPHENMIN 3 1a")) == [4, 5, 6])
    #expect(Self.points("aaaaaaa", try Self.dictionary("LEFTHYPHENMIN x 1a")) == [2, 3, 4])
    #expect(Self.points("aaaaaaa", try Self.dictionary("1a RIGHTHYPHENMIN")) == [2, 3, 4])
  }

  @Test func dictionariesOfAnyBytesAreRead() throws {
    var random = SplitMix(seed: 58)
    let pieces: [[UInt8]] = [
      [0x31], [0x20], Array("NEXTLEVEL ".utf8), Array("LEFTHYPHENMIN ".utf8), Array("abcab".utf8), [0x2e],
      [0xff, 0xc3],
      Array("ﬁ𝐚é".utf8), Array("99999999999999999999 ".utf8), [0x2f], [0],
    ]
    for _ in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<random.below(60) { bytes += pieces[random.below(pieces.count)] }
      let dictionary = try bytes.withUnsafeBytes { HyphenationDictionary(ByteString($0), language: try Self.tag("xx")) }
      for word in ["abcabcabc", "aaaaaaa", "éaabbéé", ".....", "11111"] {
        let points = Self.points(word, dictionary)
        #expect(points == points.sorted() && points.allSatisfy { $0 >= 2 && $0 <= word.utf16.count - 3 })
      }
    }
  }

  @Test(arguments: [
    ("en", "en-US"), ("en-us", "en-US"), ("en-VI", "en-US"), ("en-AU", "en-GB"), ("en-GB", "en-GB"), ("de-AT", "de"),
    ("de-1996", "de"), ("fr-CA", "fr"), ("sv", nil), ("d", nil), ("deu", nil),
  ])
  func theDictionaryOfALanguageIsThatOfChromium(language: String, chosen: String?) throws {
    let known = ["en-US", "en-GB", "de", "fr"]
    let tags = try known.map(Self.tag)
    let index = LanguageTag(ByteString(keeping: language)).flatMap {
      HyphenationDictionaries.index(for: $0, among: tags)
    }
    #expect(index.map { known[$0] } == chosen)
  }
}
