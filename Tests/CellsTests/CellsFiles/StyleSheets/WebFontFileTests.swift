import CellTemplates
import GalleyTestSupport
import Testing

@testable import CellsFiles

/// Tests of the fonts of pages, and of the characters that they have.
@Suite struct WebFontFileTests {
  private func decoded(_ file: WebFontFile.Result?) throws -> ProgramArchive.Face {
    let bytes = try #require(file).bytes
    return ProgramArchive.Face(file: Programs.keep(try WebFont.decode(bytes, .woff2)), index: 0, weight: 0)
  }

  @Test func aFontHasTheCharactersThatAreWanted() throws {
    let face = try Programs.face("NotoSansHebrew-Regular.ttf")
    let whole = try decoded(WebFontFile.woff2(of: face, characters: nil))
    #expect(whole.characters == face.characters && whole.fullName == face.fullName)
    let part = try decoded(WebFontFile.woff2(of: face, characters: [0x20, 0x5d0, 0x5b7, 0x4e00]))
    #expect(part.characters == [0x20, 0x5b7, 0x5d0])
    // Features are kept: a mark after its letter is placed by GPOS.
    let table = try OpenTypeFace(part.file, index: 0)
    #expect(table.features.contains("mark"))
    #expect(part.file.count < whole.file.count / 2)
  }

  /// The padding at the end of a file was what the memory held before.
  @Test func aFontHasTheSameBytesEachTime() throws {
    let face = try Programs.face("NotoSansHebrew-Regular.ttf")
    func files(inMemoryOf byte: UInt8) throws -> [[UInt8]] {
      var files: [[UInt8]] = []
      for count in UInt32(1)...8 {
        // Memory that is free now is used again for the file.
        for size in stride(from: 1000, to: 100_000, by: 500) {
          #expect([UInt8](repeating: byte, count: size).last == byte)
        }
        files.append(try #require(WebFontFile.woff2(of: face, characters: Set(0x5d0..<0x5d0 + count))).bytes)
      }
      return files
    }
    #expect(try files(inMemoryOf: 0x11) == files(inMemoryOf: 0x77))
  }

  @Test func aFileThatIsNoFontIsNotWritten() {
    let face = ProgramArchive.Face(file: Programs.keep(Array(repeating: 7, count: 100)), index: 0, weight: 0)
    #expect(WebFontFile.woff2(of: face, characters: nil) == nil)
    #expect(WebFontFile.woff2(of: face, characters: [65]) == nil)
  }

  @Test func escapedCharactersOfARowCount() {
    var characters = PageCharacters()
    characters.add(json: Programs.row(#"{"a\u00e9": "ש \\u05d1 \ud83d\ude00 \n\u4e00"}"#))
    let others = characters.all.subtracting(PageCharacters().all)
    #expect(others == [0xe9, 0x301, 0x5e9, 0x1f600, 0x4e00])
  }

  /// HarfBuzz divides letters whose parts a font has, and composes marks with letters.
  @Test(
    arguments: [
      ("\u{ddd}", [0xddd, 0xdd9, 0xdcf, 0xdca, 0x25cc]), ("\u{9cb}", [0x9cb, 0x9c7, 0x9be, 0x25cc]),
      ("e\u{301}", [0x301, 0xe9]),
      ("น้ำ", [0xe19, 0xe49, 0xe33, 0xe4d, 0xe32, 0x25cc]), ("\u{17c4}", [0x17c4, 0x17c1, 0x25cc]),
      // Jamo, and a letter that is known before its mark.
      ("\u{1112}\u{1161}\u{11ab}", [0x1112, 0x1161, 0x11ab, 0xd55c]), ("φ α\u{301}", [0x3c6, 0x3b1, 0x301, 0x3ac]),
    ] as [(String, Set<UInt32>)])
  func charactersCountWithThoseThatHarfBuzzPutsInTheirPlace(text: String, expected: Set<UInt32>) {
    var characters = PageCharacters()
    characters.add(json: Programs.row(#"{"t": "\#(text)"}"#))
    #expect(characters.all.subtracting(PageCharacters().all) == expected)
  }

  @Test func aScriptHasItsLettersAndItsMarks() throws {
    let face = try Programs.face("NotoSansHebrew-Regular.ttf")
    var characters = PageCharacters()
    let hasHebrew = characters.keep("hebrew", of: [face])
    #expect(hasHebrew)
    #expect(characters.all.isSuperset(of: [0x5d0, 0x5b0, 0x2019, 0x20aa]))
    let hasHan = characters.keep("han", of: [face])
    #expect(!hasHan)
  }
}
