import BatchLayout
import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// A text of a kit: what a device needs to measure it, and what the layout expects.
struct KitText: Codable, Equatable {
  /// What the layout expects of a text, or what a device has measured.
  struct Size: Codable, Equatable {
    var lines: Int
    /// The height of all lines in points.
    var height: Double
  }

  /// The number by which `measured.jsonl` refers to the text, from 1.
  var id = 0
  /// The characters as they are drawn, after binding and collapsing of white space.
  var text: String
  /// The name of the font in the cells file.
  var font: String
  /// The index of its face in `kit.json`.
  var face: Int
  /// The size of the font, in points before text scaling.
  var size: Double
  /// The stated height of a line, in points before text scaling; nil for the height that the fonts have.
  var lineHeight: Double?
  var letterSpacing: Double
  /// The factor of `size` and `lineHeight`, and on Android of `letterSpacing`.
  var textScale: Double
  /// The width of the box, in points.
  var width: Double
  /// The most lines that are shown; 0 is without a limit.
  var maxLines: Int
  /// The string that ends a text that is cut.
  var truncation: String
  /// The points between two lines.
  var lineSpacing: Double
  /// Whether white space is preserved, as CSS `pre-wrap` does.
  var preserve: Bool
  /// The strategy that the text has on Android.
  var breakStrategy: String?
  /// The script of most of its letters.
  var script: String
  /// The points by which its width can change without another number of lines; nil if it is not known.
  var margin: Double?
  var expected: Size
  /// The offset at which each line starts, in UTF-16.
  var starts: [Int] = []

  /// The classes of a text, by which samples are drawn and differences are counted.
  var classes: [(kind: String, name: String)] {
    [
      ("script", script), ("lines", lineClass), ("font", font),
      ("size", shortText(RangeFit.rounded(size * textScale, 3))),
    ]
  }

  /// The class of the number of lines: 1, 2, 3-4, 5-8 or 9 and more.
  var lineClass: String {
    switch expected.lines {
    case ...1: "1"
    case 2: "2"
    case 3...4: "3-4"
    case 5...8: "5-8"
    default: "9+"
    }
  }
}

extension KitText {
  /// The name in cells files of a property of a text that the programs for devices do not set, or nil if there is none.
  static func unknownProperty(of measured: MeasuredText, _ faces: [ProgramArchive.Face]) -> String? {
    if let property = measured.options.css.statedProperty { return property }
    if !measured.options.paragraphs.isPlain { return "paragraph indents and spacing" }
    if measured.hasExclusionPaths { return "exclusionPaths" }
    if measured.options.lineSpacing != 0 && !measuresLineSpacingAsLaidOut(measured) { return "lineSpacing" }
    return measured.runs.contains { !faces[Int($0.style.face)].features.isEmpty } ? "fontFeatures" : nil
  }

  /// Returns whether the program of a platform measures a text with the spacing of lines that the layout has.
  private static func measuresLineSpacingAsLaidOut(_ measured: MeasuredText) -> Bool {
    switch measured.options.platform {
    case .texture, .android: true
    // A page adds it to the line height.
    case .web, .webkit, .firefox: measured.runs.allSatisfy { !$0.style.lineHeight.isNaN }
    case .reactNative, .compose, .flutter: false
    }
  }

  /// Creates a text without an id, or returns nil for a text in several fonts and for an empty one.
  init?(_ measured: MeasuredText) {
    guard let first = measured.runs.first, measured.runs.allSatisfy({ Self.areAlike($0, first) })
    else { return nil }
    let text = measured.runs.map(\.text).joined()
    guard !text.isEmpty, !first.font.isEmpty else { return nil }
    let (options, style) = (measured.options, first.style)
    self.init(
      text: text, font: first.font, face: Int(style.face), size: style.size,
      lineHeight: style.lineHeight.isNaN ? nil : style.lineHeight, letterSpacing: style.letterSpacing,
      textScale: measured.textScale, width: measured.width, maxLines: Int(options.maximumNumberOfLines),
      truncation: measured.truncation, lineSpacing: options.lineSpacing, preserve: options.whiteSpace == .preserve,
      breakStrategy: options.platform.isAndroid ? "\(options.android.breakStrategy)" : nil,
      script: KitScript(text).name, margin: Self.margin(measured.measurement.margins),
      expected: Size(lines: Int(measured.measurement.lines), height: measured.measurement.height))
  }

  private static func areAlike(_ run: MeasuredText.Run, _ other: MeasuredText.Run) -> Bool {
    let (a, b) = (run.style, other.style)
    let haveSameHeight = a.lineHeight == b.lineHeight || (a.lineHeight.isNaN && b.lineHeight.isNaN)
    return run.font == other.font && a.size == b.size && a.letterSpacing == b.letterSpacing && haveSameHeight
  }

  private static func margin(_ margins: TextMargins?) -> Double? {
    guard let margins else { return nil }
    let least = min(margins.narrower, margins.wider)
    return least.isFinite ? max(0, least) : nil
  }
}
