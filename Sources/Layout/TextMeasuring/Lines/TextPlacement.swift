import LayoutEngine

/// The position of a text's lines in its frame, the rectangles beside them, and the smaller fonts in which they are tried if
/// they do not fit.
public struct TextPlacement: BitwiseCopyable, Equatable, Sendable {
  /// The distances between the frame and the lines, in points. Texture: `textContainerInset`.
  public var insets: EdgeInsets { didSet { hasInsets = insets != EdgeInsets() } }
  /// The side of the frame at which lines are.
  public var alignment = TextAlignment.start
  /// The factors that are tried.
  public var pointSizeScaleFactors = PointSizeScaleFactors()
  /// The rectangles beside which lines are shorter.
  public var exclusionPaths = ExclusionPaths()
  /// Whether any of the insets is not 0.
  public private(set) var hasInsets: Bool

  /// Creates the placement of lines at the start of their frame, but for insets.
  public init(insets: EdgeInsets = EdgeInsets()) {
    self.insets = insets
    hasInsets = insets != EdgeInsets()
  }

  /// Whether lines are at the start of their frame, in no smaller fonts and beside no rectangles.
  @inline(__always)
  public var isPlain: Bool {
    !hasInsets && alignment == .start && pointSizeScaleFactors.isEmpty && exclusionPaths.isEmpty
  }

  /// Whether the size of a text differs from that of its lines as they are without a placement.
  @inline(__always)
  public var changesRoom: Bool { hasInsets || !pointSizeScaleFactors.isEmpty || !exclusionPaths.isEmpty }

  /// Returns the room of the lines in a room of the text, in points.
  public func inner(_ room: Size) -> Size {
    guard hasInsets else { return room }
    return Size(
      max(0, room.width - (insets.left + insets.right)), max(0, room.height - (insets.top + insets.bottom)))
  }

  /// Returns the size of a text from that of its lines, in points.
  public func outer(_ size: Size) -> Size {
    Size(size.width + insets.left + insets.right, size.height + insets.top + insets.bottom)
  }

  /// Returns the distance of a line from the left side of its frame, in points.
  ///
  /// - Parameters:
  ///   - width: the width of the line.
  ///   - frame: the width of the frame.
  ///   - indent: the distance of the line from the side at which its paragraph begins.
  ///   - exclusion: what rectangles exclude of the line.
  ///   - paragraphs: the indents of the text.
  ///   - isRightToLeft: whether the paragraph of the line runs from right to left.
  public func x(
    ofLine width: Double, inFrame frame: Double, indent: Double, _ exclusion: LineExclusion,
    _ paragraphs: ParagraphStyle,
    isRightToLeft: Bool
  ) -> Double {
    let room = frame - insets.left - insets.right - exclusion.width
    let end = paragraphs.tailIndent == 0 ? room : paragraphs.end(in: room)
    let spare = max(0, end - indent - width)
    let left = insets.left + Double(exclusion.left) + (isRightToLeft ? room - end : indent)
    switch alignment {
    case .start, .justified: return left + (isRightToLeft ? spare : 0)
    case .center: return left + spare / 2
    case .end: return left + (isRightToLeft ? 0 : spare)
    }
  }
}

/// The side of a text's frame at which its lines are. CSS: `text-align`.
public enum TextAlignment: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  /// At the left for a paragraph from left to right, and at the right for one from right to left.
  case start
  /// In the middle.
  case center
  /// At the other side than `start`.
  case end
  /// At both sides, but for the last line of each paragraph, which is at the start.
  case justified
}
