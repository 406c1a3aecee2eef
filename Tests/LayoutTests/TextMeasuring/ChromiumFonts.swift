import LayoutEngine
import Buffers
import Foundation
import GalleyTestSupport

@testable import TextMeasuring

/// The font files that Chromium used, in its order of fallback.
struct ChromiumFonts {
  let book: FontBook
  private static let named: [(family: String, weight: Int, file: String)] = [
    ("Inter", 400, "Inter-Regular.otf"), ("Inter", 700, "Inter-Bold.otf"),
    ("Roboto", 400, "Roboto-Regular.ttf"), ("Roboto", 500, "Roboto-Medium.ttf"),
    ("Noto Sans", 400, "NotoSans-Regular.ttf"), ("Noto Sans", 700, "NotoSans-Bold.ttf"),
    ("Noto Naskh Arabic", 400, "NotoNaskhArabic-Regular.ttf"),
  ]
  private static let fallback = [
    "NotoSans-Regular.ttf", "NotoSansArabic-Regular.ttf", "NotoSansHebrew-Regular.ttf", "NotoSansThai-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf", "NotoSansBengali-Regular.ttf", "NotoSansTamil-Regular.ttf",
    "NotoSansKhmer-Regular.ttf", "NotoSansLao-Regular.ttf", "NotoSansCJK-Regular.ttc", "NotoColorEmoji.ttf",
  ]

  /// The features of fonts by their names in `Tests/ChromiumCases/css.py`. Each named font is there with each of them.
  private static let features: [(name: String, list: KeyValuePairs<String, UInt32>)] = [
    ("smallCapitals", ["smcp": 1]), ("tabularNumbers", ["tnum": 1]), ("withoutLigatures", ["liga": 0, "kern": 0]),
    ("proportional", ["palt": 1]), ("alternates", ["ss01": 1, "onum": 1, "c2sc": 1]),
  ]

  init() throws {
    let files = Self.named.map(\.file) + Self.fallback
    var sources = try files.map { file in
      FontBook.Source(file: try DebianFonts.bytes(file), index: 0, weight: 0)
    }
    let fallback = (0..<Self.fallback.count).map { Int32(Self.named.count + $0) }
    for features in Self.features {
      for var source in sources.prefix(Self.named.count) {
        source.features = features.list.map { tag, value in
          FontFeature(tag: tag.utf8.reduce(0) { $0 << 8 | UInt32($1) }, value: value)
        }
        sources.append(source)
      }
    }
    book = try FontBook(sources, fallback: fallback)
  }

  /// Returns a face with the features of a name.
  func face(_ family: String, _ weight: Int, features: String?) -> Int32 {
    let face = face(family, weight)
    guard let number = Self.features.firstIndex(where: { $0.name == features }) else { return face }
    return Int32(Self.named.count + Self.fallback.count + number * Self.named.count) + face
  }

  func face(_ family: String, _ weight: Int) -> Int32 {
    if let index = Self.named.firstIndex(where: { $0.family == family && $0.weight == weight }) { return Int32(index) }
    let file = family.replacingOccurrences(of: " ", with: "") + "-Regular"
    return Int32(Self.named.count + (Self.fallback.firstIndex { $0.hasPrefix(file) } ?? 0))
  }
}

/// A text of a fixture with its measurements.
struct Group: Decodable {
  struct Run: Decodable {
    let text: String
    let weight: Int
  }

  let `class`: String
  let text: String
  let runs: [Run]?
  let css: CSS?
  let rows: [Row]

  /// The properties of CSS by their names in cells files.
  struct CSS: Decodable {
    let overflowWrap, hyphens, wordBreak, lineBreak, textWrap, lang, features: String?
    let tabSize: Float?
    let exclusionPaths: [Rectangle]?

    struct Rectangle: Decodable {
      let side: String
      let y, width, height: Double
    }

    /// The rectangles beside lines.
    var exclusions: ExclusionPaths {
      ExclusionPaths(
        (exclusionPaths ?? []).map {
          ExclusionPath(side: $0.side == "left" ? .left : .right, y: $0.y, width: $0.width, height: $0.height)
        })
    }

    var options: CSSTextOptions {
      var options = CSSTextOptions()
      func choice<Choice: CaseIterable>(_ name: String?, _ current: Choice) -> Choice {
        Choice.allCases.first { "\($0)" == name } ?? current
      }
      options.overflowWrap = choice(overflowWrap, options.overflowWrap)
      options.hyphens = choice(hyphens, options.hyphens)
      options.wordBreak = choice(wordBreak, options.wordBreak)
      options.lineBreak = choice(lineBreak, options.lineBreak)
      options.textWrap = choice(textWrap, options.textWrap)
      options.tabSize = tabSize ?? options.tabSize
      if let lang, let tag = LanguageTag(ByteString(keeping: lang)) { options.language = tag }
      return options
    }
  }
}

/// A measurement by Chromium: [kind, family, weight, size, width, white-space, line-height, letter-spacing, clamp,
/// lines, height, widest line, line starts].
struct Row: Decodable {
  let kind: String
  let family: String
  let weight: Int
  let size: Double
  let width: Double
  let whiteSpace: String
  let lineHeight: Double?
  let letterSpacing: Double
  let clamp: Int
  let lines: Int
  let height: Double
  let maxLineWidth: Double?
  /// The UTF-16 offsets of the lines in the text as written.
  let lineStarts: [Int]?

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    kind = try list.decode(String.self)
    family = try list.decode(String.self)
    weight = try list.decode(Int.self)
    size = try list.decode(Double.self)
    width = try list.decode(Double.self)
    whiteSpace = try list.decode(String.self)
    if let points = try? list.decode(Double.self) {
      lineHeight = points
    } else {
      _ = try list.decode(String.self)
      lineHeight = nil
    }
    letterSpacing = try list.decode(Double.self)
    clamp = try list.decode(Int.self)
    lines = try list.decode(Int.self)
    height = try list.decode(Double.self)
    maxLineWidth = try list.decodeIfPresent(Double.self)
    lineStarts = try list.decodeIfPresent([Int].self)
  }
}
