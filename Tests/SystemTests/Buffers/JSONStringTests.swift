import Foundation
import Testing

@testable import Buffers

/// Tests of strings as JSON has them.
@Suite struct JSONStringTests {
  private func json(_ string: String, _ controls: JSONControls = .letters) -> String {
    var bytes = FlatBuffer<UInt8>(capacity: 1)
    bytes.append(json: string, controls)
    return String(decoding: bytes.bytes, as: UTF8.self)
  }

  @Test func quotesBackslashesAndControlsAreEscaped() {
    #expect(json("") == #""""#)
    #expect(json("plain é 😍 /") == #""plain é 😍 /""#)
    #expect(json("\"\\\n\r\t\u{1}\u{1f}\u{7f}") == #""\"\\\n\r\t\u0001\u001f"# + "\u{7f}\"")
    #expect(json("a\nb", .numbers) == #""a\u000ab""#)
  }

  @Test func everyScalarIsReadBack() throws {
    let all = String(String.UnicodeScalarView((0...0x300).compactMap(Unicode.Scalar.init)))
    for controls in [JSONControls.letters, .numbers] {
      let data = Data("[\(json(all, controls))]".utf8)
      #expect(try JSONDecoder().decode([String].self, from: data) == [all])
    }
  }
}
