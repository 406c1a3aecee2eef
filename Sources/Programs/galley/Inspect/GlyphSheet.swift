import BatchLayout
import Foundation
import TextMeasuring

/// The SVG definitions of the glyphs of a document. Lines refer to them, so that the document contains each glyph once.
struct GlyphSheet {
  private var pictures: [GlyphKey: GlyphPicture] = [:]

  init(_ cells: [CellInspection]) {
    for cell in cells { pictures.merge(cell.glyphs) { known, _ in known } }
  }

  /// The definitions as a `defs` element, or an empty string if there are no glyphs.
  var definitions: String {
    let glyphs = pictures.sorted { ($0.key.face, $0.key.glyph) < ($1.key.face, $1.key.glyph) }.map { key, picture in
      switch picture {
      case .outline(let path): "<path id=\"\(Self.name(of: key))\" d=\"\(path)\"/>"
      case .bitmap(let png, let x, let y, let width, let height):
        "<image id=\"\(Self.name(of: key))\" x=\"\(svg(x))\" y=\"\(svg(y))\" width=\"\(svg(width))\" "
          + "height=\"\(svg(height))\" href=\"data:image/png;base64,\(Data(png).base64EncodedString())\"/>"
      }
    }
    return glyphs.isEmpty ? "" : "<defs>\n\(glyphs.joined(separator: "\n"))\n</defs>"
  }

  /// Returns the glyphs of a line at a position, with a group for each font size.
  static func line(_ line: GlyphLine, x: Double, y: Double, drawn: [GlyphKey: GlyphPicture]) -> String {
    var groups: [String] = []
    var scale = 0.0
    for glyph in line.glyphs where drawn[glyph.key] != nil {
      if glyph.scale != scale {
        if scale != 0 { groups.append("</g>") }
        scale = glyph.scale
        groups.append("<g transform=\"translate(\(svg(x)) \(svg(y))) scale(\(svg(scale, digits: 7)))\">")
      }
      let shift = glyph.y == 0 ? "" : " y=\"\(svg(glyph.y / scale, digits: 0))\""
      groups.append(
        "<use\(glyph.key.isMissing ? " class=\"missing\"" : "") href=\"#\(name(of: glyph.key))\" x=\"\(svg(glyph.x / scale, digits: 0))\"\(shift)/>"
      )
    }
    if scale != 0 { groups.append("</g>") }
    return groups.joined()
  }

  private static func name(of key: GlyphKey) -> String { "g\(key.face)-\(key.glyph)" }
}

/// Returns a number for SVG with at most `digits` digits behind the decimal point.
func svg(_ value: Double, digits: Int = 2) -> String {
  var text = String(format: "%.\(digits)f", value)
  if text.contains(".") {
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
  }
  return text == "-0" ? "0" : text
}

/// Returns a text escaped for XML and HTML, with control characters replaced by U+FFFD.
func escaped(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\t", "\n": escaped += " "
    case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
    default: escaped.unicodeScalars.append(scalar)
    }
  }
  return escaped
}
