import Buffers
import CellTemplates

extension SourceNode {
  /// Returns JSON as YAML, in which tabs must not indent lines, and a character has no escape of two surrogates. No JSON string contains
  /// a tab.
  static func yaml(ofJSON text: String) -> String {
    let source = text.utf8.map { $0 == UInt8(ascii: "\t") ? UInt8(ascii: " ") : $0 }
    var yaml: [UInt8] = []
    yaml.reserveCapacity(source.count)
    source.withUnsafeBytes { source in
      let bytes = ByteString(source)
      var index = 0
      while index < bytes.count {
        if let scalar = surrogates(bytes, index) {
          yaml += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
          index += 12
        } else {
          // The character after a backslash begins no other escape.
          let end = min(index + (bytes[index] == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
          yaml += bytes.slice(index, end).bytes
          index = end
        }
      }
    }
    return String(decoding: yaml, as: UTF8.self)
  }

  /// Returns the character whose escape of two surrogates is at an index, such as `\ud83d\ude00`.
  private static func surrogates(_ bytes: ByteString, _ index: Int) -> Unicode.Scalar? {
    guard let high = RepairedJSON.escapedUnit(bytes, index), high & 0xfc00 == 0xd800,
      let low = RepairedJSON.escapedUnit(bytes, index + 6), low & 0xfc00 == 0xdc00
    else { return nil }
    return Unicode.Scalar((high - 0xd7c0) << 10 + (low - 0xdc00))
  }
}
