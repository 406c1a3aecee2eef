/// What is known before any row is read about the length that an element is asked for along one axis.
struct AxisRange {
  /// Whether it is asked for one length.
  var isExact = false
  /// Whether there is a largest length.
  var isBounded = false
  /// Whether the smallest length is more than 0.
  var hasMinimum = false

  static let exact = AxisRange(isExact: true, isBounded: true, hasMinimum: true)
  static let unbounded = AxisRange()

  /// The same without the smallest length.
  var loose: AxisRange { AxisRange(isBounded: isBounded) }
}

/// A value along each of the two axes.
struct AxisPair<Value> {
  var width: Value
  var height: Value
}

/// What a cells file says about the place where an element is.
struct Surroundings {
  /// The type of the element around it; nil for the cell.
  var parent: String?
  /// Which of the parent's elements it is: `child`, `overlay`, `children`.
  var role = "layout"
  /// Whether the parent is a vertical stack.
  var isVertical = false
  /// Whether the parent's direction is the same for all rows.
  var isDirectionKnown = true
  /// Whether the parent, if it is a stack, has a length of its own along its main axis, which its children can share.
  var stackLength = StackLength.given
  var range: AxisPair<AxisRange>
  /// Whether percentages of the element are of a width or height that is known.
  var knowsParent: AxisPair<Bool>
  /// The path of the child of a stack, or of a static or absolute, that the chain of specs around the element ends in.
  var childOfStack: [String]?
  var childOfStatic: [String]?

  /// A cell's width is given, its height is not.
  static var cell: Surroundings {
    Surroundings(
      range: AxisPair(width: .exact, height: .unbounded), knowsParent: AxisPair(width: true, height: false))
  }
}

enum StackLength { case given, open }

extension Surroundings {

  /// What the elements of `element` are in.
  func inside(_ element: SourceNode, _ type: String, _ path: [String], _ role: String, _ child: SourceNode)
    -> Surroundings
  {
    let own = styled(element, type)
    var inner = Surroundings(parent: type, role: role, range: own, knowsParent: AxisPair(width: true, height: true))
    if type != "stack" && type != "static" && type != "absolute" && type != "node" {
      inner.childOfStack = parent == "stack" ? path : childOfStack
      inner.childOfStatic = parent == "static" || parent == "absolute" ? path : childOfStatic
    } else if type == "static" || type == "absolute" || type == "node" {
      inner.childOfStack = parent == "stack" ? path : childOfStack
    }
    switch (type, role) {
    case ("stack", _): insideStack(element, child, own, &inner)
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
      inner.knowsParent = AxisPair(width: isBounded, height: isBounded)
    default:
      inner.knowsParent = AxisPair(width: own.width.isBounded, height: own.height.isBounded)
      if type == "center" || type == "relative" { loosen(element, type, &inner) }
      if type == "absolute" || type == "static" {
        inner.range = AxisPair(width: own.width.loose, height: own.height.loose)
      }
      if type == "static", let range = child["style"]?["sizeRange"] { inner.range = Self.sizeRange(range, inner) }
    }
    return inner
  }

  private func insideStack(
    _ element: SourceNode, _ child: SourceNode, _ own: AxisPair<AxisRange>, _ inner: inout Surroundings
  ) {
    inner.isVertical = element["direction"].map { $0.isString("vertical") } ?? false
    inner.isDirectionKnown = element["direction"].map { $0.text?.contains("{") == false } ?? true
    inner.knowsParent = AxisPair(width: own.width.isExact, height: own.height.isExact)
    let (along, across) = inner.isVertical ? (own.height, own.width) : (own.width, own.height)
    inner.stackLength = along.isExact || along.hasMinimum ? .given : .open
    let style = child["style"]
    var main = AxisRange.unbounded
    if style?["flexBasis"].map({ !$0.isString("auto") }) ?? false { main = .exact }
    // Growing shares the room that is left, of which there is none in an unbounded direction.
    if style?["flexGrow"].map({ !$0.isZero }) ?? false, along.isExact || along.hasMinimum { main = .exact }
    let alignment = style?["alignSelf"].flatMap { $0.isString("auto") ? nil : $0 } ?? element["alignItems"]
    let stretches = alignment.map { $0.isString("stretch") } ?? true
    var cross = stretches ? across : across.loose
    // A child that stretches is as long as the longest of its line, which its siblings may decide.
    if stretches, case .sequence(let siblings, _)? = element["children"],
      siblings.count > 1 || siblings[0]["forEach"] != nil
    {
      cross.hasMinimum = true
    }
    inner.range = inner.isVertical ? AxisPair(width: cross, height: main) : AxisPair(width: main, height: cross)
    if !inner.isDirectionKnown {
      // Whatever depends on it is not looked at.
      inner.range = AxisPair(width: .exact, height: .exact)
      inner.knowsParent = AxisPair(width: true, height: true)
      inner.stackLength = .given
    }
  }

  private func loosen(_ element: SourceNode, _ type: String, _ inner: inout Surroundings) {
    let places: AxisPair<Bool>
    if type == "center" {
      let centering = element["centering"]?.text ?? "xy"
      places = AxisPair(width: centering.contains("x"), height: centering.contains("y"))
    } else {
      places = AxisPair(
        width: (element["horizontal"]?.text ?? "none") != "none",
        height: (element["vertical"]?.text ?? "none") != "none")
    }
    if places.width { inner.range.width = inner.range.width.loose }
    if places.height { inner.range.height = inner.range.height.loose }
  }

  /// The range after the element's own style. Inset, overlay and background never look at theirs.
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
      // A size that a row decides as a whole has no elements yet.
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

  /// Whether a dimension is a length above 0. What a row decides counts as one, and so does a percentage: one of a length
  /// that is not known has a warning of its own.
  private static func isLength(_ value: SourceNode) -> Bool {
    guard let text = value.text, !text.contains("{"), !text.hasSuffix("%") else { return true }
    return text != "auto" && Double(text) != 0
  }

  private static func sizeRange(_ value: SourceNode, _ around: Surroundings) -> AxisPair<AxisRange> {
    func axis(_ axis: Int) -> AxisRange {
      if case .sequence = value { return .exact }
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
  /// A scalar as written; nil for a mapping or sequence.
  var text: String? {
    switch self {
    case .string(let text, _), .literal(let text, _): text
    default: nil
    }
  }

  func isString(_ wanted: String) -> Bool { if case .string(wanted, _) = self { true } else { false } }

  var isZero: Bool {
    guard case .literal(let text, _) = self else { return false }
    return text == "false" || Double(text) == 0
  }

  /// An element of a sequence, or the value itself where a row decides all of it.
  func part(_ index: Int) -> SourceNode? { if case .sequence = self { element(index) } else { self } }

  /// An element of a sequence.
  func element(_ index: Int) -> SourceNode? {
    guard case .sequence(let elements, _) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
