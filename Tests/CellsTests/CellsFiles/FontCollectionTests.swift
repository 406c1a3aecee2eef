import Buffers
import GalleyTestSupport
import SeededRandom
import Testing

@testable import CellsFiles

/// Tests of single fonts that are taken from collections.
@Suite struct FontCollectionTests {
  private func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

  /// Returns the tables of a font by their tags.
  private func tables(_ font: [UInt8], at start: Int = 0) -> [[UInt8]: [UInt8]] {
    func number(_ offset: Int) -> Int { font[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    let count = number(start + 4) >> 16
    var tables: [[UInt8]: [UInt8]] = [:]
    for record in (0..<count).map({ start + 12 + $0 * 16 }) {
      let offset = number(record + 8)
      tables[Array(font[record..<record + 4])] = Array(font[offset..<offset + number(record + 12)])
    }
    return tables
  }

  /// Returns a collection of fonts, whose tables are moved as a whole.
  private func collection(_ fonts: [[UInt8]]) -> [UInt8] {
    var bytes = Array("ttcf".utf8) + bigEndian(0x10000) + bigEndian(fonts.count)
    var offset = bytes.count + 4 * fonts.count
    for font in fonts {
      bytes += bigEndian(offset)
      offset += font.count
    }
    for var font in fonts {
      let start = bytes.count
      for record in (0..<Int(font[4]) << 8 | Int(font[5])).map({ 12 + $0 * 16 }) {
        let old = font[record + 8..<record + 12].reduce(0) { $0 << 8 | Int($1) }
        font.replaceSubrange(record + 8..<record + 12, with: bigEndian(old + start))
      }
      bytes += font
    }
    return bytes
  }

  @Test func aFontOfACollectionKeepsItsTables() throws {
    let fonts = try ["Inter-Regular.otf", "NotoSansHebrew-Regular.ttf"].map { Array(try Programs.face($0).file.bytes) }
    let bytes = collection(fonts)
    try bytes.withUnsafeBytes { bytes in
      for (index, font) in fonts.enumerated() {
        let single = try #require(WebFontFile.single(ByteString(bytes), face: index))
        #expect(Array(single[..<4]) == Array(font[..<4]))
        #expect(tables(single) == tables(font))
      }
      #expect(WebFontFile.single(ByteString(bytes), face: 2) == nil)
    }
    fonts[0].withUnsafeBytes { #expect(WebFontFile.single(ByteString($0), face: 0) == nil) }
  }

  @Test func aDamagedCollectionHasNoFontsOrWholeOnes() throws {
    let whole = collection([Array(try Programs.face("NotoSansHebrew-Regular.ttf").file.bytes)])
    var random = SplitMix(seed: 3)
    for _ in 0..<300 {
      var bytes = Array(whole.prefix(random.below(2) == 0 ? 400 : whole.count))
      for _ in 0..<1 + random.below(4) { bytes[random.below(min(bytes.count, 300))] = UInt8(random.below(256)) }
      bytes.withUnsafeBytes { _ = WebFontFile.single(ByteString($0), face: random.below(3)) }
    }
  }
}
