import Buffers
import Foundation
import SeededRandom
import Testing

@testable import galley

/// Tests of the texts of numbers and strings in exports.
@Suite struct ExportTextTests {
  private func text(_ append: (inout FlatBuffer<UInt8>) -> Void) -> String {
    var buffer = FlatBuffer<UInt8>()
    append(&buffer)
    return String(decoding: buffer.values, as: UTF8.self)
  }

  /// Swift's description is the shortest decimal that is read back, with `.0` for integers.
  private func shortest(_ description: String) -> String {
    description.hasSuffix(".0") ? String(description.dropLast(2)) : description
  }

  @Test func numbersHaveTheFewestDigitsWithWhichTheyAreReadBack() {
    var random = SplitMix(seed: 1)
    for _ in 0..<20_000 {
      let scale = pow(10, Double(random.below(16)) - 4)
      let number = (random.unit() - 0.3) * scale
      // Lengths are multiples of a half, a third or an eighth; others have all digits.
      let length = [number, number.rounded() / 2, number.rounded() / 3, number.rounded() / 8][random.below(4)]
      let float = Float(length)
      if length != 0 { #expect(text { $0.append(length) } == shortest("\(length)")) }
      if float != 0 { #expect(text { $0.append(float) } == shortest("\(float)")) }
    }
  }

  @Test func zerosAndNumbersThatAreNotFiniteAreJSON() {
    #expect(text { $0.append(0.0) } == "0" && text { $0.append(-0.0) } == "0")
    #expect(text { $0.append(-12.125) } == "-12.125" && text { $0.append(Float(-0.5)) } == "-0.5")
    #expect(text { $0.append(Double.nan) } == "null" && text { $0.append(-Float.infinity) } == "null")
  }

  @Test func stringsOfJSONAreReadBack() throws {
    var random = SplitMix(seed: 2)
    let characters: [Character] = [
      "a", "\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1f}", "\u{7f}", "é", "😀", "\u{2028}",
    ]
    for _ in 0..<500 {
      let string = String((0..<random.below(12)).map { _ in characters[random.below(characters.count)] })
      let json = text { $0.append(json: string) }
      let read = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
      #expect(read as? String == string, "\(json)")
    }
    let damaged: [UInt8] = [0x61, 0xff, 0x62]
    #expect(damaged.withUnsafeBytes { bytes in text { $0.append(json: bytes) } } == "\"a\u{fffd}b\"")
  }

  @Test func fieldsOfCSVHaveQuotesWhereTheyNeedThem() {
    #expect(text { $0.append(csv: "plain; text") } == "plain; text")
    #expect(text { $0.append(csv: "") } == "")
    for (field, quoted) in [("a,b", "\"a,b\""), ("\"", "\"\"\"\""), ("a\nb", "\"a\nb\""), ("a\r", "\"a\r\"")] {
      #expect(text { $0.append(csv: field) } == quoted)
    }
  }
}
