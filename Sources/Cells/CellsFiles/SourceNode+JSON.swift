extension SourceNode {
  /// Returns JSON as YAML, in which tabs must not indent lines, and a character has no escape of two surrogates. No JSON string contains
  /// a tab.
  static func yaml(ofJSON text: String) -> String {
    var yaml = ""
    yaml.reserveCapacity(text.utf8.count)
    var rest = Substring(text.utf8.contains(UInt8(ascii: "\t")) ? text.replacing("\t", with: " ") : text)
    while let backslash = rest.firstIndex(of: "\\") {
      yaml += rest[..<backslash]
      rest = rest[backslash...]
      if let scalar = surrogates(rest) {
        yaml.unicodeScalars.append(scalar)
        rest = rest.dropFirst(12)
      } else {
        // The character after a backslash begins no other escape.
        yaml += rest.prefix(2)
        rest = rest.dropFirst(2)
      }
    }
    return yaml + rest
  }

  /// Returns the character whose escape of two surrogates a text begins with, such as `\ud83d\ude00`.
  private static func surrogates(_ text: Substring) -> Unicode.Scalar? {
    func unit(_ escape: Substring) -> UInt32? {
      escape.hasPrefix("\\u") && escape.count == 6 ? UInt32(escape.dropFirst(2), radix: 16) : nil
    }
    guard let high = unit(text.prefix(6)), let low = unit(text.dropFirst(6).prefix(6)), high & 0xfc00 == 0xd800,
      low & 0xfc00 == 0xdc00
    else { return nil }
    return Unicode.Scalar((high - 0xd7c0) << 10 + (low - 0xdc00))
  }
}
