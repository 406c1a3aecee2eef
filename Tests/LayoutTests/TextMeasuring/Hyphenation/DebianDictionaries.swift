import Buffers
import Foundation

@testable import TextMeasuring

/// The hyphenation dictionaries of Debian's packages `hyphen-*`.
enum DebianDictionaries {
  private static let files: [(language: String, file: String, encoding: String.Encoding)] = [
    ("en-US", "hyph_en_US.dic", .utf8), ("en-GB", "hyph_en_GB.dic", .utf8), ("de", "hyph_de_DE.dic", .isoLatin1),
    ("es", "hyph_es_ES.dic", .utf8), ("fr", "hyph_fr.dic", .utf8),
  ]

  static let all: Result<HyphenationDictionaries, any Error> = Result {
    try files.reduce(into: HyphenationDictionaries()) { dictionaries, known in
      let url = URL(fileURLWithPath: "/usr/share/hyphen/" + known.file)
      let lines = try String(contentsOf: url, encoding: known.encoding).split(whereSeparator: \.isNewline)
      let patterns = lines.dropFirst().filter { !$0.hasPrefix("#") && !$0.hasPrefix("NOHYPHEN") }
      guard let language = LanguageTag(ByteString(keeping: known.language)) else { return }
      let bytes = ByteString(keeping: patterns.joined(separator: " "))
      defer { UnsafeMutablePointer(mutating: bytes.start).deallocate() }
      dictionaries.add(HyphenationDictionary(bytes, language: language), for: language)
    }
  }
}
