import BatchLayout
import CellTemplates
import LayoutEngine

/// An SVG document that shows one row in one or more variants side by side. It needs no font, as it contains the
/// outlines of the glyphs.
struct InspectionSVG {
  private static let margin = 12.0
  private static let gap = 28.0
  private static let headingHeight = 20.0
  private static let noteLineHeight = 11.0
  /// The assumed width of a character of a note in points. It is an upper limit for common fonts.
  private static let noteCharacterWidth = 4.6

  private static let style = """
    text{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
    .heading{font-size:11px;font-weight:600;fill:#4a5560}
    .paper{fill:#eef1f4}
    .cell{fill:#fff;stroke:#c3ccd5;stroke-width:.5}
    .frame{fill:none;stroke:#a9b6c3;stroke-width:.5;stroke-dasharray:2 1.5;pointer-events:all}
    .text .frame{stroke:#a8c6ef;stroke-dasharray:none}
    .media .frame{fill:#e3e8ee;stroke:#c3ccd5;stroke-dasharray:none}
    .button .frame{fill:#e2f1e5;stroke:#9cc7a4;stroke-dasharray:none}
    .sign{fill:#b3bfcb}
    .item use{fill:#16191d}
    .item .missing{fill:#e5484d;fill-opacity:.5}
    .words{fill-opacity:0}
    .label{font-size:7px;fill:#5b7089}
    .beyond{fill:#e5484d;fill-opacity:.25;stroke:#e5484d;stroke-width:.75}
    .outside{fill:#e5484d;fill-opacity:.08;stroke:#e5484d;stroke-width:.75}
    .lost{stroke:#e5484d;stroke-width:2;stroke-linecap:square}
    .note{font-size:8px;fill:#c62a2f}
    """

  /// Returns the document.
  ///
  /// - Parameter cells: One row in one or more variants.
  static func document(_ cells: [CellInspection]) -> String {
    var x = margin
    var height = 0.0
    var body: [String] = []
    for cell in cells {
      let picture = CellPicture(cell)
      let notes = notes(cell, width: max(picture.bounds.size.width, 120))
      let top = margin + (cells.count > 1 ? headingHeight : 0)
      let origin = Point(x - picture.bounds.origin.x, top - picture.bounds.origin.y)
      body.append("<g transform=\"translate(\(svg(origin.x)) \(svg(origin.y)))\">")
      if cells.count > 1 {
        body.append("<text class=\"heading\" x=\"0\" y=\"\(svg(picture.bounds.origin.y - 8))\">\(heading(cell))</text>")
      }
      body += picture.elements()
      let bottom = picture.bounds.origin.y + picture.bounds.size.height
      for (index, note) in notes.enumerated() {
        let y = bottom + Double(index + 1) * noteLineHeight
        body.append("<text class=\"note\" x=\"0\" y=\"\(svg(y))\">\(escaped(note))</text>")
      }
      body.append("</g>")
      height = max(height, top + picture.bounds.size.height + Double(notes.count) * noteLineHeight + margin)
      x += max(picture.bounds.size.width, 120) + gap
    }
    let width = x - gap + margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(svg(width))" height="\(svg(height))" \
      viewBox="0 0 \(svg(width)) \(svg(height))">
      <style>\(style)</style>
      \(GlyphSheet(cells).definitions)
      <rect class="paper" width="\(svg(width))" height="\(svg(height))"/>
      \(body.joined(separator: "\n"))
      </svg>
      """
  }

  /// Returns a heading such as `390 pt · 148 pt high`.
  static func heading(_ cell: CellInspection) -> String {
    var parts = ["\(svg(cell.variant.width)) pt"]
    if cell.variant.platform != .texture { parts.append("platform \(cell.variant.platform.name)") }
    if cell.variant.textScale != 1 { parts.append("text scale \(svg(cell.variant.textScale))") }
    if let textSize = cell.variant.textSize { parts.append("text size \(textSize.name)") }
    if cell.variant.layoutDirection == .rtl { parts.append("from right to left") }
    if cell.variant.scale != 2 { parts.append("scale \(svg(cell.variant.scale))") }
    let variant = parts.joined(separator: ", ")
    if cell.isUnknown { return variant }
    // The size of a row with its own constrainedSize differs from the width of the list.
    let width = cell.size.width == cell.variant.width ? "" : "\(svg(cell.size.width)) pt wide, "
    return "\(variant) \u{b7} \(width)\(svg(cell.size.height)) pt high"
  }

  /// Returns the problems of a cell, broken into lines that are not much wider than the picture.
  private static func notes(_ cell: CellInspection, width: Double) -> [String] {
    let limit = max(Int(width / noteCharacterWidth), 20)
    return problems(of: cell).flatMap { problem -> [String] in
      var lines = [""]
      for word in problem.split(separator: " ") {
        if !lines[lines.count - 1].isEmpty && lines[lines.count - 1].count + word.count >= limit { lines.append("") }
        lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
      }
      return lines
    }
  }

  /// Returns the error and the overflow of a cell, one message each.
  static func problems(of cell: CellInspection) -> [String] {
    (cell.error.map { [$0.description] } ?? [])
      + cell.overflow.map { "\(CellError.format($0.path)): \($0.message)" }
  }
}
