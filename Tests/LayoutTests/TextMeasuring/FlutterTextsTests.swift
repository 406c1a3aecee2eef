import Buffers
import Testing

@testable import TextMeasuring

/// Results of Flutter's engine, SkParagraph in CanvasKit, for texts that the fixture has none of, at size 15.
@Suite struct FlutterTextsTests {
  private static let fonts: [PlatformFont] = [.inter, .cjk, .emoji, .thai, .arabic, .devanagari, .notoSans]

  /// The width and the height of a text.
  private struct Size: Equatable {
    let width: Float
    let height: Double
  }

  /// Measures a text that consists of runs in one style.
  private func measure(
    _ runs: String..., fonts: [PlatformFont] = fonts, lineHeight: Double = .nan, width: Double = 1000,
    _ change: (inout TextOptions) -> Void = { _ in }
  ) throws -> (size: Size, widest: Float) {
    var measurer = TextMeasurer(book: try PlatformFonts(named: [], fallback: fonts).book)
    var options = TextOptions(.flutter)
    change(&options)
    let style = TextStyle(face: 0, size: 15, lineHeight: lineHeight)
    let prepared = withRuns(runs.map { ($0, style) }) { measurer.prepare($0, options) }
    let measured = measurer.measure(prepared, textScale: 1, maxWidth: width, maxHeight: .infinity)
    return (
      Size(width: rounded(measured.width), height: measured.height),
      rounded(measurer.platformLines.map(\.width).max() ?? 0)
    )
  }

  private func rounded(_ width: Double) -> Float { Float((width * 1000).rounded() / 1000) }

  @Test func charactersThatNoFaceShowsKeepTheFaceBeforeThem() throws {
    #expect(try measure("dog,\r\nー").size == Size(width: 46.598, height: 44))
    #expect(try measure("漢字\u{10ffff}漢").size == Size(width: 59.915, height: 22))
  }

  @Test func fillersOfHangulNeedAFace() throws {
    #expect(try measure("\u{3164}").size == Size(width: 13.8, height: 22))
  }

  @Test func emojiFacesHaveGlyphsWithoutBitmaps() throws {
    #expect(try measure("\u{1f9b0}\u{10ffff}").size == Size(width: 37.391, height: 18))
  }

  @Test func lettersAreKernedWithTheDigitOfAKeycap() throws {
    #expect(try measure("A1\u{fe0f}\u{20e3}").size.width == 28.35)
  }

  @Test func runsOfOneStyleAreShapedTogether() throws {
    #expect(try measure("T", "o").size == measure("To").size)
  }

  @Test func theFirstSpaceOfABlankLineHasNoWidth() throws {
    #expect(try measure(" \n").size.width == 0)
    #expect(try measure("  \n").size.width == 4.219)
    #expect(try measure("\n \n") { $0.maximumNumberOfLines = 1 }.size.width == 4.219)
  }

  @Test func lettersOfOtherScriptsJoinInTheFirstFaceOnly() throws {
    #expect(try measure("ن\u{488}ز").size.width == 15.78)
    #expect(try measure("ن\u{488}ز", fonts: [.arabic, .notoSans]).size.width == 9.975)
  }

  @Test func symbolsFromRightToLeftKeepWhatTheFaceOfTheFirstOneHas() throws {
    #expect(try measure("شكرا #\u{fe0f}\u{20e3} جدا").size.width == 65.663)
    #expect(try measure("شكرا ☝🏽 جدا").size.width == 72.338)
    #expect(try measure("شكرا 👍🏽 جدا").size.width == 76.057)
  }

  @Test func linesBeginWithHebrewLettersAfterMarksBetweenThem() throws {
    for mark in ["\t", "-", "|", "\u{2003}", "\u{5be}", "\u{ad}"] {
      let (word, text) = ("שלום", ["שלום", "שלום", "שלום"].joined(separator: mark))
      let room = try Double(measure(word + mark).size.width) + 1
      #expect(try measure(text, lineHeight: 20, width: room).size.height == 60, "\(mark)")
    }
  }

  /// The first face with the carriage return is Noto Sans.
  @Test func ofACarriageReturnWithANewlineTheFirstNeedsAFaceFromRightToLeft() throws {
    let fonts: [PlatformFont] = [.inter, .notoSans, .arabic]
    #expect(try measure("a\r\nb", fonts: fonts) { $0.baseDirection = .rtl }.size.height == 38)
  }

  @Test func truncationTextsRunFromLeftToRight() throws {
    for truncation: StaticString in [" more", "[もっと]", "[a]", "… もっと", "展开…", "…"] {
      func cut(_ direction: BaseDirection) throws -> Float {
        try measure("the quick brown fox", width: 100) { options in
          options.maximumNumberOfLines = 1
          options.truncation = ByteString(truncation)
          options.baseDirection = direction
        }.widest
      }
      #expect(try cut(.rtl) == cut(.ltr), "\(truncation)")
    }
  }

  @Test func truncationTextsAreInOneFace() throws {
    func cut(_ truncation: StaticString) throws -> Float {
      try measure("The quick brown fox", width: 60) { options in
        options.maximumNumberOfLines = 1
        options.truncation = ByteString(truncation)
      }.widest
    }
    #expect(try cut(" [展开]") == 53.131)
    #expect(try cut("もっと見る") == 55.59)
  }

  @Test func namesInKhmerAreCombinedWithShortWords() throws {
    func measured(_ text: String, in width: Double) throws -> (Float, Double) {
      let found = try measure(text, fonts: [.inter, .khmer], width: width)
      return (found.widest, found.size.height)
    }
    #expect(try measured("ខ្ញុំឈ្មោះសុវណ្ណារិទ្ធមកពីភ្នំពេញ", in: 90) == (83.626, 60))
    #expect(try measured("ដើរលេងនៅហ្វាយនែន", in: 60) == (55.905, 60))
    #expect(try measured("ដើរលេងនៅហ្វាយនែន", in: 90) == (64.11, 40))
  }

  @Test func theLineGapIsNoPartOfAStrut() throws {
    func height(_ strut: Double?) throws -> Double {
      try measure("ກ", fonts: [.lao]) { options in
        var value = FlutterStrut()
        (value.height, value.isForced) = (strut, true)
        options.flutter.strut = value
      }.size.height
    }
    #expect(try height(1.5) == 20)
    #expect(try height(nil) == 24)
  }

  @Test func emptyTextsKeepTheLineGap() throws {
    let first = try measure("", fonts: [.lao], lineHeight: 30) { $0.flutter.appliesHeightToFirstAscent = false }
    #expect(first.size.height == 28)
    let last = try measure("", fonts: [.lao]) { $0.flutter.appliesHeightToLastDescent = false }
    #expect(last.size.height == 27)
  }
}
