import CellsFiles
import Foundation
import GalleyTestSupport
import Testing

@Suite struct HyphenationFileTests {
  /// Reads a cells file with a dictionary for German, and returns its error or its warnings.
  private func read(_ dictionary: Data?, _ hyphenation: String = "{de: de.dic}") throws -> [String] {
    let scratch = Scratch()
    if let dictionary { try dictionary.write(to: URL(fileURLWithPath: scratch.path("de.dic"))) }
    let path = try scratch.file(
      "cells.yaml",
      "version: 1\nlang: de\nhyphenation: \(hyphenation)\nfonts: {f: {family: Inter, size: 12}}\ncells:\n"
        + "  A: {layout: {type: text, text: x, font: f, hyphens: auto}}")
    do { return try CellsFile(path).warnings.map { "\($0.path): \($0.message)" } } catch {
      return ["\(error)".replacingOccurrences(of: scratch.path(""), with: "")]
    }
  }

  @Test(arguments: [
    ("UTF-8\n.ab1a\n1ä\n", String.Encoding.utf8), ("ISO8859-1\r\n% LEFT\n1ä\n", .isoLatin1),
    ("microsoft-cp1251\nб1а\n", .windowsCP1251), ("UTF-8\nLEFTHYPHENMIN 2\nNEXTLEVEL\n1a # a", .utf8),
  ])
  func dictionariesOfLibhyphenAreRead(text: String, encoding: String.Encoding) throws {
    #expect(try read(text.data(using: encoding) ?? Data()).isEmpty)
  }

  @Test(arguments: [
    ("KOI8-R\n1a", "must be a dictionary of libhyphen, whose first line is its character set"),
    (".ab1a\n1b", "must be a dictionary of libhyphen, whose first line is its character set"),
    ("", "must be a dictionary of libhyphen, whose first line is its character set"),
    ("UTF-8\nLEFTHYPHENMIN 2\n# 1a\n", "has no patterns"),
  ])
  func otherFilesAreRefused(text: String, message: String) throws {
    let found = try read(Data(text.utf8))
    #expect(found.count == 1 && found[0].contains("hyphenation.de: de.dic \(message)"), "\(found)")
  }

  @Test func whatIsNotInItsCharacterSetIsRefused() throws {
    let found = try read(Data("UTF-8\n1".utf8) + [0xff, 0x31])
    #expect(found.first?.contains("de.dic is not in UTF-8, which its first line states") == true, "\(found)")
  }

  @Test func aMissingDictionaryIsAnErrorWithAWayOut() throws {
    let found = try read(nil)
    #expect(
      found.first?.contains(
        "cells.yaml:3:15: hyphenation.de: de.dic cannot be read; Debian's packages hyphen-* have dictionaries in /usr/share/hyphen"
      )
        == true, "\(found)")
    #expect(try read(nil, "de.dic").first?.contains("hyphenation: must be dictionaries by language") == true)
    #expect(try read(nil, "{de: 4}").first?.contains("hyphenation.de: must be the path of a dictionary") == true)
    let wrong = try read(Data("UTF-8\n1a".utf8), "{german_: de.dic}")
    #expect(wrong.first?.contains("hyphenation.german_: is not the tag of a language") == true, "\(wrong)")
    let twice = try read(Data("UTF-8\n1a".utf8), "{sl-rozaj-biske: de.dic, sl-rozaj-lipaw: de.dic}")
    #expect(twice.first?.contains("sl-rozaj-lipaw: is the language of another dictionary") == true, "\(twice)")
  }

  @Test func patternsThatChangeLettersAreNotAppliedWithAWarning() throws {
    #expect(
      try read(Data("UTF-8\n1a\nschif1fahrt/ff=f,5,2\n".utf8)) == [
        "hyphenation.de: does not apply 1 patterns that change letters where a word is divided (/); such words are not divided there"
      ])
  }
}
