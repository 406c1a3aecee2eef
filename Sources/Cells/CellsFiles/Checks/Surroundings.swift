/// The properties of an element's range of lengths along one axis that are known before any row is read.
struct AxisRange {
  /// Whether the smallest and the largest length are equal.
  var isExact = false
  /// Whether there is a largest length.
  var isBounded = false
  /// Whether the smallest length is more than 0.
  var hasMinimum = false
  /// Whether a stack around the element may shrink it, so that it has another length than its content.
  var canShrink = false

  static let exact = AxisRange(isExact: true, isBounded: true, hasMinimum: true)
  static let unbounded = AxisRange()

  /// The same range without the smallest length.
  var loose: AxisRange { AxisRange(isBounded: isBounded, canShrink: canShrink) }
}

/// A value along each of the two axes.
struct AxisPair<Value> {
  var width: Value
  var height: Value
}

/// The surroundings of an element, as far as the cells file determines them.
struct Surroundings {
  /// What the whole cell determines.
  let cell: CellTraits
  /// The type of the parent, or nil for the cell.
  var parent: String?
  /// The key of the parent that contains the element: `child`, `overlay`, `children`.
  var role = "layout"
  /// Whether the parent is a vertical stack.
  var isVertical = false
  /// Whether the parent's direction is the same for all rows.
  var isDirectionKnown = true
  /// Whether the parent is a stack that stretches the element across itself, for some rows at least.
  var isStretched = false
  /// Whether the parent, if it is a stack, has a given length along its main axis, which its children can share.
  var hasStackLength = true
  var range: AxisPair<AxisRange>
  /// Whether the width and height are known to which the element's percentages refer.
  var knowsParent: AxisPair<Bool>
  /// The path of the nearest ancestor, reached through specs alone, that is the child of a stack, or of a static or
  /// absolute.
  var childOfStack: [String]?
  var childOfStatic: [String]?

  /// The surroundings of a cell's layout: its width is given, its height is not.
  static func cell(_ cell: CellTraits) -> Surroundings {
    Surroundings(
      cell: cell,
      range: AxisPair(width: .exact, height: .unbounded), knowsParent: AxisPair(width: true, height: false))
  }

  /// The name of the length along the parent, if it is a stack.
  var lengthName: String { isVertical ? "height" : "width" }

  /// Returns the value along the parent, if it is a stack.
  func along<Value>(_ pair: AxisPair<Value>) -> Value { isVertical ? pair.height : pair.width }

  /// Returns the value across the parent, if it is a stack.
  func across<Value>(_ pair: AxisPair<Value>) -> Value { isVertical ? pair.width : pair.height }

  /// Returns the surroundings of the elements that `element` contains.
  func inside(_ element: SourceNode, _ type: String, _ path: [String], _ role: String, _ child: SourceNode)
    -> Surroundings
  {
    let own = styled(element, type)
    var inner = Surroundings(
      cell: cell, parent: type, role: role, range: own, knowsParent: AxisPair(width: true, height: true))
    if type != "stack" { inner.childOfStack = parent == "stack" ? path : childOfStack }
    if !["stack", "static", "absolute", "node"].contains(type) {
      inner.childOfStatic = parent == "static" || parent == "absolute" ? path : childOfStatic
    }
    switch (type, role) {
    case ("stack", _): insideStack(element, child, own, &inner)
    case ("scroll", _): insideScroll(element, &inner)
    case ("inset", _):
      inner.knowsParent = knowsParent
      let free = Self.freeEdges(element["insets"])
      if free.width { inner.range.width = own.width.loose }
      if free.height { inner.range.height = own.height.loose }
    case ("overlay", "child"), ("background", "child"): inner.knowsParent = knowsParent
    case ("overlay", _): inner.range = AxisPair(width: .exact, height: .exact)
    case ("background", _):
      inner.range = AxisPair(width: .exact, height: .exact)
      inner.knowsParent = knowsParent
    case ("ratio", _):
      let isBounded = own.width.isBounded || own.height.isBounded
      if isBounded { inner.range = AxisPair(width: .exact, height: .exact) }
      // With its ratio, the other length changes too.
      if own.width.canShrink || own.height.canShrink {
        inner.range.width.canShrink = true
        inner.range.height.canShrink = true
      }
      inner.knowsParent = AxisPair(width: isBounded, height: isBounded)
    default:
      inner.knowsParent = AxisPair(width: own.width.isBounded, height: own.height.isBounded)
      if type == "center" || type == "relative" { loosen(element, type, &inner) }
      if type == "static" { inner.range = AxisPair(width: own.width.loose, height: own.height.loose) }
      // The sizes of any child count here, also those of an inset (layout-semantics 3).
      if type == "absolute" {
        inner.range = AxisPair(
          width: Self.styled(own.width.loose, child["style"], 0),
          height: Self.styled(own.height.loose, child["style"], 1))
      }
      if type == "static", let style = child["style"], let range = style["sizeRange"] ?? style["preferredFrameSize"] {
        inner.range = Self.sizeRange(range)
      }
    }
    return inner
  }

  private func insideStack(
    _ element: SourceNode, _ child: SourceNode, _ own: AxisPair<AxisRange>, _ inner: inout Surroundings
  ) {
    inner.isVertical = element["direction"].map { $0.isString("vertical") } ?? false
    inner.isDirectionKnown = element["direction"].map { !$0.dependsOnRow } ?? true
    inner.knowsParent = AxisPair(width: own.width.isExact, height: own.height.isExact)
    let (along, across) = (inner.along(own), inner.across(own))
    inner.hasStackLength = along.isExact || along.hasMinimum
    let style = child["style"]
    var main = AxisRange.unbounded
    if style?["flexBasis"].map({ !$0.isString("auto") }) ?? false { main = .exact }
    // Growing shares the remaining room. There is none in an unbounded direction.
    if style?["flexGrow"].map({ !$0.isZero }) ?? false, along.isExact || along.hasMinimum { main = .exact }
    if style?["flexShrink"].map({ !$0.isZero }) ?? false, along.isBounded || along.canShrink { main.canShrink = true }
    let alignment = style?["alignSelf"].flatMap { $0.isString("auto") ? nil : $0 } ?? element["alignItems"]
    let stretches = alignment.map { $0.isString("stretch") || $0.dependsOnRow } ?? (cell.generation == .second)
    inner.isStretched = stretches
    // The size of any child that stretches counts across the stack, also that of an inset (layout-semantics 5.3).
    var cross = stretches ? Self.styled(across, style, inner.isVertical ? 0 : 1) : across.loose
    // A child that stretches is as long as the longest child of its line, which may be a sibling.
    let siblings = element.list(of: "children")
    if stretches && (siblings.count > 1 || siblings.contains { $0["forEach"] != nil }) { cross.hasMinimum = true }
    inner.range = inner.isVertical ? AxisPair(width: cross, height: main) : AxisPair(width: main, height: cross)
    if !inner.isDirectionKnown {
      // Nothing that depends on the direction is checked.
      inner.range = AxisPair(width: .exact, height: .exact)
      inner.knowsParent = AxisPair(width: true, height: true)
      inner.hasStackLength = true
    }
  }

  /// The content of a scroll node has the sizes of the node's style, and otherwise no limit along the axes that scroll.
  private func insideScroll(_ scroll: SourceNode, _ inner: inout Surroundings) {
    let axes = scroll["scrollableDirections"].map { $0.text ?? "" } ?? "vertical"
    guard isDirectionKnown, ["vertical", "horizontal", "both"].contains(axes) else { return }
    var open = self
    if axes != "vertical" { open.range.width = AxisRange(hasMinimum: range.width.hasMinimum) }
    if axes != "horizontal" { open.range.height = AxisRange(hasMinimum: range.height.hasMinimum) }
    inner.range = open.styled(scroll, "scroll")
    // Content that is smaller than a node without an exact size is laid out again within the node.
    func isKnown(_ content: AxisRange, _ node: AxisRange) -> Bool {
      content.isBounded || node.isBounded && !node.isExact
    }
    inner.knowsParent = AxisPair(
      width: isKnown(inner.range.width, range.width), height: isKnown(inner.range.height, range.height))
  }

  private func loosen(_ element: SourceNode, _ type: String, _ inner: inout Surroundings) {
    let isPositioned: AxisPair<Bool>
    if type == "center" {
      let centering = element["centering"]?.text ?? "xy"
      isPositioned = AxisPair(width: centering.contains("x"), height: centering.contains("y"))
    } else {
      isPositioned = AxisPair(
        width: (element["horizontal"]?.text ?? "none") != "none",
        height: (element["vertical"]?.text ?? "none") != "none")
    }
    if isPositioned.width { inner.range.width = inner.range.width.loose }
    if isPositioned.height { inner.range.height = inner.range.height.loose }
  }

  /// Returns the range with the element's own style applied. Inset, overlay and background ignore their style's sizes.
  func styled(_ element: SourceNode, _ type: String) -> AxisPair<AxisRange> {
    if ["inset", "overlay", "background"].contains(type) { return range }
    return AxisPair(
      width: Self.styled(range.width, element["style"], 0),
      height: Self.styled(range.height, element["style"], 1))
  }

  private static func styled(_ range: AxisRange, _ style: SourceNode?, _ axis: Int) -> AxisRange {
    guard let style, !range.isExact else { return range }
    let name = axis == 0 ? "Width" : "Height"
    func gives(_ single: String, _ points: String, _ dimensions: String) -> Bool {
      // A size that depends on the row as a whole has no elements.
      [style[single], style[points]?.part(axis), style[dimensions]?.part(axis)].contains { value in
        value.map(isLength) ?? false
      }
    }
    if gives(name.lowercased(), "preferredSize", "preferredLayoutSize") { return .exact }
    var styled = range
    if gives("min\(name)", "minSize", "minLayoutSize") { styled.hasMinimum = true }
    if gives("max\(name)", "maxSize", "maxLayoutSize") { styled.isBounded = true }
    return styled
  }

  /// Returns whether a dimension is a length above 0. A value that depends on the row counts as one, and so does a
  /// percentage, because percentages of an unknown length have a warning of their own.
  private static func isLength(_ value: SourceNode) -> Bool {
    guard let text = value.text, !text.contains("{"), !text.hasSuffix("%") else { return true }
    return text != "auto" && Double(text) != 0
  }

  private static func sizeRange(_ value: SourceNode) -> AxisPair<AxisRange> {
    func axis(_ axis: Int) -> AxisRange {
      guard case .mapping = value else { return .exact }
      let low = value["min"]?.element(axis)
      let high = value["max"]?.element(axis)
      if let low, let high, low.text == high.text { return .exact }
      return AxisRange(
        isBounded: high.map { !$0.isString("inf") } ?? false, hasMinimum: low.map { !$0.isZero } ?? false)
    }
    return AxisPair(width: axis(0), height: axis(1))
  }

  private static func freeEdges(_ insets: SourceNode?) -> AxisPair<Bool> {
    func isFree(_ key: String, _ position: Int) -> Bool {
      (insets?[key] ?? insets?.element(position))?.isString("inf") ?? false
    }
    let all = insets?.isString("inf") ?? false
    return AxisPair(
      width: all || isFree("left", 1) || isFree("right", 3), height: all || isFree("top", 0) || isFree("bottom", 2))
  }
}

extension SourceNode {
  /// A scalar as it is written, or nil for a mapping or sequence.
  var text: String? {
    switch self {
    case .string(let text, _), .literal(let text, _): text
    default: nil
    }
  }

  /// Whether the value may be another one in each row: it has a binding, or is a value by condition.
  var dependsOnRow: Bool { text.map { $0.contains("{") } ?? true }

  func isString(_ wanted: String) -> Bool { if case .string(wanted, _) = self { true } else { false } }

  /// The value of a number; nil for another value.
  var number: Double? { if case .literal(let text, _) = self { Double(text) } else { nil } }

  var isZero: Bool { truth == false || number == 0 }

  /// Returns an element of a sequence, or the value itself if all of it depends on the row.
  func part(_ index: Int) -> SourceNode? { if case .sequence = self { element(index) } else { self } }

  /// Returns an element of a sequence, or nil.
  func element(_ index: Int) -> SourceNode? {
    guard case .sequence(let elements, _) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
