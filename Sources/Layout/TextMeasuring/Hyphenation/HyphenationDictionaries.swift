/// The dictionaries with which texts are hyphenated, by language.
public struct HyphenationDictionaries: Sendable {
  private var languages: [LanguageTag] = []
  private var dictionaries: [HyphenationDictionary] = []

  /// Creates an empty set.
  public init() {}

  /// Adds the dictionary of a language, which replaces one that is there.
  public mutating func add(_ dictionary: HyphenationDictionary, for language: LanguageTag) {
    let language = Self.dictionaryLanguage(of: language)
    if let known = languages.firstIndex(of: language) {
      dictionaries[known] = dictionary
    } else {
      languages.append(language)
      dictionaries.append(dictionary)
    }
  }

  subscript(index: Int) -> HyphenationDictionary { dictionaries[index] }

  /// Returns the index of the dictionary with which texts in a language are hyphenated, as Chromium chooses it: that of the
  /// language, or of what is left of its tag without the last parts; nil if there is none.
  public func index(for language: LanguageTag) -> Int? {
    languages.isEmpty ? nil : Self.index(for: language, among: languages)
  }

  /// Returns the index of the language whose dictionary hyphenates texts in a language, or nil if there is none.
  public static func index(for language: LanguageTag, among languages: [LanguageTag]) -> Int? {
    var language: LanguageTag? = language == .none ? nil : dictionaryLanguage(of: language)
    while let tag = language {
      if let known = languages.firstIndex(where: { dictionaryLanguage(of: $0) == tag }) { return known }
      language = tag.parent
    }
    return nil
  }

  private static let americanEnglish = LanguageTag("en-us")
  private static let britishEnglish = LanguageTag("en-gb")
  private static let american = ["en", "en-as", "en-gu", "en-mh", "en-mp", "en-pr", "en-um", "en-us", "en-vi"].map(
    LanguageTag.init)

  /// Returns the language whose dictionary Chromium takes for English, which is British outside the United States and their
  /// territories; other languages are returned as they are.
  private static func dictionaryLanguage(of language: LanguageTag) -> LanguageTag {
    guard language.isOf(.english) else { return language }
    return american.contains(language) ? americanEnglish : britishEnglish
  }
}
