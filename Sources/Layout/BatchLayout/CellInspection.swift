import CellTemplates
import LayoutEngine
import TextMeasuring

/// One laid out cell with all that can be shown of it. If its layout failed, it holds what is known nevertheless: of a
/// row that could not be read nothing but the error.
public struct CellInspection {
  /// A node of the cell.
  public struct Node {
    public let name: String
    public let type: String
    /// Index of the node that contains it, or -1.
    public let parent: Int
    /// In the cell's coordinates, in points.
    public let frame: Rect
    /// The lines of a text, as many as the frame table counts.
    public let lines: [TextLine]
    public let isTruncated: Bool
  }

  /// A line of a text, without the spaces that hang at its end.
  public struct TextLine {
    public let text: String
    /// The width that was measured, in points.
    public let width: Double
    /// The line as it is drawn.
    public let drawing: GlyphLine
  }

  /// The variant that it was laid out in.
  public let variant: Variant
  /// The row's `id`, or empty.
  public let id: String
  /// The row's cell class, empty for an inline layout.
  public let cell: String
  public let size: Size
  public let nodes: [Node]
  /// Texture's box drawing of the layout spec.
  public let asciiArt: String
  /// Every element with what it was asked and what came of it, a line each, followed by what is wrong with it.
  public let tree: [TreeLine]
  /// What does not fit, in the order of the elements.
  public let overflow: [OverflowFinding]
  /// Why the row is bad in the tables, if it is.
  public let error: CellError?
  /// The pictures of all glyphs in the texts' lines.
  public let glyphs: [GlyphKey: GlyphPicture]

  /// Whether nothing is known but the error.
  public var isUnknown: Bool { tree.isEmpty }

  /// A line of the tree.
  public struct TreeLine: Equatable {
    public let text: String
    /// Whether it says what does not fit or why the row is bad.
    public let isProblem: Bool
  }
}
