import Buffers
import CellTemplates
import Foundation
import GalleyTestSupport
import Testing

@testable import CellsFiles

@Suite struct OpenTypeChecksTests {
  private static let font = (try? [UInt8](Data(contentsOf: Fixtures.url("variable.ttf")))) ?? []

  private func flaw(_ bytes: [UInt8], face: Int = 0) -> String? {
    bytes.withUnsafeBytes { bytes in
      do throws(CellError) {
        let face = try OpenTypeFace(ByteString(bytes), index: face)
        try face.checkTableSums()
        try face.checkFileSum()
        return nil
      } catch {
        return error.message
      }
    }
  }

  /// Returns the offset of a table's entry in the directory.
  private func entry(_ tag: String) throws -> Int {
    try #require(
      stride(from: 12, to: 12 + 16 * Int(Self.font[5]), by: 16).first { Self.font[$0..<$0 + 4].elementsEqual(tag.utf8) }
    )
  }

  /// Returns the font with other bytes at an offset.
  private func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var font = Self.font
    font.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return font
  }

  /// The checksums are right in all 367 font files of Debian's packages, too.
  @Test func theInstalledFontsAreValid() throws {
    let found = FileManager.default.enumerator(
      at: URL(fileURLWithPath: "/usr/share/fonts"), includingPropertiesForKeys: [.fileSizeKey])
    var count = 0
    while let url = found?.nextObject() as? URL {
      guard ["ttf", "otf", "ttc"].contains(url.pathExtension),
        // Large fonts take long in debug builds.
        try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 < 1 << 20
      else { continue }
      #expect(flaw(try [UInt8](Data(contentsOf: url))) == nil, "\(url.path)")
      count += 1
    }
    #expect(count > 100)
  }

  @Test func aFontWithoutATableThatLayoutNeedsIsDamaged() throws {
    for tag in ["cmap", "head", "hhea", "hmtx", "maxp"] {
      #expect(
        flaw(changed(try entry(tag), Array("XXXX".utf8)))
          == "is damaged: it lacks the table \"\(tag)\", which layout needs")
    }
    #expect(flaw(changed(try entry("glyf"), Array("XXXX".utf8)))?.hasPrefix("is damaged: it has no glyphs") == true)
  }

  @Test func aTableThatEndsAfterTheFileIsDamage() throws {
    #expect(
      flaw(changed(try entry("hmtx") + 8, [0, 0, 0x20, 0]))?.hasPrefix("is damaged: table \"hmtx\" ends ") == true)
    #expect(
      flaw(changed(try entry("hmtx") + 8, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))?
        .hasSuffix(" bytes after the end of the file") == true)
    #expect(flaw(changed(4, [0xff, 0xff]))?.hasPrefix("is damaged: its table directory ends ") == true)
  }

  @Test func lengthsThatDoNotMatchAreDamage() throws {
    #expect(
      flaw(changed(try entry("hmtx") + 12, [0, 0, 0, 5]))?.hasPrefix("is damaged: table \"hmtx\" has only 5 ") == true)
    #expect(
      flaw(changed(try entry("head") + 12, [0, 0, 0, 5]))?.hasPrefix("is damaged: table \"head\" has only 5 ") == true)
    #expect(flaw(changed(try entry("cmap"), Array("head".utf8)))?.hasSuffix("it has the table \"head\" twice") == true)
  }

  /// The collections of WenQuanYi count checkSumAdjustment in the checksum of head.
  @Test func theHeadOfACollectionMayCountItsAdjustment() throws {
    func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    let header = Array("ttcf".utf8) + bytes(0x10000) + bytes(1) + bytes(16)
    var font = Self.font
    for entry in stride(from: 12, to: 12 + 16 * Int(font[5]), by: 16) {
      font.replaceSubrange(entry + 8..<entry + 12, with: bytes(number(font, entry + 8) + UInt32(header.count)))
    }
    let head = try entry("head")
    let adjustment = number(Self.font, Int(number(Self.font, head + 8)) + 8)
    let sum = number(font, head + 4)
    for (added, isRight) in [(0, true), (adjustment, true), (adjustment &+ 1, false)] as [(UInt32, Bool)] {
      font.replaceSubrange(head + 4..<head + 8, with: bytes(sum &+ added))
      #expect((flaw(header + font) == nil) == isRight, "\(added)")
    }
  }

  @Test func aFlippedBitIsFoundInEveryTable() throws {
    for entry in stride(from: 12, to: 12 + 16 * Int(Self.font[5]), by: 16) {
      let offset = Self.font[entry + 8..<entry + 12].reduce(0) { $0 << 8 | Int($1) }
      let tag = String(decoding: Self.font[entry..<entry + 4], as: UTF8.self)
      let flipped = changed(offset + 1, [Self.font[offset + 1] ^ 4])
      #expect(flaw(flipped) == "is damaged: the checksum of table \"\(tag)\" is wrong")
    }
  }

  @Test func aFlippedBitInTheDirectoryIsFoundByTheSumOfTheFile() throws {
    let offset = try entry("gvar")
    #expect(
      flaw(changed(offset, [Self.font[offset] ^ 0x20]))?.hasPrefix(
        "is damaged: the checksum of the whole file is wrong")
        == true)
  }

  @Test(arguments: [[], Array("ttcf".utf8), Array("<!DOCTYPE html><html>".utf8), [UInt8](repeating: 0, count: 100)])
  func bytesThatAreNotAFontAreRefused(bytes: [UInt8]) {
    #expect(flaw(bytes)?.hasPrefix("is not a font file: ") == true)
  }

  @Test func aFaceBeyondTheCollectionIsRefused() {
    let collection = Array("ttcf".utf8) + [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]
    #expect(flaw(collection, face: 1) == "has 1 faces, of which the last has number 0")
    #expect(flaw(collection) == "is damaged: face 0 has an unknown format")
    #expect(
      flaw(Array("ttcf".utf8) + [0, 1, 0, 0, 0xff, 0, 0, 1])
        == "is damaged: its list of faces ends after the end of the file")
  }

  @Test func axesMustBeThoseOfTheFont() throws {
    try Self.font.withUnsafeBytes { bytes in
      let axes = try OpenTypeFace(ByteString(bytes), index: 0).axes
      #expect(axes.map(\.tag) == ["wdth", "wght"] && axes.map(\.range) == [50...200, 100...900])
      #expect(axes.map(\.initial) == [100, 400])
    }
  }
}
