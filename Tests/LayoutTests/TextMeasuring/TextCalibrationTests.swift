import Buffers
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// Tests of texts that are measured as a calibrated device has them.
@Suite struct TextCalibrationTests {
  private let fonts: ChromiumFonts
  private static let text = "The quick brown fox jumps over the lazy dog, and 名前 over the other dogs, too\nagain"

  private let plain = TextStyle(face: 0, size: 15)

  init() throws { fonts = try ChromiumFonts() }

  private func measure(
    _ platform: Platform, _ text: String = text, _ style: TextStyle = TextStyle(face: 0, size: 15), width: Double = 200,
    textScale: Double = 1, _ calibration: TextCalibration = TextCalibration()
  ) throws -> TextMeasurement {
    var measurer = TextMeasurer(book: fonts.book)
    var options = TextOptions(platform)
    options.calibration = calibration
    let prepared = measurer.prepareOnly(text, style, options, textScale: textScale)
    return measurer.measure(prepared, textScale: textScale, maxWidth: width, maxHeight: .infinity)
  }

  private func lines(_ factor: Double, _ addition: Double) -> TextCalibration {
    var calibration = TextCalibration()
    calibration.lines = LineCalibration(factor: factor, addition: addition)
    return calibration
  }

  @Test(arguments: Platform.allCases, [Double.nan, 20])
  func eachLineHasTheFactorAndTheAddition(platform: Platform, lineHeight: Double) throws {
    let style = TextStyle(face: 0, size: 15, lineHeight: lineHeight)
    for text in [Self.text, "one line"] {
      for textScale in [1, 2.0] {
        let plain = try measure(platform, text, style, textScale: textScale)
        let changed = try measure(platform, text, style, textScale: textScale, lines(1.25, -0.5))
        #expect(changed.lines == plain.lines)
        let expected = plain.height * 1.25 - 0.5 * textScale * Double(plain.lines)
        #expect((changed.height - expected).magnitude < 1e-6, "\(platform.name) \(changed.height) \(expected)")
      }
    }
  }

  @Test(arguments: Platform.allCases)
  func noLineIsLowerThanZero(platform: Platform) throws {
    #expect(try measure(platform, Self.text, plain, lines(1, -1000)).height == 0)
    #expect(try measure(platform, "", plain, lines(1, -1000)).height == 0)
  }

  @Test(arguments: Platform.allCases)
  func aToleranceCountsAsWidth(platform: Platform) throws {
    var random = SplitMix(seed: 7)
    for _ in 0..<50 {
      let width = Double.random(in: 40...400, using: &random)
      var calibration = TextCalibration()
      calibration.widthTolerance = Double.random(in: -3...3, using: &random)
      let wider = try measure(platform, width: width + calibration.widthTolerance)
      let tolerant = try measure(platform, width: width, calibration)
      #expect(tolerant.lines == wider.lines && tolerant.height == wider.height, "\(platform.name) at \(width)")
    }
  }

  @Test(arguments: [Platform.texture, .web, .webkit, .firefox])
  func advancesAreWholePointsInBrowsers(platform: Platform) throws {
    var calibration = TextCalibration()
    calibration.roundsAdvances = true
    for size in [9.5, 11, 15, 17.25] {
      for scale in [1, 1.35] {
        let style = TextStyle(face: 0, size: size)
        let one = try measure(platform, "n", style, width: 1000, textScale: scale).width
        // Sizes are rounded to 1/64 point, so that half a point can be rounded either way.
        if (one.truncatingRemainder(dividingBy: 1) - 0.5).magnitude < 0.02 { continue }
        let three = try measure(platform, "nnn", style, width: 1000, textScale: scale, calibration).width
        #expect((three - 3 * one.rounded()).magnitude < 0.05, "\(platform.name) \(size) \(three) \(one)")
      }
    }
  }

  @Test func kerningIsAddedToRoundedAdvances() throws {
    let style = TextStyle(face: 0, size: 16)
    var calibration = TextCalibration()
    calibration.roundsAdvances = true
    func width(_ text: String, _ calibration: TextCalibration = TextCalibration()) throws -> Double {
      try measure(.web, text, style, width: 1000, calibration).width
    }
    // A space at the end of a line has no width.
    let space = try width("n n") - 2 * width("n")
    for text in ["AV", "To", "T A", "A, é V"] {
      let advances = try text.map { $0 == " " ? space : try width(String($0)) }
      let kerning = try width(text) - advances.reduce(0, +)
      let expected = advances.reduce(kerning) { $0 + $1.rounded() }
      #expect(try (width(text, calibration) - expected).magnitude < 0.2, "\(text) \(expected)")
    }
  }

  @Test(arguments: [Platform.texture, .web, .webkit, .firefox])
  func truncationStringsHaveTheAdvancesOfTheirText(platform: Platform) throws {
    var calibration = TextCalibration()
    calibration.roundsAdvances = true
    for truncation in ["…", "… more"] {
      let whole = try measure(platform, "Hello" + truncation, plain, calibration).width
      var measurer = TextMeasurer(book: fonts.book)
      var options = TextOptions(platform)
      (options.maximumNumberOfLines, options.calibration) = (1, calibration)
      let bytes = ByteString(keeping: truncation)
      defer { UnsafeMutablePointer(mutating: bytes.start).deallocate() }
      options.truncation = bytes
      let cut = measurer.prepareOnly("Hello\nworld", plain, options)
      let width = measurer.measure(cut, textScale: 1, maxWidth: 200, maxHeight: .infinity).width
      #expect(width == whole, "\(platform.name) \(truncation)")
    }
  }
}
