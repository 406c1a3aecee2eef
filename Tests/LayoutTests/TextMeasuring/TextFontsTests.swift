import GalleyTestSupport
import LayoutEngine
import Testing
@testable import TextMeasuring

/// The texts of cells written in Swift, measured with font files.
@Suite struct TextFontsTests {
  private func fonts() throws -> TextFonts {
    try TextFonts(
      ["body": .init(file: DebianFonts.path("Inter-Regular.otf"), size: 15, lineHeight: 20)],
      fallback: [DebianFonts.path("NotoSansArabic-Regular.ttf")])
  }

  private func height(_ text: String, width: Double, textScale: Double = 1, lines: Int = 0) throws -> Size {
    let layout = CellLayout(scale: 2, textScale: textScale, fonts: try fonts())
    return try layout.layout(
      TextNode("t", text, font: "body", maximumNumberOfLines: lines),
      thatFits: SizeRange(min: .zero, max: Size(width, .infinity)))
  }

  @Test func textsAreMeasuredWithTheirFonts() throws {
    #expect(try height("hello", width: 300) == Size(34, 20))
    #expect(try height("hello hello hello", width: 50).height == 60)
    #expect(try height("hello hello hello", width: 50, lines: 2).height == 40)
    #expect(try height("hello", width: 300, textScale: 2).height == 40)
    #expect(try height("\u{645}\u{631}\u{62d}\u{628}\u{627}", width: 300).height == 20)
  }

  @Test func linesAreShorterBesideRectangles() throws {
    func height(_ paths: [ExclusionPath]) throws -> Double {
      let text = TextNode("t", "hello hello hello hello", font: "body")
      text.exclusionPaths = paths
      return try CellLayout(scale: 2, fonts: try fonts()).layout(
        text, thatFits: SizeRange(min: .zero, max: Size(80, .infinity))
      ).height
    }
    #expect(try height([]) == 40)
    #expect(try height([ExclusionPath(side: .left, y: 0, width: 40, height: 30)]) == 60)
    #expect(try height([ExclusionPath(side: .right, y: 0, width: 40, height: 90)]) == 80)
  }

  @Test func anUnknownFontIsAnErrorOfTheCell() throws {
    let layout = CellLayout(scale: 2, fonts: try fonts())
    let error = #expect(throws: SpecError.self) {
      try layout.layout(TextNode("t", "x", font: "bold"), thatFits: SizeRange(width: 100))
    }
    #expect(error?.message.contains("\"bold\"") == true)
  }

  @Test func aFileThatIsNotAFontIsAnError() {
    #expect(throws: FontFileError(path: "/no/font.otf", reason: "cannot be read: No such file or directory")) {
      try TextFonts(["body": .init(file: "/no/font.otf", size: 12)])
    }
    #expect(throws: FontFileError.self) { try TextFonts(["body": .init(file: #filePath, size: 12)]) }
    #expect(throws: FontFileError(path: "/", reason: "is not a regular file")) {
      try TextFonts(["body": .init(file: "/", size: 12)])
    }
  }

  /// Files of the kernel state the size of a page, and have fewer bytes.
  @Test func aFileThatEndsBeforeItsSizeIsAnError() {
    let path = "/sys/devices/system/cpu/online"
    let reason = "ends before its size; try again when it is not being written"
    #expect(throws: FontFileError(path: path, reason: reason)) { try TextFonts(["body": .init(file: path, size: 12)]) }
  }

  @Test func tooManyFontsAreAnError() throws {
    let path = try DebianFonts.path("Inter-Regular.otf")
    #expect(throws: FontFileError(path: path, reason: "is one font too many; there are at most 250")) {
      try TextFonts([:], fallback: Array(repeating: path, count: 251))
    }
  }
}
