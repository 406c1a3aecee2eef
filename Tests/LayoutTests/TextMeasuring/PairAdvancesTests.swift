import CHarfBuzz
import Buffers
import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// Words whose advances are sums, compared with those that HarfBuzz shapes.
@Suite struct PairAdvancesTests {
  private static let contexts: [(ligatures: Bool, kerns: Bool, rounding: UInt32)] = [
    (true, true, 0), (false, true, 0), (true, false, 0), (true, true, 15 * 64), (true, true, 13 * 64 | 1 << 20),
  ]

  /// Compares random words in a face, and returns how many of them are sums.
  private static func compare(_ words: Int, _ face: Int32, _ book: FontBook, _ random: inout SplitMix) -> Int {
    var sums = 0
    for properties in contexts {
      var shaper = Shaper(book: book, cacheBudget: 1 << 20)
      let context = ShapingContext(
        face: face, script: HB_SCRIPT_LATIN, ligatures: properties.ligatures, kerns: properties.kerns,
        rounding: properties.rounding)
      for number in 0..<words {
        let text = Self.word(&random, isLatin: number % 2 == 0)
        let word = Array(text.utf16)
        guard let sum = word.withUnsafeBufferPointer({ shaper.sum($0, context) }) else { continue }
        sums += 1
        let shaped = Self.shaped(word, &shaper, context)
        #expect(
          sum.advance == shaped.advance && sum.spaceAdvance == shaped.spaceAdvance,
          "face \(face) \(properties) \(text.debugDescription): \(sum), not \(shaped)")
      }
    }
    return sums
  }

  /// Returns what HarfBuzz measures: of the whole, or of each part if the context leaves spaces.
  private static func shaped(_ word: [UInt16], _ shaper: inout Shaper, _ context: ShapingContext) -> ShapedSegment {
    guard shaper.leavesSpaces(context) else { return word.withUnsafeBufferPointer { shaper.shape($0, context) } }
    let space = [0x20].withUnsafeBufferPointer { shaper.shape($0, context).advance }
    let spaces = word.count { $0 == 0x20 } * space
    let advance = word.split(separator: 0x20).reduce(spaces) { sum, part in
      sum + part.withUnsafeBufferPointer { shaper.shape($0, context).advance }
    }
    return ShapedSegment(advance: advance, spaceAdvance: word.last == 0x20 ? space : 0)
  }

  private static func segment(_ text: String, _ shaper: inout Shaper, _ context: ShapingContext) -> ShapedSegment {
    Array(text.utf16).withUnsafeBufferPointer { shaper.segment($0, context) }
  }

  /// Returns a word of letters, or one of any characters, with a space after most of them.
  private static func word(_ random: inout SplitMix, isLatin: Bool) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    let others = Array("éèêëàâäåæçíîïñóôöøúûüýÿßÀÉÖÜŁłśźżčěřšžőűğşıŒœĳ’‘“”«»‹›…—¡¿")
    let common = ["ffi", "fi", "Th", "AV", "To", "1/2", "->", "www", "x2", ".,", "'s", "--"]
    var word = ""
    for _ in 0...random.below(9) {
      switch random.below(8) {
      case 0: word += common[random.below(common.count)]
      case 1, 2: word += String(UnicodeScalar(UInt8(0x20 + random.below(95))))
      case 3 where isLatin: word += String(others[random.below(others.count)])
      default: word += String(letters[random.below(random.below(3) == 0 ? letters.count : 26)])
      }
    }
    return random.below(3) > 0 ? word + " " : word
  }

  @Test func sumsAreTheAdvancesOfShapedWords() throws {
    let book = try ChromiumFonts().book
    var random = SplitMix(seed: 33)
    for face in 0..<Int32(6) {
      let sums = Self.compare(1200, face, book, &random)
      // The first words of a context are shaped, as are words with characters that ligatures and alternates have.
      #expect(sums > 2000, "face \(face)")
    }
    // A face without Latin letters, and faces with features, in which letters become small capitals.
    for face in [6] + Array(Int32(17)..<52) { _ = Self.compare(200, face, book, &random) }
  }

  @Test func wordsWithLigaturesAreShaped() throws {
    let fonts = try ChromiumFonts()
    var shaper = Shaper(book: fonts.book, cacheBudget: 1 << 20)
    let context = ShapingContext(face: fonts.face("Roboto", 400), script: HB_SCRIPT_LATIN, ligatures: true)
    for number in 0..<300 { _ = Self.segment("w\(number)", &shaper, context) }
    #expect(Array("office ".utf16).withUnsafeBufferPointer { shaper.sum($0, context) } == nil)
    #expect(Array("Tavern ".utf16).withUnsafeBufferPointer { shaper.sum($0, context) } != nil)
  }

  @Test func wordsOfPairsAreNotShaped() throws {
    let fonts = try ChromiumFonts()
    var shaper = Shaper(book: fonts.book, cacheBudget: 1 << 20)
    let context = ShapingContext(face: fonts.face("Inter", 400), script: HB_SCRIPT_LATIN, ligatures: true)
    let letters = Array("etaoinsr")
    func word(_ number: Int) -> String { String((0..<6).map { letters[number >> (3 * $0) & 7] }) }
    for number in 0..<5000 { _ = Self.segment(word(number), &shaper, context) }
    let before = shaper.shapedUnits
    for number in 5000..<50_000 { _ = Self.segment(word(number), &shaper, context) }
    #expect(shaper.shapedUnits == before)
  }

  /// When languages get other numbers, nothing that was measured with the old ones is valid.
  @Test func removedAdvancesAreMeasuredAgain() throws {
    let fonts = try ChromiumFonts()
    var shaper = Shaper(book: fonts.book, cacheBudget: 1 << 20)
    let context = ShapingContext(face: fonts.face("Inter", 400), script: HB_SCRIPT_LATIN, ligatures: true)
    for number in 0..<300 { _ = Self.segment("w\(number)", &shaper, context) }
    #expect(shaper.tables.pairwise(context) != nil)
    let advance = Self.segment("Tavern ", &shaper, context).advance
    shaper.removeAll()
    #expect(shaper.tables.pairwise(context) == nil && shaper.tables.pairs(context)[0x54, 0x61] == nil)
    let shaped = shaper.shapedUnits
    #expect(Self.segment("Tavern ", &shaper, context).advance == advance && shaper.shapedUnits == shaped + 7)
  }

  /// Compares words in all fonts of a directory that the environment variable `GALLEY_FONTS` names.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GALLEY_FONTS"] != nil))
  func sumsInTheFontsOfTheEnvironmentAreTheAdvancesOfShapedWords() throws {
    let directory = try #require(ProcessInfo.processInfo.environment["GALLEY_FONTS"])
    let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    var random = SplitMix(seed: 34)
    for file in files.sorted() where ["otf", "ttf", "ttc"].contains((file as NSString).pathExtension) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + file))
      let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
      bytes.copyBytes(to: kept, count: bytes.count)
      defer { kept.deallocate() }
      let source = FontBook.Source(file: ByteString(start: kept, count: bytes.count), index: 0, weight: 0)
      guard let book = try? FontBook([source], fallback: []) else { continue }
      print(file, Self.compare(4000, 0, book, &random))
    }
  }
}
