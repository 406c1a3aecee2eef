import CellTemplates
import LayoutEngine
import TextMeasuring

/// A laid out cell with everything that can be shown of it. If its layout failed, the inspection has the results up to
/// the failure. For a row that could not be read it has only the error.
public struct CellInspection {
  /// A node of the cell.
  public struct Node {
    public let name: String
    public let type: String
    /// The index of the node that contains this one, or -1.
    public let parent: Int
    /// The frame in the cell's coordinates, in points.
    public let frame: Rect
    /// The lines of a text. Their number is that in the frame table.
    public let lines: [TextLine]
    public let isTruncated: Bool
  }

  /// A line of a text, without the spaces at its end.
  public struct TextLine {
    /// The left end of the line and the top of the text in the cell's coordinates, in points.
    public let origin: Point
    /// The glyphs of the line.
    public let drawing: GlyphLine

    /// The characters of the text that the line shows, without its hyphen and the truncation string.
    public var text: String { drawing.text }
  }

  /// The variant in which the cell was laid out.
  public let variant: Variant
  /// The row's `id`, or empty.
  public let id: String
  /// The row's cell class, or empty for an inline layout.
  public let cell: String
  public let size: Size
  public let nodes: [Node]
  /// The layout spec, drawn as Texture draws it.
  public let asciiArt: String
  /// One line for every element with its constrained size and its result, followed by lines with its problems.
  public let tree: [TreeLine]
  /// The findings about what does not fit, in the order of the elements.
  public let overflow: [OverflowFinding]
  /// The error of a row that is bad in the tables.
  public let error: CellError?
  /// The pictures of all glyphs in the texts' lines.
  public let glyphs: [GlyphKey: GlyphPicture]

  /// Whether the inspection has only an error.
  public var isUnknown: Bool { tree.isEmpty }

  /// A line of the tree.
  public struct TreeLine: Equatable {
    public let text: String
    /// Whether the line is a problem: something that does not fit, or the row's error.
    public let isProblem: Bool
    /// The index of the node that the line is about; nil for a spec and for a problem.
    public var node: Int?
  }
}
