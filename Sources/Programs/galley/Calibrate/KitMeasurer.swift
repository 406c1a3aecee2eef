import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// A measurer of the texts of a kit, which measures them as the layout does in the kit's variant.
struct KitMeasurer: ~Copyable {
  private let program: CellProgram
  private let variant: Variant
  /// The grid to which the layout rounds the heights of texts up.
  let grid: PixelGrid
  private var measurer: TextMeasurer
  private var arena = ByteArena()
  private var lines = FlatBuffer<TextLine>(capacity: 32)

  /// - Throws: `RunFailure` for a pack whose fonts cannot be used.
  init(_ program: CellProgram, _ variant: Variant) throws {
    self.program = program
    self.variant = variant
    grid = PixelGrid(scale: variant.platform.gridScale ?? variant.scale)
    do { measurer = TextMeasurer(book: try FontBook(program.faces, fallback: program.fallback)) } catch {
      throw RunFailure(message: "font file number \(error.index) of the kit is not a font; make the kit again")
    }
    measurer.recordsLines = true
  }

  /// What the cells file states for the devices of the platform.
  var calibration: DeviceCalibration { program.calibrations[variant.platform] ?? DeviceCalibration() }

  /// Whether the cells file states linear texts for the platform, apart from the calibration.
  var linearText: Bool { program.platforms.options(TextOptions(), for: variant.platform).android.linearText }

  /// Returns texts with what the layout expects of them.
  mutating func expecting(_ texts: [KitText]) -> [KitText] {
    texts.map { text in
      var text = text
      text.expected = size(of: text, calibration)
      text.expected.height = grid.ceil(text.expected.height)
      lines.removeAll()
      measurer.appendLines(of: 0, textScale: text.textScale, truncatedTo: nil, to: &lines)
      text.starts = lines.values.map { Int($0.start) }
      return text
    }
  }

  func number(ofFont name: String) -> Int32? { program.fonts.names.firstIndex(of: name).map { Int32($0) } }

  /// Returns the factor of the size of a text's font beside `textScale`, such as that of Android's scaling.
  func growth(of text: KitText) -> Double {
    number(ofFont: text.font).map { text.size / program.fonts.styles[Int($0)].size } ?? 1
  }

  /// Returns the size of a text on a device with a calibration.
  mutating func size(of text: KitText, _ calibration: DeviceCalibration) -> KitText.Size {
    prepare(text, calibration)
    return size(of: text)
  }

  /// Returns the sizes of texts on a device with a calibration.
  mutating func sizes(of cases: [MeasuredTexts.Case], _ calibration: DeviceCalibration) -> [KitText.Size] {
    var sizes: [KitText.Size] = []
    for each in cases { sizes.append(size(of: each.text, calibration)) }
    return sizes
  }

  /// Prepares a text for `size(of:widthChange:)`.
  mutating func prepare(_ text: KitText, _ calibration: DeviceCalibration) {
    arena.removeAll()
    measurer.removeAll()
    var base = TextOptions()
    base.maximumNumberOfLines = Int32(clamping: text.maxLines)
    base.lineSpacing = text.lineSpacing
    base.whiteSpace = text.preserve ? .preserve : .collapse
    base.breakStrategy = BreakStrategy.allCases.first { "\($0)" == text.breakStrategy }
    arena.append(text.truncation)
    base.truncation = arena.finish()
    var options = program.platforms.options(base, for: variant.platform)
    calibration.apply(to: &options, font: number(ofFont: text.font), growth: growth(of: text))
    let style = TextStyle(
      face: Int32(text.face), size: text.size, lineHeight: text.lineHeight ?? .nan, letterSpacing: text.letterSpacing)
    arena.append(text.text)
    var run = TextRun(text: arena.finish(), style: style)
    withUnsafePointer(to: &run) {
      _ = measurer.prepare(UnsafeBufferPointer(start: $0, count: 1), options, textScale: text.textScale)
    }
  }

  /// Returns the size of the text that was prepared last, in a box that is wider than its own by some points.
  mutating func size(of text: KitText, widthChange: Double = 0) -> KitText.Size {
    let measured = measurer.measure(
      0, textScale: text.textScale, maxWidth: text.width + widthChange, maxHeight: .infinity, pixels: variant.scale)
    return KitText.Size(lines: Int(measured.lines), height: measured.height)
  }

  /// Returns whether a text can be measured: its numbers are those of a text, and its face is one of the program.
  func accepts(_ text: KitText) -> Bool {
    [text.lineHeight ?? 0, text.letterSpacing, text.lineSpacing].allSatisfy { $0.magnitude <= 1e6 }
      && program.faces.indices.contains(text.face) && text.size > 0 && text.size <= 1e6 && text.textScale > 0
      && text.textScale <= Variant.scaleLimit && text.width > 0 && text.width < Variant.widthLimit && text.maxLines >= 0
  }
}
