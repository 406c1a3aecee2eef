import BatchLayout
import Buffers
import CellTemplates
import CellsFiles
import GalleyTestSupport
import LayoutEngine
import TextMeasuring
import Testing

/// Tests of what a cells file states that the texts of devices differ in.
@Suite struct CalibrationTests {
  private func file(_ calibration: String) throws -> CellsFile {
    let text = """
      version: 1
      fonts: {body: {family: Inter, size: 15, lineHeight: 20}, name: {family: Inter, size: 12}}
      calibration: {\(calibration)}
      cells:
        A:
          layout: {type: text, text: "{text}", font: body}

      """
    return try CellsFile(text: text, path: "/cells.yaml")
  }

  @Test(arguments: [
    ("fluter: {}", "calibration.fluter: is not a platform", #"did you mean "flutter"?"#),
    ("flutter: 1", "calibration.flutter: is a number", "{widthTolerance: 0.25}"),
    (
      "flutter: {tolerance: 1}", "calibration.flutter.tolerance: is not a property here",
      "these are widthTolerance, lineHeights"
    ),
    ("flutter: {roundsAdvances: true}", "calibration.flutter.roundsAdvances: is not a property here", "lineHeights"),
    ("web: {linearText: true}", "calibration.web.linearText: is not a property here", "roundsAdvances"),
    ("web: {widthTolerance: 1001}", "calibration.web.widthTolerance: must be from -1000 to 1000 points", ""),
    ("web: {lineHeights: 2}", "calibration.web.lineHeights: is a number", "{body: {factor: 1.1}}"),
    ("web: {lineHeights: {bodi: {}}}", #"calibration.web.lineHeights.bodi: "bodi" is not among the fonts"#, "body"),
    (
      "web: {lineHeights: {body: {factor: 0}}}", "calibration.web.lineHeights.body.factor: must be from 0.01 to 100", ""
    ),
    (
      "web: {lineHeights: {body: {add: 0}}}", "calibration.web.lineHeights.body.add: is not a property",
      "factor, addition"
    ),
  ])
  func aMistakeStatesItsPlaceAndTheRemedy(calibration: String, place: String, remedy: String) {
    let error = #expect(throws: CellsFileError.self) { try file(calibration) }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains(place) && (remedy.isEmpty || message.contains(remedy)), "\(message)")
    #expect(message.hasPrefix("/cells.yaml:3:"), "\(message)")
  }

  @Test func aCalibrationIsReadForItsPlatform() throws {
    let all =
      "android: {linearText: true}, web: {widthTolerance: -0.5, roundsAdvances: true, lineHeights: {name: {factor: 1.5}}}"
    try file(all).withProgram { program in
      #expect(program.calibrations.count == 2 && program.calibrations[.android]?.linearText == true)
      let web = try #require(program.calibrations[.web])
      #expect(web.widthTolerance == -0.5 && web.roundsAdvances && web.linearText == nil)
      #expect(web.lineHeights == [1: LineCalibration(factor: 1.5, addition: 0)])
    }
  }

  /// Returns the heights of a row in variants.
  private func heights(_ calibration: String, _ text: String, _ variants: [Variant]) throws -> [Double] {
    try file(calibration).withProgram { program in
      let layout = try JobLayout(program, variants: variants)
      return Array(#"{"text":"\#(text)"}"#.utf8).withPadding { row in
        variants.indices.map { layout.inspect(row, variant: $0).size.height }
      }
    }
  }

  @Test func onlyTheVariantsOfItsPlatformHaveACalibration() throws {
    let variants = [Platform.texture, .web, .texture, .webkit, .web].map { Variant(width: 100, platform: $0) }
    #expect(try heights("", "Hello", variants) == [20, 20, 20, 20, 20])
    let calibration = "web: {lineHeights: {body: {addition: 2.25}}}"
    #expect(try heights(calibration, "Hello", variants) == [20, 22.25, 20, 20, 22.25])
  }

  @Test func aToleranceMovesTheWidthAtWhichALineBreaks() throws {
    let widths = stride(from: 20.0, to: 120, by: 0.5).map { Variant(width: $0, platform: .flutter) }
    let plain = try heights("", "Hello calibrated world", widths)
    let tolerant = try heights("flutter: {widthTolerance: 1.5}", "Hello calibrated world", widths)
    #expect(plain != tolerant && Array(plain.dropFirst(3)) == tolerant.dropLast(3))
  }

  @Test func roundedAdvancesAreThoseOfEachTextScale() throws {
    let scales = [1, 1.3, 1].map { Variant(width: 60, textScale: $0, platform: .web) }
    let together = try heights("web: {roundsAdvances: true}", "Hello calibrated world", scales)
    let apart = try scales.flatMap { try heights("web: {roundsAdvances: true}", "Hello calibrated world", [$0]) }
    #expect(together == apart)
  }
}
