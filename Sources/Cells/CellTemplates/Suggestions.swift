/// Returns the candidate that is most similar to a name, or nil if none is similar enough.
func suggestion(for written: String, among candidates: some Sequence<String>) -> String? {
  // With one replacement every name of one letter would be another one.
  let limit = written.count == 1 ? 0 : max(1, written.count / 3)
  return candidates.map { (name: $0, distance: editDistance(written, $0)) }
    .filter { $0.distance <= limit || startsAlike(written, $0.name) }
    .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
}

/// Returns whether two names share a long beginning although they are not similar, as `childs` and `children`.
private func startsAlike(_ a: String, _ b: String) -> Bool {
  let common = zip(a.lowercased(), b.lowercased()).prefix { $0 == $1 }.count
  return common >= 4 && common * 2 > b.count
}

/// Returns ` (did you mean "PhotoCell"?)`, or an empty string.
public func didYouMean(_ written: String, among candidates: some Sequence<String>) -> String {
  suggestion(for: written, among: candidates).map { " (did you mean \"\($0.excerpt)\"?)" } ?? ""
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that make one name the other,
/// ignoring case.
private func editDistance(_ a: String, _ b: String) -> Int {
  let a = Array(a.lowercased().unicodeScalars.prefix(64))
  let b = Array(b.lowercased().unicodeScalars.prefix(64))
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
      row.append(best)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

/// Advice on names from CSS, UIKit, Yoga and AsyncDisplayKit that the cells format does not have.
enum ForeignNames {
  /// Returns the element type that corresponds to a class name of AsyncDisplayKit, UIKit or HTML.
  static func elementType(for name: String) -> String? {
    if let known = elements[name.lowercased()] { return known }
    var core = name.hasPrefix("AS") ? String(name.dropFirst(2)) : name
    for suffix in ["LayoutSpec", "Node2", "Node", "Spec"] where core.hasSuffix(suffix) && core.count > suffix.count {
      core = String(core.dropLast(suffix.count))
      break
    }
    let first = core.prefix(1).lowercased() + core.dropFirst()
    return ElementType.names.first { $0 == first }
  }

  private static let elements = [
    "hstack": "stack", "row": "stack", "flex": "stack", "horizontalstack": "stack", "aslayoutspec": "spec",
    "vstack": "stack with direction: vertical", "column": "stack with direction: vertical",
    "verticalstack": "stack with direction: vertical",
    "spacer": "spec", "zstack": "overlay", "padding": "inset", "insets": "inset", "label": "text", "uilabel": "text",
    "span": "text", "p": "text", "img": "networkImage", "uiimageview": "image", "view": "node", "uiview": "node",
    "div": "node",
    "displaynode": "node", "asdisplaynode": "node", "ascellnode": "node", "aspectratio": "ratio",
    "insetlayoutspec": "inset", "badge": "corner", "asvideonodeplayer": "videoPlayer",
    "asmapnode": "node with calculatedSize", "mapnode": "node with calculatedSize", "ascontrolnode": "button or node",
    "aseditabletextnode": "text", "editabletextnode": "text", "textfield": "text",
  ]

  /// What to write instead of properties that the format does not have.
  static let properties = Dictionary(
    uniqueKeysWithValues: remedies.flatMap { names, remedy in names.map { ($0, remedy) } })

  private static let remedies: [(names: [String], remedy: String)] = [
    (["numberOfLines", "maxLines", "lineClamp", "lineLimit"], "write maximumNumberOfLines"),
    (
      ["cornerRadius", "borderRadius"],
      "what does not change a layout, such as corners and colours, is left out of cells files"
    ),
    (["opacity"], "what does not change a layout, such as colours, is left out of cells files"),
    (["margin"], "put the element into {type: inset, insets: …}, or set spacingBefore and spacingAfter in its style"),
    (["marginTop"], "set spacingBefore in the style of a child of a vertical stack, or use an inset"),
    (["marginLeft"], "set spacingBefore in the style of a child of a horizontal stack, or use an inset"),
    (["marginBottom"], "set spacingAfter in the style of a child of a vertical stack, or use an inset"),
    (["marginRight"], "set spacingAfter in the style of a child of a horizontal stack, or use an inset"),
    (["padding", "contentInset"], "put the child into {type: inset, insets: …}"),
    (["gap"], "write spacing"),
    (["flex"], "set flexGrow, flexShrink and flexBasis in the style"),
    (["flexDirection", "orientation"], "write direction: vertical or direction: horizontal"),
    (["alignment"], "write alignItems, horizontalAlignment or verticalAlignment"),
    (
      ["textAlign", "textAlignment"],
      "write alignment, which texts have; elements are aligned with alignSelf or alignItems"
    ),
    (["textTransform"], "write the text in the row with the letters that are shown"),
    (["setSizeFromCGSize", "sizeFromCGSize"], "write preferredSize: [width, height] in the style"),
    (["color", "backgroundColor"], "colours do not change a layout and are left out of cells files"),
    (["fontSize"], "name a font of the cells file: font: body, with its size under fonts:"),
    (["fontFamily"], "name a font of the cells file: font: body, with its family under fonts:"),
    (["fontWeight"], "name a font of the cells file: font: bold, with its weight under fonts:"),
    (["attributedText", "attributedString"], "write text, or runs: [{text: …, font: …}]"),
    (["string", "value"], "write text"),
    (["truncationMode", "truncationAttributedText"], "write truncation: \"…\""),
    (["src", "source", "URL"], "write url"),
    (["image"], "write imageSize: [width, height], or url on a networkImage"),
    (["aspectRatio"], "put it into {type: ratio, ratio: [width, height]}"),
    (["hidden", "visible", "if"], "write when: with the condition under which the element is there"),
    (["for"], "write forEach: with the name of an array field"),
    (["items", "elements", "subnodes"], "write children"),
    (["size", "frame"], "set width and height, or preferredSize, in the style"),
    (["position", "left", "top"], "set layoutPosition in the style of a child of an absolute"),
    (["justify"], "write justifyContent"),
    (["align"], "write alignItems"),
    (["wrap"], "write flexWrap: wrap"),
  ]
}
