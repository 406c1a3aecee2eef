import Buffers
import TextMeasuring

/// Checks for texts that contain braces where a field may be meant, and for properties of texts that have no effect.
enum TextChecks {
  /// Returns a warning about a text with `{{name}}` as in Mustache or `${name}` as in JavaScript, which are not
  /// bindings.
  static func warning(_ text: String) -> String? {
    if let name = name(after: "{{", before: "}}", in: text) {
      return "shows \"{\(name)}\", as doubled braces are braces; write {\(name)} for the field"
    }
    if let name = name(after: "${", before: "}", in: text) {
      return "shows a $ before the field; write {\(name)} for the field alone"
    }
    return nil
  }

  /// Returns a warning about a line height or a font size that is too small for a length and may be a multiple.
  static func multiple(_ value: SourceNode?, ofSize size: SourceNode? = nil) -> String? {
    guard let value, let number = value.number, number > 0, number < 4 else { return nil }
    let size = size?.number ?? 16
    let points = shortText((number * size * 100).rounded() / 100)
    return "is a length of \(shortText(number)) points; for \(shortText(number)) times \(shortText(size)) points, "
      + "write \(points)"
  }

  /// Returns a warning about a textWrap beside a property with which each line is filled.
  static func idleWrapping(_ text: SourceNode) -> String? {
    guard let wrap = text["textWrap"], !wrap.isString("wrap") else { return nil }
    if text["exclusionPaths"] != nil { return "has no effect with exclusionPaths, beside which each line is filled" }
    guard wrap.isString("pretty") else { return nil }
    let filling = [("wordBreak", "breakAll"), ("lineBreak", "anywhere")].first { text[$0.0]?.isString($0.1) == true }
    return filling.map { "has no effect with \($0.0): \($0.1), which fills each line" }
  }

  /// Returns a warning about a text that no dictionary hyphenates.
  static func idleHyphens(_ text: SourceNode, in file: SourceNode) -> String? {
    guard text["hyphens"]?.isString("auto") == true else { return nil }
    let anywhere = [("wordBreak", "breakAll"), ("lineBreak", "anywhere")].first { text[$0.0]?.isString($0.1) == true }
    if let anywhere { return "has no effect with \(anywhere.0): \(anywhere.1), with which lines end without hyphens" }
    guard let lang = text["lang"] ?? file["lang"] else {
      return "has no effect without lang, the language whose dictionary is used: lang: en-US"
    }
    let languages = file.members(of: "hyphenation").compactMap { tag($0.key) }
    guard let name = lang.text, let language = tag(name),
      HyphenationDictionaries.index(for: language, among: languages) == nil
    else { return nil }
    return
      "has no effect: no dictionary for \(name) is stated; write hyphenation: {\(name): …} with the path of one, such as "
      + "those of Debian's packages hyphen-* in /usr/share/hyphen"
  }

  /// Returns the properties of marks beside a text without any.
  static func idleMarks(_ text: SourceNode) -> [String] {
    text["marks"] == nil ? ["markFont", "markOffsets"].filter { text[$0] != nil } : []
  }

  private static func tag(_ name: String) -> LanguageTag? {
    var name = name
    return name.withUTF8 { LanguageTag(ByteString(UnsafeRawBufferPointer($0))) }
  }

  /// Returns the path of a field between two marks, or nil.
  private static func name(after start: String, before end: String, in text: String) -> String? {
    guard let first = text.firstRange(of: start), let last = text[first.upperBound...].firstRange(of: end) else {
      return nil
    }
    let name = text[first.upperBound..<last.lowerBound]
    let isPath = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return isPath ? String(name) : nil
  }
}
