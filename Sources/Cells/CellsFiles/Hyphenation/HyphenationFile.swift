import CellTemplates
import Foundation

/// A hyphenation dictionary in the format of libhyphen: a line with the character set, then a pattern or a keyword a line.
struct HyphenationFile {
  /// The patterns and keywords between spaces, as `HyphenationDictionary` reads them.
  let patterns: String
  /// The number of patterns that change letters where a word is divided. No hyphen is there.
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
          + "with iconv -t UTF-8, and write UTF-8 in its first line")
    }
    guard let text = String(data: bytes.dropFirst(first.count), encoding: encoding) else {
      throw CellError("is not in \(name), which its first line states")
    }
    var (patterns, leftOut, hasPatterns): ([UInt8], Int, Bool) = ([], 0, false)
    let (space, slash, digits) = (UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "0")...UInt8(ascii: "9"))
    let comments = Array("%#".utf8)
    for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      let words = line.split(whereSeparator: { $0 <= space })
      guard let pattern = words.first, let first = pattern.first, !comments.contains(first) else { continue }
      if pattern.suffix(3).elementsEqual("MIN".utf8) || pattern.elementsEqual("NOHYPHEN".utf8) {
        if words.count > 1 { patterns += words[..<2].joined(separator: [space]) + [space] }
      } else {
        if let end = pattern.firstIndex(of: slash) {
          leftOut += 1
          // Without the other letters no hyphen may be there: an even value one higher forbids it.
          patterns += pattern[..<end].map { digits.contains($0) && $0 & 1 == 1 ? min($0 + 1, UInt8(ascii: "8")) : $0 }
        } else {
          patterns += pattern
        }
        patterns.append(space)
        hasPatterns = hasPatterns || pattern.contains(where: digits.contains)
      }
    }
    guard hasPatterns else { throw CellError("has no patterns, such as .ach4") }
    (self.patterns, self.leftOut) = (String(decoding: patterns, as: UTF8.self), leftOut)
  }
}
