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
  /// Returns the characters of a line with their faces and styles. Neighbors that are set in the same way are one part.
  ///
  /// - Parameter levels: the embedding level of each unit of the text, or nil for the truncation string.
  func runs(of line: LineDrawing, _ levels: [UInt8]?) -> [LineRun] {
    var runs: [LineRun] = []
    for (item, units) in stretches(of: line, levels) {
      let (style, level) = (item.style, levels?[units.lowerBound])
      let size = style.size * line.textScale
      func append(_ text: String, _ face: Int32) {
        if let last = runs.last, last.attachmentWidth == nil, last.face == face, last.size == size,
          last.letterSpacing == style.letterSpacing, last.level == level
        {
          runs[runs.count - 1].text += text
        } else {
          runs.append(LineRun(text: text, face: face, size: size, letterSpacing: style.letterSpacing, level: level))
        }
      }
      if let attachment = style.attachment {
        runs.append(
          LineRun(
            text: "", face: style.face, size: size, letterSpacing: 0, level: level,
            attachmentWidth: attachment.width * line.textScale))
        continue
      }
      let characters = UnsafeBufferPointer(
        start: store.prepared.units.base + line.text.unitStart + units.lowerBound, count: units.count)
      append(String(decoding: characters, as: UTF16.self), item.context.face)
      if line.isHyphenated && units.upperBound == line.range.upperBound {
        append(Unicode.Scalar(store.book.faces[Int(style.face)].hyphen).map { String($0) } ?? "-", style.face)
      }
    }
    return runs
  }
}
