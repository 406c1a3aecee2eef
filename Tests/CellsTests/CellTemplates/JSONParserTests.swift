import Buffers
import Testing

@testable import CellTemplates

/// Tests of what is JSON, but no value of the parser.
@Suite struct JSONParserTests {
  private let parser = JSONParser()

  /// Returns the member `n` of an object.
  private func value(_ text: String) throws -> JSONValue? {
    try parser.parse(copying: Array(#"{"a":"\"1\\","n":\#(text),"b":[1,2.5e3]}"#.utf8)).member("n")
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e308", "-0.5", "1e-400"])
  func aNumberOf64BitsIsANumber(text: String) throws {
    #expect(try value(text)?.number == Double(text))
  }

  @Test(arguments: [
    "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "1e400", "-1.5E999",
  ])
  func aLargerNumberIsAStringWithItsDigits(text: String) throws {
    #expect(try value(text)?.string?.string == text)
  }

  @Test(arguments: ["01", "1.", "+1", "1e", "99999999999999999999.", "-", "1e400e", "0x12", "1-1"])
  func aNumberThatIsNotJSONIsAnError(text: String) {
    #expect(throws: CellError.self) { _ = try value(text) }
  }

  @Test func severalAreReplacedInOneDocument() throws {
    let text = #"{"t":"\ud83d\ude00 \ud83d x \ude00","n":[1e999,-1e999],"s":"1e999 \"1e999"}"#
    let root = try parser.parse(copying: Array(text.utf8))
    #expect(root.member("t")?.string?.string == "😀 \u{fffd} x \u{fffd}")
    #expect(root.member("n")?.element(1)?.string?.string == "-1e999")
    #expect(root.member("s")?.string?.string == #"1e999 "1e999"#)
  }
}
