import Glibc
import SeededRandom
import Testing

@testable import Buffers

/// Tests of the short texts of numbers.
@Suite struct ShortTextTests {
  private func text(_ append: (inout JSONText) -> Void) -> String {
    var text = JSONText()
    append(&text)
    return text.text
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
      if float != 0, float.magnitude < 0x1p24 { #expect(text { $0.append(float) } == shortest("\(float)")) }
      #expect(shortText(length) == text { $0.append(length) } && shortText(float) == text { $0.append(float) })
    }
  }

  @Test func zerosAndNumbersThatAreNotFiniteAreJSON() {
    #expect(text { $0.append(0.0) } == "0" && text { $0.append(-0.0) } == "0")
    #expect(text { $0.append(-12.125) } == "-12.125" && text { $0.append(Float(-0.5)) } == "-0.5")
    #expect(text { $0.append(Double.nan) } == "null" && text { $0.append(-Float.infinity) } == "null")
    #expect(text { $0.append("", orInfinite: .infinity) } == #""inf""#)
    #expect(text { $0.append("", orInfinite: nil) } == "null")
    #expect(text { $0.append(Float(1e30)) } == "1e+30")
  }
}
