import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// A text of a cell as it was measured in a variant.
public struct MeasuredText {
  /// A run of a text.
  public struct Run {
    public let text: String
    /// The name of the font among those of the cells file.
    public let font: String
    /// The style before text scaling.
    public let style: TextStyle
  }

  /// The characters as they are drawn, after binding and collapsing of white space.
  public let runs: [Run]
  public let options: TextOptions
  /// The string that ends a text that is cut.
  public let truncation: String
  /// The width of the box, in points.
  public let width: Double
  /// The factor of font sizes and line heights.
  public let textScale: Double
  /// Whether rectangles are beside its lines, which the measurement does not have.
  public let hasExclusionPaths: Bool
  /// The measurement in a box of any height.
  public let measurement: TextMeasurement
}

extension JobLayout {
  /// Lays out one row in a variant with lines, and returns its texts that have a frame and a bounded width.
  /// `JSONParser.padding` bytes behind `row` must be readable.
  ///
  /// - Throws: `CellError` for a row that is bad in the tables.
  public func measuredTexts(of row: ByteString, variant: Int) throws(CellError) -> [MeasuredText] {
    try read(row)
    let range = constrainedSize(of: variant)
    try bind(range)
    _ = try layoutFrames(variant, range)
    var texts: [MeasuredText] = []
    var bytes = state.lines.bytes.values
    var runs = state.lines.runs.values
    for text in state.lines.texts.values {
      let drawn = Array(String(decoding: bytes.prefix(Int(text.length)), as: UTF8.self).utf16)
      let ends = runs.prefix(Int(text.runCount)).map { Int($0.end) }
      bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst(Int(text.length + text.truncationLength)))
      runs = UnsafeBufferPointer(rebasing: runs.dropFirst(Int(text.runCount)))
      let frame = state.frames[Int(text.frame) + 1]
      let number = binder.textNumber(of: frame.element)
      let placement = binder.placement(ofText: number).pointee
      if let measured = measuredText(number, placement, room(of: frame, variant), drawn, ends) {
        texts.append(measured)
      }
    }
    return texts
  }

  private func measuredText(
    _ number: Int, _ placement: TextPlacement, _ room: Size, _ drawn: [UInt16], _ ends: [Int]
  ) -> MeasuredText? {
    let width = placement.inner(room).width
    guard width.isFinite, width > 0 else { return nil }
    let options = options(ofText: number)
    let names = program.fonts.names
    var start = 0
    let runs = zip(runs(ofText: number), zip(binder.runs(ofText: number), ends)).map { scaled, bound in
      let end = min(max(bound.1, start), drawn.count)
      defer { start = end }
      let font = Int(bound.0.font)
      return MeasuredText.Run(
        text: String(decoding: drawn[start..<end], as: UTF16.self),
        font: names.indices.contains(font) ? names[font] : "",
        style: scaled.style)
    }
    let measurement = state.measurer.measure(
      Int(state.preparedTexts[number]), textScale: textScale(ofText: number), maxWidth: width, maxHeight: .infinity,
      pixels: state.pixels)
    return MeasuredText(
      runs: runs, options: options, truncation: options.truncation.string, width: width,
      textScale: textScale(ofText: number), hasExclusionPaths: !placement.exclusionPaths.isEmpty,
      measurement: measurement)
  }
}
