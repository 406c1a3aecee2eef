import Buffers
import ListTables

/// The markup of rows before their contents are there. An image of one row is that of `skeletonSVG` of galley.js.
struct SkeletonMarkup {
  let tables: MappedTables
  /// The width of the list in points.
  let width: Double

  init(_ tables: MappedTables) {
    self.tables = tables
    width = VariantDirectory(tables.path).width(tables.heights)
  }

  /// The radius of corners in points.
  private static let radius = 4

  /// Returns an SVG image of consecutive rows. It has the colour of the text around it, or black, with an opacity of 12 %.
  ///
  /// - Throws: `TableError` if the tables are damaged at these rows.
  func svg(_ rows: ClosedRange<Int>) throws(TableError) -> String {
    let heights = tables.heights
    let top = heights.offset(of: rows.lowerBound)
    let height = heights.offset(of: rows.upperBound + 1) - top
    var rects = ""
    for row in rows {
      for rect in try tables.skeleton(of: row) { rects += markup(rect, from: heights.offset(of: row) - top) }
    }
    return #"<svg style="display:block" xmlns="http://www.w3.org/2000/svg" width="\#(shortText(width))" "#
      + #"height="\#(shortText(height))" fill="currentColor" fill-opacity="0.12" aria-hidden="true">\#(rects)</svg>"#
  }

  /// Returns an element that is as high as the whole list, with the images of some rows in their places.
  ///
  /// - Throws: `TableError` if the tables are damaged at these rows.
  func html(_ rows: ClosedRange<Int>) throws(TableError) -> String {
    let heights = tables.heights
    var text =
      #"<div style="position:relative;width:\#(shortText(width))px;height:\#(shortText(heights.contentHeight))px">"#
      + "\n"
    for row in rows {
      text +=
        #"<div data-row="\#(row)" style="position:absolute;top:\#(shortText(heights.offset(of: row)))px;width:100%;"#
        + #"height:\#(shortText(Double(heights.height(of: row))))px">\#(try svg(row...row))</div>"# + "\n"
    }
    return text + "</div>"
  }

  /// - Parameter top: What is added to positions, in points.
  private func markup(_ rect: SkeletonRect, from top: Double) -> String {
    let (left, right) = (Self.rounded(rect.x), Self.rounded(rect.x + rect.width))
    let (upper, lower) = (Self.rounded(top + rect.y), Self.rounded(top + rect.y + rect.height))
    return #"<rect x="\#(shortText(left))" y="\#(shortText(upper))" width="\#(shortText(Self.rounded(right - left)))" "#
      + #"height="\#(shortText(Self.rounded(lower - upper)))" rx="\#(Self.radius)"></rect>"#
  }

  /// Returns a number of points with at most one decimal, which is enough for a picture and has fewer bytes.
  private static func rounded(_ points: Double) -> Double { (points * 10 + 0.5).rounded(.down) / 10 }
}
