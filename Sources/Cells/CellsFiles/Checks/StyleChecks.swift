import CellTemplates

/// Checks for style properties that have no effect where they are written.
enum StyleChecks {
  private static let stackOptions = [
    "flexGrow", "flexShrink", "flexBasis", "alignSelf", "spacingBefore", "spacingAfter", "ascender", "descender",
  ]
  private static let positionOptions = ["layoutPosition", "sizeRange"]
  private static let sizes = [
    "width", "height", "minWidth", "minHeight", "maxWidth", "maxHeight", "preferredSize", "minSize", "maxSize",
    "preferredLayoutSize", "minLayoutSize", "maxLayoutSize",
  ]
  /// The specs that ignore the sizes of their own style (layout-semantics 3).
  private static let sizeless = ["inset", "overlay", "background"]

  /// Returns a warning about a property of a style, or nil.
  static func warning(
    _ key: String, _ value: SourceNode, of type: String, _ element: SourceNode, _ around: Surroundings
  ) -> String? {
    if stackOptions.contains(key) && around.parent != "stack" {
      let fix = around.childOfStack.map { "; options do not propagate upwards, so set it on \(CellError.format($0))" }
      return "has no effect: its parent is \(withArticle(around.parent)), not a stack" + (fix ?? "")
    }
    if positionOptions.contains(key) && around.parent != "absolute" && around.parent != "static" {
      let fix = around.childOfStatic.map { "; options do not propagate upwards, so set it on \(CellError.format($0))" }
      return "has no effect: its parent is \(withArticle(around.parent)), not an absolute or static" + (fix ?? "")
    }
    if key == "sizeRange" && around.parent == "absolute" { return "has no effect in an absolute; a static looks at it" }
    if sizes.contains(key) && sizeless.contains(type) && !isReadByParent(key, around) {
      return "has no effect: \(withArticle(type)) takes its child's size; put it into a wrapper with that size"
    }
    if sizes.contains(key), let message = replacedSize(key, in: element.members(of: "style")) { return message }
    if ["ascender", "descender"].contains(key) && !around.cell.alignsBaselines {
      return "has no effect: no stack of this cell has alignItems: baselineFirst or baselineLast"
    }
    if key == "preferredFrameSize" { return preferredFrameSize(of: type, element, around) }
    if key == "sizeRange", let message = reversedRange(value) { return message }
    if let message = overriddenMaximum(key, value, beside: element["style"]) { return message }
    return percentage(key, value, around)
  }

  /// Returns whether the parent may take a size of an element that ignores those of its style: an absolute takes each one, and
  /// a stack that stretches the element those across itself (layout-semantics 3 and 5.3).
  private static func isReadByParent(_ key: String, _ around: Surroundings) -> Bool {
    if around.parent == "absolute" { return true }
    guard around.isStretched else { return false }
    return !around.isDirectionKnown || !key.lowercased().hasSuffix(around.lengthName)
  }

  /// Returns a warning about a size that a constant size after it replaces as a whole (layout-semantics 2).
  private static func replacedSize(_ key: String, in style: [SourceNode.Member]) -> String? {
    let start = ["min", "max"].first { key.hasPrefix($0) } ?? "preferred"
    let later = style.drop { $0.key != key }.dropFirst()
    let other = later.first { member in
      ["\(start)Size", "\(start)LayoutSize"].contains(member.key)
        && [0, 1].allSatisfy { member.value.element($0)?.dependsOnRow == false }
    }
    return other.map { "has no effect: \($0.key) after it sets the same; leave one of the two out" }
  }

  /// Returns a warning about a preferredFrameSize that has no effect: it is the size of a node's content.
  private static func preferredFrameSize(of type: String, _ element: SourceNode, _ around: Surroundings) -> String? {
    // In a static it is an exact sizeRange.
    if around.parent == "static" { return nil }
    let isNode = CellFormat.element(named: type).map { $0.type.isNode } ?? true
    if !isNode {
      let remedy = around.cell.generation == .first ? "" : "; give it width and height or preferredSize"
      return "has no effect on \(withArticle(type)), which has no content of its own\(remedy)"
    }
    if around.cell.generation == .second { return nil }
    if type == "text" { return "has no effect on a text, which is measured" }
    if type == "node", let key = ["layout", "calculatedSize"].first(where: { element[$0] != nil }) {
      return "has no effect on a node whose size comes from its \(key)"
    }
    return nil
  }

  /// Returns a warning about a sizeRange whose minimum is above its maximum.
  private static func reversedRange(_ value: SourceNode) -> String? {
    guard let low = value["min"].map(pair), let high = value["max"].map(pair) else { return nil }
    for (low, high) in zip(low, high) {
      guard let least = low.value.text.flatMap({ Double($0) }), let most = high.value.text.flatMap({ Double($0) }),
        least > most
      else { continue }
      return
        "has a smallest \(low.axis) of \(low.value.text ?? ""), which is above the largest of \(high.value.text ?? "")"
    }
    return nil
  }

  /// Returns a warning about a largest length below the smallest: the range is then the smallest alone (layout-semantics 2).
  private static func overriddenMaximum(_ key: String, _ value: SourceNode, beside style: SourceNode?) -> String? {
    guard key.hasPrefix("max"), let most = value.text, let least = style?["min" + key.dropFirst(3)]?.text,
      let largest = Double(most), let smallest = Double(least), smallest > largest
    else { return nil }
    let length = key.dropFirst(3).lowercased()
    return "is below min\(key.dropFirst(3)), which wins: together they ask for a \(length) of exactly \(least); write "
      + "\(length): \(least) if that is meant"
  }

  /// Returns a warning about a width of the outermost element of a cell, which has that of the list. The widths of a scroll
  /// node are those of its content.
  static func idleWidth(
    _ key: String, _ value: SourceNode, of type: String, _ around: Surroundings
  ) -> String? {
    guard around.parent == nil, type != "scroll", ["width", "minWidth", "maxWidth"].contains(key),
      !value.isString("auto")
    else { return nil }
    return "has no effect: the cell is as wide as its list; put the element into a stack"
  }

  /// Returns a warning about a flexBasis in points beside a length along the stack, which it overrides. The length counts beside
  /// auto, which a value of the row can be too, and beside a percentage of an undefined length (layout-semantics 5.3).
  static func basisBesideLength(_ style: SourceNode?, _ around: Surroundings) -> String? {
    let length = around.lengthName
    guard around.parent == "stack", around.isDirectionKnown, let basis = style?["flexBasis"], style?[length] != nil,
      !basis.dependsOnRow, !basis.isString("auto"), !basis.isPercentage
    else { return nil }
    return "overrides the \(length), which has no effect beside it"
  }

  /// Returns a warning about percentages of a length that is not known.
  private static func percentage(_ key: String, _ value: SourceNode, _ around: Surroundings) -> String? {
    let unknown = axes(of: key, value, around).filter { axis, value in
      value.isPercentage && !(axis == "width" ? around.knowsParent.width : around.knowsParent.height)
    }.map(\.axis)
    guard let axis = unknown.first else { return nil }
    let length = Set(unknown).count == 2 ? "width and height" : axis
    let remedy =
      switch around.parent {
      case "stack": "; give the stack a \(length), for which a maximum or minimum is not enough"
      case "scroll": ", along which its content has no limit; state points"
      default: ""
      }
    return "is a percentage of \(withArticle(around.parent)) that does not know its \(length)\(remedy)"
  }

  /// Returns the values of a property with their axes.
  private static func axes(
    of key: String, _ value: SourceNode, _ around: Surroundings
  ) -> [(axis: String, value: SourceNode)] {
    switch key {
    case "preferredLayoutSize", "minLayoutSize", "maxLayoutSize": return pair(value)
    case "sizeRange": return pair(value) + (value["min"].map(pair) ?? []) + (value["max"].map(pair) ?? [])
    case "flexBasis": return [(around.lengthName, value)]
    case _ where key.lowercased().hasSuffix("width"): return [("width", value)]
    case _ where key.lowercased().hasSuffix("height"): return [("height", value)]
    default: return []
    }
  }

  private static func pair(_ value: SourceNode) -> [(axis: String, value: SourceNode)] {
    [("width", value.element(0)), ("height", value.element(1))].compactMap { axis, value in value.map { (axis, $0) } }
  }
}

extension SourceNode {
  fileprivate var isPercentage: Bool {
    guard case .string(let text, _) = self else { return false }
    return text.hasSuffix("%") && !text.contains("{")
  }
}
