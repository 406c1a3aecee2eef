/// The rules by which the cells of a list are arranged in columns. Lengths are points.
///
/// A section is the cells between two headers, or between a header and an end of the list. It is arranged as a section
/// of `UICollectionViewFlowLayout`: the insets are around its cells, and headers are outside of the insets. A section
/// without cells has no insets.
///
///     ┌────────────────────────────┐
///     │ header                     │   as wide as the list
///     ├────────────────────────────┤
///     │            top             │
///     │      ┌─────┐  ┌─────┐      │
///     │      │ 0   │  │ 1   │      │   spacing is between two columns,
///     │ left └─────┘  │     │ right│   lineSpacing between two cells of a column
///     │               └─────┘      │   or between two lines of a grid
///     │      ┌─────┐  ┌─────┐      │
///     │      │ 2   │  │ 3   │      │
///     │      └─────┘  └─────┘      │
///     │           bottom           │
///     ├────────────────────────────┤
///     │ header                     │
///     └────────────────────────────┘
///
/// Content margins, such as the safe area, are around all of this.
public struct ArrangementRules: Equatable, Sendable {
  /// How cells are assigned to columns.
  public enum Flow: String, Sendable {
    /// The cells fill lines. Each line is as high as its highest cell, and its cells begin at its top.
    case grid
    /// Each cell is assigned to the column that is shortest so far, the leftmost of equals.
    case waterfall
    /// Cells of unequal widths fill lines from the left, as in a stack that wraps.
    case wrap
    /// As `wrap`, but the spaces between the cells of a line are widened so that the line is filled.
    case justifiedWrap

    /// Whether the cells have widths of their own, instead of that of a column.
    var isWrapped: Bool { self == .wrap || self == .justifiedWrap }
  }

  /// The largest number of columns.
  public static let maxColumns = 1024
  /// The limit below which spacings and insets must be.
  public static let lengthLimit = 10_000_000.0

  /// The difference of two widths in points up to which they are equal. It is far less than a pixel, and permits columns
  /// whose width is a third of a point rounded to two digits.
  static let widthTolerance = 0.05

  /// The number of columns, from 1 to `maxColumns`. It is 1 if cells wrap, and the column is then as wide as a line.
  public var columns: Int
  public var flow: Flow
  /// The distance between two columns, or the least distance between two cells of a line that wraps.
  public var spacing: Double
  /// The distance between two cells of a column, or between two lines of a grid.
  public var lineSpacing: Double
  /// The distances between the cells of a section and its edges.
  public var insets: ListInsets
  /// The distances between all rows and the edges of the content.
  public var contentMargins: ListInsets

  public init(
    columns: Int, flow: Flow = .grid, spacing: Double = 0, lineSpacing: Double = 0, insets: ListInsets = ListInsets(),
    contentMargins: ListInsets = ListInsets()
  ) {
    self.columns = columns
    self.flow = flow
    self.spacing = spacing
    self.lineSpacing = lineSpacing
    self.insets = insets
    self.contentMargins = contentMargins
  }

  /// The width of a section beside its columns: the insets at the left and the right and the spacings.
  var gaps: Double { insets.left + Double(columns - 1) * spacing + insets.right }

  /// Returns the width of a section whose columns have a width.
  func sectionWidth(columnWidth: Double) -> Double { gaps + Double(columns) * columnWidth }

  /// Returns the width of the columns of a section that has a width. It is not positive if the gaps leave no room.
  func columnWidth(sectionWidth: Double) -> Double { (sectionWidth - gaps) / Double(columns) }

  /// Returns the width of a list whose sections have a width.
  func listWidth(sectionWidth: Double) -> Double { contentMargins.left + sectionWidth + contentMargins.right }
}
