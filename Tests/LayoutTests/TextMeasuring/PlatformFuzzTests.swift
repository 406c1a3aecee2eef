import Buffers
import GalleyTestSupport
import LayoutEngine
import SeededRandom
import Testing

@testable import TextMeasuring

/// Properties that hold on Android, React Native, Compose and Flutter for random texts, options and boxes.
@Suite struct PlatformFuzzTests {
  private static let widths: [Double] = [0, -1, .nan, .infinity, 1e-300, 1e300, 7, 40, 133.3, 240, 390]
  private static let platforms: [Platform] = [.android, .reactNative, .compose, .flutter]

  @Test func linesContainTheWholeTextInAnyBox() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 20_261_124)
    for number in 0..<120 {
      let text = random.text(length: random.below(60))
      let platform = Self.platforms[number % Self.platforms.count]
      let options = random.platformTexts().options(random.options(), for: platform)
      let style = random.style()
      let prepared = measurer.prepareOnly(text, style, options)
      for width in Self.widths {
        let pixels = [1, 2.625, 3][random.below(3)]
        let scale = [1, 1.3][random.below(2)]
        let measured = measurer.measure(
          prepared, textScale: scale, maxWidth: width, maxHeight: .infinity, pixels: pixels)
        measurer.checkLines(measured, prepared, "text \(number) on \(platform.name) in \(width)")
        // Measuring a text again has the same result.
        #expect(
          measurer.measure(prepared, textScale: scale, maxWidth: width, maxHeight: .infinity, pixels: pixels)
            == measured, "text \(number) on \(platform.name) in \(width)")
      }
    }
  }

  @Test(arguments: [0, 1e-300, 1e-5, 1e5, 1e30, 1e300])
  func sizesOfAnyMagnitudeAreMeasured(size: Double) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    for platform in Self.platforms {
      for spacing in [0, -1e30, 1e30] {
        let style = TextStyle(face: 0, size: size, lineHeight: 20, letterSpacing: spacing)
        var options = TextOptions(platform)
        options.maximumNumberOfLines = 2
        let prepared = measurer.prepareOnly("AVA fi 😀 https://a.b/c\nשלום a", style, options)
        for width in Self.widths {
          _ = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity, pixels: 3)
        }
      }
    }
  }

  /// The runs need a fallback face, so that their styles differ in nothing else.
  @Test(arguments: [Platform.android, .reactNative, .compose, .flutter])
  func theHeightOfALineHasTheMetricsOfAllStyles(platform: Platform) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    func height(_ faces: [Int32]) -> Double {
      measurer.removeAll()
      let runs = faces.map { ("漢", TextStyle(face: $0, size: 15)) }
      let prepared = withRuns(runs) { measurer.prepare($0, TextOptions(platform)) }
      return measurer.measure(prepared, textScale: 1, maxWidth: 200, maxHeight: .infinity, pixels: 2).height
    }
    for first in 0..<4 as Range<Int32> {
      for second in 0..<4 as Range<Int32> {
        #expect(height([first, second]) == height([second, first]), "\(first) \(second)")
      }
    }
  }

  /// A text in several styles is cut in the style of the run that its last line ends in.
  @Test(arguments: [Platform.android, .flutter])
  func theWidthOfALineThatIsCutFitsTheBox(platform: Platform) throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var random = SplitMix(seed: 31)
    var cuts = 0
    for _ in 0..<300 {
      var options = TextOptions(platform)
      options.maximumNumberOfLines = 1 + Int32(random.below(3))
      let prepared = measurer.prepareOnly(
        random.text(length: 40 + random.below(60)), TextStyle(face: 0, size: 15), options)
      let measured = measurer.measure(prepared, textScale: 1, maxWidth: 133, maxHeight: .infinity)
      guard let last = measurer.platformLines.last, last.showsEllipsis else { continue }
      cuts += 1
      #expect(measured.isTruncated && last.width <= 133.01)
      #expect(last.shownEnd < measurer.store.prepared.texts[prepared].unitCount)
    }
    #expect(cuts > 100)
  }

  /// Android takes the direction of each paragraph from its first strong character; Flutter's texts run from left to right.
  @Test func linesHaveTheDirectionOfTheirParagraphs() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    for (platform, expected) in [(Platform.android, [false, true, false]), (.flutter, [false, false, false])] {
      let prepared = measurer.prepareOnly(
        "a ש\nש a\n", TextStyle(face: 0, size: 15), TextOptions(platform))
      _ = measurer.measure(prepared, textScale: 1, maxWidth: 300, maxHeight: .infinity)
      #expect(measurer.platformLines.map(\.isRightToLeft) == expected)
    }
  }

  /// Elegant text height has the same metrics for every font: 2500, 1900, 500 and 1000 of 2048 units.
  @Test func elegantTextHeightDoesNotDependOnTheFont() throws {
    var measurer = TextMeasurer(book: try ChromiumFonts().book)
    var texts = PlatformTexts()
    texts.android.elegantTextHeight = true
    for face in 0..<4 as Range<Int32> {
      let prepared = measurer.prepareOnly("a\nb", TextStyle(face: face, size: 16), TextOptions(.android, texts))
      let measured = measurer.measure(prepared, textScale: 1, maxWidth: 300, maxHeight: .infinity)
      // The first line reaches from -20 to 4, and the second from -15 to 8.
      #expect(measured.height == 47)
      #expect(measured.ascender == 20)
    }
  }
}

extension TextMeasurer {
  /// Checks that the lines of the last measurement follow each other, and end with the text unless it is cut.
  fileprivate func checkLines(_ measured: TextMeasurement, _ text: Int, _ comment: Comment) {
    let count = store.prepared.texts[text].unitCount
    #expect(measured.width.isFinite && measured.height.isFinite, comment)
    #expect(Int(measured.lines) == platformLines.count, comment)
    var end = 0
    for line in platformLines {
      #expect(Int(line.start) == end && line.start <= line.shownEnd && line.shownEnd <= line.end, comment)
      #expect(line.width.isFinite && line.above.isFinite && line.below.isFinite, comment)
      end = Int(line.end)
    }
    #expect(measured.isTruncated || platformLines.isEmpty || end == count, comment)
  }
}

extension SplitMix {
  /// Returns random properties of platforms.
  fileprivate mutating func platformTexts() -> PlatformTexts {
    var texts = PlatformTexts()
    texts.android.breakStrategy = BreakStrategy.allCases[below(3)]
    texts.android.linearText = below(2) == 0
    texts.android.fontPadding = below(2) == 0
    texts.android.fallbackLineSpacing = below(2) == 0
    texts.android.elegantTextHeight = below(4) == 0
    texts.android.lineSpacingMultiplier = [1, 1.2, 0.5][below(3)]
    texts.reactNative = texts.android
    texts.compose = texts.android
    texts.compose.lineHeightAlignment = LineHeightAlignment.allCases[below(4)]
    texts.compose.lineHeightTrim = LineHeightTrim.allCases[below(4)]
    texts.flutter.leadingDistribution = below(2) == 0 ? .even : .proportional
    texts.flutter.appliesHeightToFirstAscent = below(2) == 0
    texts.flutter.appliesHeightToLastDescent = below(2) == 0
    if below(3) == 0 {
      var strut = FlutterStrut()
      strut.height = below(2) == 0 ? 1.5 : nil
      strut.isForced = below(2) == 0
      texts.flutter.strut = strut
    }
    return texts
  }

  fileprivate mutating func style() -> TextStyle {
    TextStyle(
      face: Int32(below(4)), size: [9.5, 15, 40][below(3)], lineHeight: below(2) == 0 ? .nan : 20,
      letterSpacing: [0, 0, 1.5, -0.5][below(4)])
  }
}
