import Buffers
import Foundation
import SeededRandom

/// A workload of texts of about a hundred characters.
struct TextWorkload {
  let name: String
  let texts: [ByteString]

  /// Returns English texts in which words are as frequent as in prose.
  static func english(count: Int) -> TextWorkload {
    var random = SplitMix(seed: 1)
    let words = Vocabulary(5000, &random)
    return TextWorkload(
      name: "English", texts: (0..<count).map { _ in ByteString(keeping: random.sentence { words.next(&$0) }) })
  }

  /// Returns texts of which three in ten are Arabic, Chinese, Thai, Hindi or Russian, or have emoji.
  static func mixed(count: Int) -> TextWorkload {
    var random = SplitMix(seed: 2)
    let english = Vocabulary(5000, &random)
    let others = [
      "صباح الخير يا جماعة، الجو اليوم جميل جدا ومناسب للمشي على البحر", "今天天气真不错，我们一起去公园散步吧，顺便买点水果回来",
      "วันนี้อากาศดีมาก เราไปเดินเล่นที่ริมแม่น้ำกับเพื่อนกัน", "आज मौसम बहुत अच्छा है चलो दोस्तों के साथ नदी के किनारे टहलने चलते हैं",
      "Сегодня прекрасная погода, и мы идём гулять к реке вместе с друзьями",
      "Great photo 😀🎉 we loved it so much ❤️ see you all tomorrow 👋🏽",
    ].map { $0.split(separator: " ").map(String.init) }
    return TextWorkload(
      name: "mixed scripts, 30 % not English",
      texts: (0..<count).map { number in
        if number % 10 < 7 { return ByteString(keeping: random.sentence { english.next(&$0) }) }
        let words = others[random.below(others.count)].shuffled(using: &random)
        return ByteString(keeping: (words + words).joined(separator: " ").prefix(100).description)
      })
  }

  /// Returns texts in Latin letters. A third of the words have a letter or mark that is not ASCII.
  static func european(count: Int) -> TextWorkload {
    var random = SplitMix(seed: 4)
    let others = ["é", "ü", "ñ", "ß", "ł", "ç", "ø", "’s", "…", "—"]
    let words = Vocabulary(5000, &random) { word, random in
      random.below(3) > 0 ? word : word + others[random.below(others.count)]
    }
    return TextWorkload(
      name: "European", texts: (0..<count).map { _ in ByteString(keeping: random.sentence { words.next(&$0) }) })
  }

  /// Returns texts of kana, ideographs and punctuation.
  static func japanese(count: Int) -> TextWorkload {
    var random = SplitMix(seed: 5)
    func character() -> UInt32 {
      switch random.below(20) {
      case 0..<10: 0x3042 + UInt32(random.below(80))
      case 10..<17: 0x4e00 + UInt32(random.below(800)) * 17
      case 17, 18: 0x30a2 + UInt32(random.below(80))
      default: [0x3001, 0x3002, 0xff01, 0x300c, 0x300d][random.below(5)]
      }
    }
    return TextWorkload(
      name: "Japanese",
      texts: (0..<count).map { _ in
        let scalars = (0..<100).compactMap { _ in UnicodeScalar(character()) }
        return ByteString(keeping: String(String.UnicodeScalarView(scalars)))
      })
  }

  /// Returns texts in which no word occurs twice.
  static func cold(count: Int) -> TextWorkload {
    var random = SplitMix(seed: 3)
    return TextWorkload(
      name: "English, no word twice",
      texts: (0..<count).map { _ in ByteString(keeping: random.sentence { $0.word() + $0.word() }) })
  }
}

/// A generator of words with frequencies like those of prose: by Zipf's law, the second word is half as frequent as the
/// first.
struct Vocabulary {
  private let words: [String]

  /// - Parameter change: returns a word in place of a random one.
  init(_ count: Int, _ random: inout SplitMix, change: (String, inout SplitMix) -> String = { word, _ in word }) {
    words = (0..<count).map { _ in change(random.word(), &random) }
  }

  func next(_ random: inout SplitMix) -> String { words[random.zipf(words.count)] }

  func text(words count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in next(&random) }.joined(separator: " ")
  }
}

extension SplitMix {
  fileprivate mutating func word() -> String {
    let letters = Array("etaoinshrdlucmfwypvbgkjqxz")
    return String((0..<(2 + next() % 7)).map { _ in letters[zipf(letters.count)] })
  }

  /// Returns the rank of a word, from 0, with a frequency by Zipf's law.
  fileprivate mutating func zipf(_ count: Int) -> Int {
    min(count - 1, Int(pow(Double(count), unit())) - 1)
  }

  fileprivate mutating func sentence(_ word: (inout SplitMix) -> String) -> String {
    var text = ""
    while text.utf8.count < 95 { text += (text.isEmpty ? "" : " ") + word(&self) }
    return text + "."
  }
}
