import Buffers

/// A part of a line in one face, style and direction, or an attachment.
public struct LineRun: Equatable, Sendable {
  /// The characters, with the hyphen or the truncation string that the line shows. An attachment has none.
  public var text: String
  /// The index of the face in the font book, which is a fallback face for characters that the face of the style lacks.
  public let face: Int32
  /// The size of the font in points, with text scaling.
  public let size: Double
  /// The space that is added after each cluster, in points.
  public let letterSpacing: Double
  /// The embedding level of the characters (UAX #9), or nil for the truncation string, which has levels of its own.
  public let level: UInt8?
  /// The width of an attachment in points, or nil for characters.
  public var attachmentWidth: Double?
}

extension TextMeasurer {
  /// Returns the characters of a line with their faces and styles.
  ///
  /// - Parameters:
  ///   - levels: the embedding level of each unit of the text, or nil for the truncation string.
  ///   - hyphen: whether the line ends with a hyphen that is not a character of the text.
  func runs(of line: LineDrawing, _ levels: [UInt8]?, hyphen: Bool = false) -> [LineRun] {
    var runs: [LineRun] = []
    for index in items(of: line) {
      let item = store.prepared.items[index]
      let (start, end) = (max(Int(item.start), line.range.lowerBound), min(Int(item.end), line.range.upperBound))
      guard start < end else { continue }
      let size = item.style.size * line.textScale
      if let attachment = item.style.attachment {
        runs.append(
          LineRun(
            text: "", face: item.style.face, size: size, letterSpacing: 0, level: levels?[start],
            attachmentWidth: attachment.width * line.textScale))
        continue
      }
      var unit = start
      while unit < end {
        var next = unit + 1
        while next < end && levels?[next] == levels?[unit] { next += 1 }
        let units = UnsafeBufferPointer(
          start: store.prepared.units.base + line.text.unitStart + unit, count: next - unit)
        let run = LineRun(
          text: String(decoding: units, as: UTF16.self), face: item.context.face, size: size,
          letterSpacing: item.style.letterSpacing, level: levels?[unit])
        Self.append(run, to: &runs)
        unit = next
      }
      guard hyphen && end == line.range.upperBound else { continue }
      let character = Unicode.Scalar(store.book.faces[Int(item.style.face)].hyphen) ?? "-"
      let run = LineRun(
        text: String(character), face: item.style.face, size: size, letterSpacing: item.style.letterSpacing,
        level: levels?[end - 1])
      Self.append(run, to: &runs)
    }
    return runs
  }

  /// Appends characters to the last part of a line if they are set in the same way, or as a new part.
  private static func append(_ run: LineRun, to runs: inout [LineRun]) {
    if let last = runs.last, last.attachmentWidth == nil, last.face == run.face, last.size == run.size,
      last.letterSpacing == run.letterSpacing, last.level == run.level
    {
      runs[runs.count - 1].text += run.text
    } else {
      runs.append(run)
    }
  }
}
