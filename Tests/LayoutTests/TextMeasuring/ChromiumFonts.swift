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
    "NotoSansKhmer-Regular.ttf", "NotoSansCJK-Regular.ttc", "NotoColorEmoji.ttf",
  ]

  init() throws {
    let files = Self.named.map(\.file) + Self.fallback
    let sources = try files.map { file in
      let bytes = try Data(contentsOf: URL(fileURLWithPath: DebianFonts.path(file)))
      // The memory is never freed, as faces read their files as long as the tests run.
      let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
      bytes.copyBytes(to: kept, count: bytes.count)
      return FontBook.Source(file: ByteString(start: kept, count: bytes.count), index: 0, weight: 0)
    }
    let fallback = (0..<Self.fallback.count).map { Int32(Self.named.count + $0) }
    book = try FontBook(sources, fallback: fallback)
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
  let rows: [Row]
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
