import CellModels

/// Something in a cells file that is allowed but hardly meant: the questions of Texture's layout debugging guide.
public struct CellWarning: Equatable, Sendable {
  public let line: Int?
  public let column: Int?
  /// `cells.PhotoCell.layout.children[1].style.flexGrow`
  public let path: String
  public let message: String
}

/// Looks through the elements of cells files for options that have no effect where they stand, and for elements that
/// will end without a size.
struct CellChecks {
  /// What an element is in.
  private struct Surroundings {
    var parent: String?
    var isVertical = false
    /// The stack that the chain of single-child specs around the element is in, and the path of the outermost one.
    var stackAround: [String]?
    /// Whether the element is asked for one exact width or height.
    var isExact = (width: false, height: false)
    /// Whether percentages of the element are of a width or height that is known.
    var knowsParent = (width: false, height: false)
  }

  private static let stackOptions = [
    "flexGrow", "flexShrink", "flexBasis", "alignSelf", "spacingBefore", "spacingAfter", "ascender", "descender",
  ]
  private static let positionOptions = ["layoutPosition", "sizeRange"]
  private static let sizes = [
    "width", "height", "minWidth", "minHeight", "maxWidth", "maxHeight", "preferredSize", "minSize", "maxSize",
    "preferredLayoutSize", "minLayoutSize", "maxLayoutSize",
  ]
  /// Specs that never look at the sizes of their own style (layout-semantics 3).
  private static let sizeless = ["inset", "overlay", "background"]
  private static let withoutIntrinsicSize = ["node", "networkImage", "multiplexImage", "video", "videoPlayer"]

  private let source: SourceNode
  private(set) var warnings: [CellWarning] = []

  init(_ source: SourceNode) {
    self.source = source
    guard case .mapping(let cells, _)? = source["cells"] else { return }
    for cell in cells {
      guard let layout = cell.value["layout"] else { continue }
      // A cell's width is given, its height is not.
      check(layout, ["cells", cell.key, "layout"], Surroundings(isExact: (true, false), knowsParent: (true, false)))
    }
  }

  private mutating func check(_ element: SourceNode, _ path: [String], _ surroundings: Surroundings) {
    guard case .string(let type, _)? = element["type"] else { return }
    if case .mapping(let style, _)? = element["style"] {
      checkStyle(style.map { ($0.key, $0.value) }, of: type, path, surroundings)
    }
    checkSize(of: element, type, path, surroundings)
    for (child, key, name) in children(of: element) {
      check(child, path + key, inside(element, type, path, name, child, surroundings))
    }
  }

  private func children(of element: SourceNode) -> [(SourceNode, [String], String)] {
    var found: [(SourceNode, [String], String)] = []
    for key in ["child", "overlay", "background", "corner", "layout"] {
      if let child = element[key], case .mapping = child { found.append((child, [key], key)) }
    }
    if case .sequence(let children, _)? = element["children"] {
      for (index, child) in children.enumerated() { found.append((child, ["children", "\(index)"], "children")) }
    }
    return found
  }

  // MARK: What children are in

  private func inside(
    _ element: SourceNode, _ type: String, _ path: [String], _ key: String, _ child: SourceNode,
    _ outer: Surroundings
  ) -> Surroundings {
    var inner = Surroundings(parent: type)
    let sized = Self.sizeless.contains(type) ? nil : element["style"]
    let exact = (
      width: outer.isExact.width || isPoints(sized, "width"), height: outer.isExact.height || isPoints(sized, "height")
    )
    if ["inset", "overlay", "background", "center", "ratio", "relative"].contains(type) && key == "child" {
      inner.stackAround = outer.parent == "stack" ? path : outer.stackAround
    }
    switch (type, key) {
    case ("stack", _):
      inner.isVertical = element["direction"].map { isString($0, "vertical") } ?? false
      inner.knowsParent = exact
      let flexes = child["style"]?["flexGrow"] != nil || child["style"]?["flexShrink"] != nil
      let alignment = child["style"]?["alignSelf"] ?? element["alignItems"]
      let stretches = alignment.map { isString($0, "stretch") } ?? true
      inner.isExact.width = exact.width && (inner.isVertical ? stretches : flexes)
      inner.isExact.height = exact.height && (inner.isVertical ? flexes : stretches)
    case ("inset", _), ("overlay", "child"), ("background", "child"):
      inner.isExact = outer.isExact
      inner.knowsParent = outer.knowsParent
    case ("ratio", _), ("overlay", _), ("background", _):
      inner.isExact = (true, true)
      inner.knowsParent = (true, true)
    case ("wrapper", _), ("node", _):
      inner.isExact = exact
      inner.knowsParent = (true, exact.height)
    default:
      // The parent of what is placed is a maximum, and lists are bounded in width only.
      inner.knowsParent = (true, exact.height)
    }
    return inner
  }

  private func isPoints(_ style: SourceNode?, _ key: String) -> Bool {
    if case .literal? = style?[key] { return true }
    return style?["preferredSize"] != nil
  }

  private func isString(_ node: SourceNode, _ text: String) -> Bool {
    if case .string(text, _) = node { return true }
    return false
  }

  // MARK: Checks

  private mutating func checkStyle(
    _ style: [(key: String, value: SourceNode)], of type: String, _ path: [String], _ around: Surroundings
  ) {
    for (key, value) in style {
      let place = path + ["style", key]
      if Self.stackOptions.contains(key) && around.parent != "stack" {
        warn(place, "has no effect: its parent is \(name(around.parent)), not a stack" + fix(key, around))
      }
      if Self.positionOptions.contains(key) && around.parent != "absolute" && around.parent != "static" {
        warn(place, "has no effect: its parent is \(name(around.parent)), not an absolute or static")
      }
      if key == "sizeRange" && around.parent == "absolute" {
        warn(place, "has no effect in an absolute; a static looks at it")
      }
      if Self.sizes.contains(key) && Self.sizeless.contains(type) {
        warn(place, "has no effect: \(name(type)) takes its child's size; put it into a wrapper with that size")
      }
      if key == "preferredFrameSize" && type == "text" {
        warn(place, "has no effect on a text, which is measured; give it width, maxWidth or preferredSize")
      }
      checkPercentage(key, value, place, around)
    }
    let keys = style.map(\.key)
    let length = around.isVertical ? "height" : "width"
    if around.parent == "stack" && keys.contains("flexBasis") && keys.contains(length) {
      warn(path + ["style", "flexBasis"], "overrides the \(length), which has no effect beside it")
    }
  }

  /// Layout options do not propagate upwards: they belong on what the stack contains.
  private func fix(_ key: String, _ around: Surroundings) -> String {
    around.stackAround.map { "; options do not propagate upwards, so set it on \(CellError.format($0))" } ?? ""
  }

  private mutating func checkPercentage(
    _ key: String, _ value: SourceNode, _ place: [String], _ around: Surroundings
  ) {
    guard case .string(let text, _) = value, text.hasSuffix("%"), !text.contains("{") else { return }
    let isAcross = key.lowercased().hasSuffix("width") || (key == "flexBasis" && !around.isVertical)
    let isAlong = key.lowercased().hasSuffix("height") || (key == "flexBasis" && around.isVertical)
    if (isAcross && !around.knowsParent.width) || (isAlong && !around.knowsParent.height) {
      warn(place, "is a percentage of \(name(around.parent)) that does not know its \(isAcross ? "width" : "height")")
    }
  }

  private mutating func checkSize(
    of element: SourceNode, _ type: String, _ path: [String], _ around: Surroundings
  ) {
    guard Self.withoutIntrinsicSize.contains(type), around.parent == "stack", element["layout"] == nil,
      element["calculatedSize"] == nil
    else { return }
    let length = around.isVertical ? "height" : "width"
    let upper = length.prefix(1).uppercased() + length.dropFirst()
    let enough = [
      length, "min\(upper)", "preferredSize", "minSize", "preferredLayoutSize", "minLayoutSize", "preferredFrameSize",
      "flexGrow", "flexBasis",
    ]
    if enough.contains(where: { element["style"]?[$0] != nil }) { return }
    warn(path, "has no \(length) of its own in this stack; give its style \(length), preferredSize or flexGrow")
  }

  private func name(_ type: String?) -> String {
    guard let type else { return "the cell" }
    return (["a", "i", "o"].contains(type.prefix(1)) ? "an " : "a ") + type
  }

  private mutating func warn(_ path: [String], _ message: String) {
    let place = source.place(of: path)
    warnings.append(
      CellWarning(line: place?.line, column: place?.column, path: CellError.format(path), message: message))
  }

}
