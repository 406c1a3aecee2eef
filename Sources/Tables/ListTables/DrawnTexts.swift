/// A text as it is drawn.
public struct DrawnText: Equatable, Sendable {
  /// The name of the text's node.
  public let node: String
  /// The characters, to which the offsets of lines refer.
  public let text: String
  /// The string that follows a line that is cut.
  public let truncation: String
  public let runs: [Run]
  public let lines: [TextLine]
  /// The links, mentions and attachments, a rectangle for each line that they are in.
  public let spans: [Span]
  /// The factor of the sizes of its fonts.
  public let pointSizeScaleFactor: Float

  /// A part of a text in one font. The offsets are in UTF-16.
  public struct Run: Equatable, Sendable {
    public let start, end: Int
    /// The name of the font in the cells file.
    public let font: String
  }

  /// A part of a run in a line that has a URL, a kind or an attachment. Lengths are in points, positions those in the text.
  public struct Span: Equatable, Sendable {
    public let line, start, end: Int
    public let x, y, width, height: Float
    /// The URL and the kind of the run, or empty strings.
    public let url, kind: String
  }

  /// Returns the characters of a line, with its hyphen or the truncation string.
  public func characters(of line: TextLine) -> String {
    let units = text.utf16
    guard let start = units.index(units.startIndex, offsetBy: line.start, limitedBy: units.endIndex),
      let end = units.index(units.startIndex, offsetBy: line.end, limitedBy: units.endIndex), start <= end
    else { return "" }
    return String(decoding: Array(units[start..<end]), as: UTF16.self)
      + (line.hasHyphen ? "\u{2010}" : line.hasEllipsis ? truncation : "")
  }
}

// Strings are equal if they differ only in the composition of accents, but texts are drawn again then, and URLs are others.

extension DrawnText {
  public static func == (a: DrawnText, b: DrawnText) -> Bool {
    a.strings == b.strings && a.runs == b.runs && a.lines == b.lines && a.spans == b.spans
      && a.pointSizeScaleFactor == b.pointSizeScaleFactor
  }

  private var strings: [UTF8Key] { [node, text, truncation].map(UTF8Key.init) }
}

extension DrawnText.Run {
  public static func == (a: Self, b: Self) -> Bool {
    (a.start, a.end, UTF8Key(a.font)) == (b.start, b.end, UTF8Key(b.font))
  }
}

extension DrawnText.Span {
  public static func == (a: Self, b: Self) -> Bool {
    (a.line, a.start, a.end) == (b.line, b.start, b.end)
      && (a.x, a.y, a.width, a.height) == (b.x, b.y, b.width, b.height)
      && (UTF8Key(a.url), UTF8Key(a.kind)) == (UTF8Key(b.url), UTF8Key(b.kind))
  }
}
