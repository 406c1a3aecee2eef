import CellTemplates
import Foundation
import TextMeasuring

/// A hyphenation dictionary in the format of libhyphen: a line with the character set, then a pattern or a keyword a line.
struct HyphenationFile {
  /// The patterns and keywords between spaces, as `HyphenationDictionary` reads them.
  let patterns: String
  /// The number of patterns that were left out, because they change letters where a word is divided.
  let leftOut: Int

  private static let limit = 16 << 20
  private static let encodings: [String: String.Encoding] = [
    "UTF-8": .utf8, "ISO8859-1": .isoLatin1, "ISO8859-2": .isoLatin2, "microsoft-cp1251": .windowsCP1251,
  ]

  /// - Throws: `CellError` for a file that is not such a dictionary.
  init(_ bytes: Data) throws(CellError) {
    guard bytes.count <= Self.limit else { throw CellError("has more than \(Self.limit >> 20) MiB") }
    let first = bytes.prefix { $0 != 0x0a }
    let name = String(decoding: first, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let encoding = Self.encodings[name] else {
      let known = Self.encodings.keys.sorted().joined(separator: ", ")
      throw CellError(
        "must be a dictionary of libhyphen, whose first line is its character set, one of \(known); convert another one "
          + "with iconv -t UTF-8")
    }
    guard let text = String(data: bytes.dropFirst(first.count), encoding: encoding) else {
      throw CellError("is not in \(name), which its first line states")
    }
    var (patterns, leftOut): ([Substring], Int) = ([], 0)
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard let pattern = words.first, !"%#".contains(pattern.prefix(1)), pattern != "NOHYPHEN" else { continue }
      if pattern.contains("/") { leftOut += 1 } else { patterns += pattern.hasSuffix("MIN") ? words : [pattern] }
    }
    guard patterns.contains(where: { $0.contains(where: \.isNumber) && $0.contains(where: \.isLetter) }) else {
      throw CellError("has no patterns, such as .ach4")
    }
    (self.patterns, self.leftOut) = (patterns.joined(separator: " "), leftOut)
  }
}
