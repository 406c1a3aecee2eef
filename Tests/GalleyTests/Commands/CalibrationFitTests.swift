import LayoutEngine
import SeededRandom
import TextMeasuring
import Testing

@testable import galley

/// Tests of the fit of calibrations, and of the samples of texts.
@Suite struct CalibrationFitTests {
  // MARK: Heights of lines

  /// - Parameter scale: The pixels a point of the device; Flutter does not round.
  private func sample(
    _ height: Double, _ lines: Double, _ measured: Double, scale: Double = 0x1p20
  ) -> LineHeightFit.Sample {
    LineHeightFit.Sample(
      height: height, lines: lines, measured: MeasuredHeight(points: measured, grid: PixelGrid(scale: scale)))
  }

  private func samples(
    _ random: inout SplitMix, heights: ClosedRange<Double>, count: Int = 60, _ device: LineCalibration
  ) -> [LineHeightFit.Sample] {
    let natural = (0..<3).map { _ in Double.random(in: heights, using: &random).rounded() }
    return (0..<count).map { _ in
      let lines = (0..<Int.random(in: 1...12, using: &random)).map { _ in natural[Int.random(in: 0...2, using: &random)]
      }
      let height = lines.reduce(0, +)
      let measured = height * device.factor + Double(lines.count) * device.addition
      return sample(height, Double(lines.count), measured)
    }
  }

  @Test(arguments: 1...40) func aSpoiltLineHeightIsFittedBack(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let factor = (Double.random(in: 0.8...1.4, using: &random) * 1000).rounded() / 1000
    let addition = (Double.random(in: -3...3, using: &random) * 4).rounded() / 4
    for device in [(factor, 0), (1, addition), (factor, addition)] {
      let device = LineCalibration(factor: device.0, addition: device.1)
      var all = samples(&random, heights: 12...40, device)
      // Some texts differ for another reason.
      for index in 0..<6 {
        all[index] = sample(all[index].height, all[index].lines, all[index].measured.points + 7)
      }
      let found = LineHeightFit.best(all, current: LineCalibration()) ?? LineCalibration()
      let equal = all.count { $0.isEqual(with: found) }
      #expect(equal >= (device.factor != 1 && device.addition != 0 ? 0 : 54), "\(device) \(found) \(equal)")
    }
  }

  @Test(arguments: 1...20) func aFactorAndAnAdditionAreFittedTogether(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let device = LineCalibration(
      factor: (Double.random(in: 0.8...1.4, using: &random) * 100).rounded() / 100,
      addition: (Double.random(in: -3...3, using: &random) * 2).rounded() / 2)
    let all = samples(&random, heights: 12...40, device)
    let found = LineHeightFit.best(all, current: LineCalibration()) ?? LineCalibration()
    #expect(all.allSatisfy { $0.isEqual(with: found) }, "\(device) \(found)")
  }

  /// Heights that are rounded up lead the least squares away from the factor of the device.
  @Test(arguments: [(0.95, 0.5), (1.05, 0.5), (1.1, -1)])
  func aPairIsFittedToWholePixels(factor: Double, addition: Double) {
    let device = LineCalibration(factor: factor, addition: addition)
    let all = (0..<170).map { index in
      let lines = Double(1 + index % 7)
      let height = lines * 16.9431818 + Double(index % 3) * 3.40625
      let pixels = ((height * factor + lines * addition) * 2).rounded(.up)
      return sample(height, lines, pixels / 2, scale: 2)
    }
    let found = LineHeightFit.best(all, current: LineCalibration()) ?? LineCalibration()
    #expect(all.allSatisfy { $0.isEqual(with: found) }, "\(device) \(found)")
  }

  @Test func theSimplestCalibrationIsFound() {
    let stated = [1.0, 2, 3, 5].map { sample(20 * $0, $0, 22 * $0) }
    #expect(LineHeightFit.best(stated, current: LineCalibration()) == LineCalibration(factor: 1, addition: 2))
    let other = LineCalibration(factor: 1.1, addition: 0)
    #expect(LineHeightFit.best(stated, current: other) == other, "one that is as good stays")
    let right = stated.map { sample($0.height, $0.lines, $0.height) }
    #expect(LineHeightFit.best(right, current: LineCalibration()) == nil)
    #expect(LineHeightFit.best(right, current: other) == nil, "a wrong one is removed")
    #expect(LineHeightFit.best([], current: LineCalibration()) == nil)
  }

  /// A device whose lines are some pixels higher has them with the calibration in a layout that rounds up to its pixels.
  @Test(arguments: [1.0, 2, 2.625, 3], [-1.0, 1, 2, 5])
  func heightsInWholePixelsAreFittedToThePixel(scale: Double, pixels: Double) throws {
    let grid = PixelGrid(scale: scale)
    let samples = (1...12).flatMap { lines in
      [20.0, 20.3].map { height in
        let (lines, height) = (Double(lines), height * Double(lines))
        return sample(height, lines, grid.ceil(height + lines * pixels / scale), scale: scale)
      }
    }
    let found = try #require(LineHeightFit.best(samples, current: LineCalibration()))
    for sample in samples {
      let height = sample.height * found.factor + sample.lines * found.addition
      #expect(grid.ceil(height) == sample.measured.points, "\(found)")
    }
    let right = samples.map { self.sample($0.height, $0.lines, grid.ceil($0.height), scale: scale) }
    #expect(LineHeightFit.best(right, current: LineCalibration()) == nil, "the layout rounds up, too")
    let unrounded = samples.map { self.sample($0.height, $0.lines, $0.height, scale: scale) }
    #expect(unrounded.allSatisfy { $0.isEqual(with: LineCalibration()) }, "the device does not round")
    #expect(LineHeightFit.best([samples[3]], current: LineCalibration()) == nil, "one text can be an accident")
  }

  // MARK: Widths

  @Test(arguments: 1...40) func aSpoiltWidthIsFittedBack(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let device = Double.random(in: -4...4, using: &random)
    // The tolerances with which each text has another line less.
    let texts = (0..<100).map { _ in (0..<6).map { _ in Double.random(in: -12...12, using: &random) }.sorted() }
    func lines(_ text: [Double], _ tolerance: Double) -> Int { 1 + text.count { $0 > tolerance } }
    let ranges = texts.flatMap { text in WidthFit.ranges(of: lines(text, device)) { lines(text, $0) } }
    let fit = RangeFit(ranges, current: 0, limits: -8...8)
    #expect(fit.count == 100)
    #expect(texts.allSatisfy { lines($0, fit.number) == lines($0, device) }, "\(device) \(fit.number)")
  }

  @Test func aToleranceThatIsRightStays() {
    #expect(RangeFit([-1..<1, -8..<0.5], current: 0, limits: -8...8).number == 0)
    #expect(RangeFit([0.2..<0.5, 0.3..<8], current: 0, limits: -8...8).number == 0.4)
    #expect(RangeFit([], current: 0.25, limits: -8...8).number == 0.25)
    #expect(WidthFit.ranges(of: 3) { _ in 2 }.isEmpty && WidthFit.ranges(of: 2) { _ in 3 }.isEmpty)
    #expect(WidthFit.ranges(of: 2) { _ in 2 } == [-WidthFit.limit..<WidthFit.limit])
  }

  /// A word that is broken where it does not fit can have fewer lines than one that moves to the next line.
  @Test func linesThatIncreaseWithTheToleranceAreFound() throws {
    func lines(_ tolerance: Double) -> Int { tolerance < -5 ? 5 : tolerance < 3.3 ? 6 : 5 }
    let ranges = WidthFit.ranges(of: 5, lines: lines)
    #expect(ranges.count == 2 && ranges[0].lowerBound == -8 && ranges[1].upperBound == 8)
    #expect((ranges[0].upperBound + 5).magnitude < 0.001 && (ranges[1].lowerBound - 3.3).magnitude < 0.001)
    let six = try #require(WidthFit.ranges(of: 6, lines: lines).first)
    #expect((six.lowerBound + 5).magnitude < 0.001 && (six.upperBound - 3.3).magnitude < 0.001)
  }

  // MARK: Samples

  private func text(_ text: String, lines: Int, margin: Double?) -> KitText {
    KitText(
      text: text, font: "body", face: 0, size: 15, letterSpacing: 0, textScale: 1, width: 100, maxLines: 0,
      truncation: "", lineSpacing: 0, preserve: true, script: KitScript(text).name, margin: margin,
      expected: KitText.Size(lines: lines, height: 20))
  }

  @Test func aSampleHasAllClassesAndPrefersSmallMargins() {
    var random = SplitMix(seed: 3)
    var all = (0..<20_000).map { text("text \($0)", lines: 1 + $0 % 3, margin: Double($0 % 1000) / 10) }
    all += (0..<30).map { text("שלום \($0)", lines: 9, margin: nil) }
    all += all.prefix(100)
    var sample = KitSample()
    for text in all { sample.add(text) }
    let texts = sample.texts()
    #expect(texts.count == KitSample.size && texts.map(\.id) == Array(1...KitSample.size))
    #expect(Set(texts.map(\.text)).count == KitSample.size)
    #expect(texts.count { $0.script == "Hebrew" } == 30)
    #expect(texts.count { ($0.margin ?? 99) < 5 } > 200)
    #expect(texts.count { ($0.margin ?? 0) > 50 } > 50)
    var other = KitSample()
    for text in all.shuffled(using: &random) { other.add(text) }
    #expect(other.texts() == texts, "the order of the rows does not matter")
  }

  @Test(arguments: [
    ("Hello 你", "Latin"), ("こんにちは世界", "Kana"), ("世界 a", "Han"), ("שלום", "Hebrew"), ("😀😀 a", "Emoji"),
    ("12:30", "Other"),
    ("", "Other"), ("Привет", "Cyrillic"), ("안녕하세요", "Hangul"), ("ภาษาไทย", "Thai"),
  ])
  func theScriptIsThatOfMostLetters(text: String, script: String) {
    #expect(KitScript(text).name == script)
  }

  @Test func onlyAllIsAHundredPercent() {
    #expect(CalibrationComparison.percent(4999, of: 5000) == "99.9 %")
    #expect(CalibrationComparison.percent(5000, of: 5000) == "100.0 %")
    #expect(CalibrationComparison.percent(0, of: 3) == "0.0 %")
  }
}
