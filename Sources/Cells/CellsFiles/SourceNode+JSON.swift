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
        if let scalar = RepairedJSON.escapedPair(bytes, index) {
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
}
