import CellTemplates
import CellsFiles
import GalleyTestSupport
import LayoutEngine
import Testing

/// Tests of the scaling and the sizes that fonts of a cells file state.
@Suite struct FontScaleTests {
  private func file(_ fonts: String) throws -> CellsFile {
    try CellsFile(text: "version: 1\nfonts: {\(fonts)}\n", path: "/cells.yaml")
  }

  @Test(arguments: [
    ("scaling: andriod", #"fonts.b.scaling: is "andriod""#, #"did you mean "android"?"#),
    ("scaling: 1", "fonts.b.scaling: is a number", "a string"),
    ("sizes: 17", "fonts.b.sizes: is a number", "{L: 17, AX1: 28}"),
    (
      "sizes: {XL: 19}", "fonts.b.sizes.XL: is not a text size of iOS",
      #"(did you mean "xL"?); these are XS, S, M, L, xL"#
    ),
    ("sizes: {AX1: 0}", "fonts.b.sizes.AX1: needs a size in points", "more than 0"),
    ("sizes: {AX1: big}", "fonts.b.sizes.AX1: needs a size in points", "at most 10000"),
  ])
  func aMistakeStatesItsPlaceAndTheRemedy(properties: String, place: String, remedy: String) {
    let error = #expect(throws: CellsFileError.self) { try file("b: {family: Inter, size: 12, \(properties)}") }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains(place) && message.contains(remedy), "\(message)")
  }

  private static let fonts = """
    body: {family: Inter, size: 17, sizes: {L: 17, xL: 19, AX1: 28}}, small: {family: Inter, size: 12, sizes: {AX1: 20}}, \
    label: {family: Inter, size: 11}
    """

  @Test func aFontLacksTheSizesThatOtherFontsState() throws {
    let warnings = try file(Self.fonts).warnings(at: nil)
    #expect(warnings.map(\.path) == ["fonts.small", "fonts.label"])
    #expect(
      warnings.map(\.message) == [
        "has no size at L (12 points), xL (12 points); state it in sizes: {L: …}, unless that of a smaller text size is "
          + "meant",
        "has no size at L (11 points), xL (11 points), AX1 (11 points); state it in sizes: {L: …}, unless that of a "
          + "smaller text size is meant",
      ])
    #expect(warnings[0].line == 2)
  }

  @Test func aFontLacksTheSizesAtWhichRowsAreLaidOut() throws {
    let warnings = try file(Self.fonts).warnings(at: [.large, .accessibility2])
    #expect(warnings.map(\.path) == ["fonts.body", "fonts.small", "fonts.label"])
    #expect(warnings[0].message.hasPrefix("has no size at AX2 (28 points); "))
    #expect(try file("b: {family: Inter, size: 12}").warnings(at: nil) == [])
  }
}
