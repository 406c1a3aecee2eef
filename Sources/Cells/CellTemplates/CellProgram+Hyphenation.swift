import Buffers
import TextMeasuring

/// The hyphenation dictionaries of a cells file.
extension CellProgram {
  /// Reads `"hyphenation": {"de": "LEFTHYPHENMIN 2 .ab1a …"}`, as the archive has it.
  static func readPatterns(_ root: JSONValue) throws(CellError) -> [(language: LanguageTag, patterns: ByteString)] {
    var found: [(language: LanguageTag, patterns: ByteString)] = []
    try reader.member("hyphenation", of: root) { (written) throws(CellError) in
      try reader.forEachMember(of: written, expected: "dictionaries by language") { (key, value) throws(CellError) in
        guard let language = LanguageTag(key) else {
          throw CellError("is not the tag of a language, such as en-US or de")
        }
        guard !found.contains(where: { $0.language == language }) else {
          throw CellError("is the language of another dictionary of this file; leave one of them out")
        }
        guard let patterns = try reader.string(value) else { throw CellError("has no patterns") }
        found.append((language, patterns))
      }
    }
    return found
  }

  /// The dictionaries with which texts are hyphenated. They are built from their patterns each time.
  public var dictionaries: HyphenationDictionaries {
    patterns.reduce(into: HyphenationDictionaries()) { dictionaries, entry in
      dictionaries.add(HyphenationDictionary(entry.patterns, language: entry.language), for: entry.language)
    }
  }
}
