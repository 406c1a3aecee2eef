import Buffers
import GalleyTestSupport
import Hashing

@testable import TextMeasuring

/// A font file that an engine of a platform measured with.
struct PlatformFont {
  let file: String
  /// The first digits of the file's SHA-256.
  let hash: String
}

/// The font files that an engine of a platform measured with, in its order of fallback.
struct PlatformFonts {
  let book: FontBook
  private let named: [String]

  /// Reads fonts of Debian's packages.
  ///
  /// - Parameters:
  ///   - named: the fonts of texts, which are no fallback fonts.
  ///   - fallback: the fallback fonts.
  init(named: [PlatformFont], fallback: [PlatformFont]) throws {
    self.named = named.map(\.file)
    let sources = try (named + fallback).map { font in
      let file = try DebianFonts.bytes(font.file)
      let hash = hexadecimal(SHA256.hash(UnsafeRawBufferPointer(file.bytes)))
      guard hash.hasPrefix(font.hash) else { throw OtherFont(name: font.file) }
      return FontBook.Source(file: file, index: 0, weight: 0)
    }
    book = try FontBook(sources, fallback: fallback.indices.map { Int32(named.count + $0) })
  }

  /// Returns the face of a file among the fonts of texts.
  func face(_ file: String) -> Int32? { named.firstIndex(of: file).map { Int32($0) } }

  private struct OtherFont: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is another version of the font than the fixtures were made with" }
  }
}

extension PlatformFont {
  static let inter = PlatformFont(file: "Inter-Regular.otf", hash: "a7e791e8f5a0")
  static let interBold = PlatformFont(file: "Inter-Bold.otf", hash: "1e9dfd6a6e33")
  static let roboto = PlatformFont(file: "Roboto-Regular.ttf", hash: "797e35f7f5d6")
  static let notoSans = PlatformFont(file: "NotoSans-Regular.ttf", hash: "89c3c497f618")
  static let arabic = PlatformFont(file: "NotoSansArabic-Regular.ttf", hash: "504d7407d868")
  static let devanagari = PlatformFont(file: "NotoSansDevanagari-Regular.ttf", hash: "79a470365ccb")
  static let khmer = PlatformFont(file: "NotoSansKhmer-Regular.ttf", hash: "bc9a5e2afcee")
  static let thai = PlatformFont(file: "NotoSansThai-Regular.ttf", hash: "dfbd5ed0f1e6")
  /// A font with a line gap.
  static let lao = PlatformFont(file: "NotoLoopedLao-Regular.ttf", hash: "9efadfd2fcc9")
  static let cjk = PlatformFont(file: "NotoSansCJK-Regular.ttc", hash: "b76b04332030")
  static let emoji = PlatformFont(file: "NotoColorEmoji.ttf", hash: "e5899ed38b8e")
}
