import SeededRandom
import Testing

@testable import TextMeasuring

/// Tests of the font scales of Android 14.
@Suite struct AndroidFontScaleTests {
  private static let sizes = [8.0, 10, 12, 14, 18, 20, 24, 30, 100]

  @Test(arguments: [
    (1.15, [9.2, 11.5, 13.8, 16.4, 19.8, 21.8, 25.2, 30, 100]),
    (1.3, [10.4, 13, 15.6, 18.8, 21.6, 23.6, 26.4, 30, 100]),
    (1.5, [12, 15, 18, 22, 24, 26, 28, 30, 100]),
    (1.8, [14.4, 18, 21.6, 24.4, 27.6, 30.8, 32.8, 34.8, 100]),
    (2.0, [16, 20, 24, 26, 30, 34, 36, 38, 100]),
  ])
  func theListedSizesAreThoseOfAndroid(scale: Double, expected: [Double]) {
    #expect(Self.sizes.map { AndroidFontScale.size(of: $0, at: scale) } == expected)
  }

  @Test func sizesBetweenListedOnesAreInterpolated() {
    #expect(AndroidFontScale.size(of: 4, at: 1.5) == 6)
    #expect(AndroidFontScale.size(of: 16, at: 1.5) == 23)
    #expect(AndroidFontScale.size(of: 65, at: 2) == 69)
    #expect(abs(AndroidFontScale.size(of: 22, at: 1.3) - 25) < 1e-12)
  }

  @Test func scalesBetweenListedOnesAreInterpolated() {
    // The middle between 1.5 and 1.8, and the third of the way from 1 to 1.15.
    #expect(abs(AndroidFontScale.size(of: 14, at: 1.65) - 23.2) < 1e-12)
    #expect(abs(AndroidFontScale.size(of: 14, at: 1.05) - 14.8) < 1e-12)
    #expect(abs(AndroidFontScale.size(of: 30, at: 1.05) - 30) < 1e-12)
  }

  @Test func sizesBeyondTheListHaveItsLastRatio() {
    for scale in [1.15, 1.4, 2] { #expect(AndroidFontScale.size(of: 150, at: scale) == 150) }
  }

  @Test func scalesOutsideTheListAreFactors() {
    for scale in [0.5, 0.85, 1, 1.0299, 2.01, 3] {
      for size in [1, 8, 13.5, 30, 140] { #expect(AndroidFontScale.size(of: size, at: scale) == size * scale) }
    }
    #expect(!AndroidFontScale.isLinear(1.03) && !AndroidFontScale.isLinear(2))
  }

  @Test func aNegativeLengthIsScaledAsItsMagnitude() {
    #expect(AndroidFontScale.size(of: -8, at: 1.5) == -12)
    #expect(AndroidFontScale.size(of: 0, at: 1.5) == 0)
    #expect(AndroidFontScale.size(of: .nan, at: 1.5).isNaN)
  }

  @Test func largerSizesAndScalesNeverGiveSmallerSizes() {
    var random = SplitMix(seed: 21)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    for _ in 0..<20_000 {
      let (size, scale) = (number(0.1...130), number(1.03...2))
      let scaled = AndroidFontScale.size(of: size, at: scale)
      #expect(scaled >= size - 1e-12 && scaled <= 2 * size + 1e-9, "\(size) at \(scale)")
      #expect(AndroidFontScale.size(of: size + number(0...5), at: scale) >= scaled, "\(size) at \(scale)")
      #expect(
        AndroidFontScale.size(of: size, at: min(2, scale + number(0...0.2))) >= scaled - 1e-12, "\(size) at \(scale)")
    }
  }

  @Test func aSmallChangeOfSizeOrScaleChangesTheSizeLittle() {
    var random = SplitMix(seed: 22)
    for _ in 0..<20_000 {
      let (size, scale) = (
        Double.random(in: 0.1...130, using: &random), Double.random(in: 1.03...1.999, using: &random)
      )
      let scaled = AndroidFontScale.size(of: size, at: scale)
      #expect(abs(AndroidFontScale.size(of: size + 1e-6, at: scale) - scaled) < 1e-5, "\(size) at \(scale)")
      #expect(abs(AndroidFontScale.size(of: size, at: scale + 1e-6) - scaled) < 1e-3, "\(size) at \(scale)")
    }
  }
}
