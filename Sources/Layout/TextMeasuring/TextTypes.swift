import Buffers

/// A font of the cells file at a size: what a text names as its `font`.
public struct TextStyle: BitwiseCopyable, Sendable {
  /// Index of the face among the fonts of the program.
  public var face: Int32
  /// Points an em, before text scaling.
  public var size: Double
  /// Points a line, before text scaling; NaN is `normal`: what the fonts of the line ask for.
  public var lineHeight: Double
  /// Points added after each cluster.
  public var letterSpacing: Double

  public init(face: Int32, size: Double, lineHeight: Double = .nan, letterSpacing: Double = 0) {
    self.face = face
    self.size = size
    self.lineHeight = lineHeight
    self.letterSpacing = letterSpacing
  }
}

/// A run of text in one style.
public struct TextRun: BitwiseCopyable {
  public var text: ByteString
  public var style: TextStyle

  public init(text: ByteString, style: TextStyle) {
    self.text = text
    self.style = style
  }
}

public enum WhiteSpace: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// Spaces and newlines stay (CSS `pre-wrap`); spaces at a line's end hang.
  case preserve
  /// Runs of spaces, tabs and newlines become one space (CSS `normal`).
  case collapse
}

/// What holds for a text as a whole.
public struct TextOptions: BitwiseCopyable {
  /// 0: as many as there are.
  public var maximumNumberOfLines: Int32 = 0
  /// Put at the end of the last line when the text is cut.
  public var truncation = ByteString("\u{2026}")
  /// Points between lines.
  public var lineSpacing = 0.0
  public var whiteSpace = WhiteSpace.preserve

  public init() {}
}
