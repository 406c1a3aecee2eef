import GalleyTestSupport
import LayoutEngine
import Testing

/// The layouts of Texture's conformance cases, built of specs and nodes in Swift.
@Suite struct SpecConformanceTests {
  @Test(arguments: ["texture-layouts.jsonl", "random-layouts.jsonl"])
  func specsHaveTheFramesOfTexture(fixture: String) throws {
    let layout = CellLayout(scale: 2)
    for line in try Fixtures.lines(fixture) {
      let row = try JSON(parsing: line)
      let id = row["id"]?.string ?? ""
      let range = try #require(row["constrainedSize"])
      let (min, max) = (try #require(range["min"]).size, try #require(range["max"]).size)
      let expected = try #require(row["expected"])
      let spec = try #require(row["layout"].flatMap(SpecReader.element), "\(id)")
      let size = try layout.layout(spec, thatFits: SizeRange(min: min, max: max))
      #expect(size == expected["size"]?.size, "\(id)")
      let frames = Dictionary(layout.frames.map { ($0.node.name, $0.rect) }, uniquingKeysWith: { first, _ in first })
      for (name, box) in expected["frames"]?.object ?? [:] {
        let sides = box.array?.map(\.double) ?? []
        #expect(frames[name] == Rect(sides[0], sides[1], sides[2], sides[3]), "\(id): \(name)")
      }
    }
  }
}

/// A reader of layouts in the format of cells files. It sets only what a layout states, so that the defaults are those of
/// the types.
private enum SpecReader {
  static func element(_ json: JSON) -> (any LayoutElement)? {
    switch unstyled(json) {
    case let node as DisplayNode: node.styled { apply(json["style"], &$0) }
    case let spec as any LayoutSpec: spec.styled { apply(json["style"], &$0) }
    default: nil
    }
  }

  private static func unstyled(_ json: JSON) -> (any LayoutElement)? {
    let child = { json["child"].flatMap(element) ?? Spacer() }
    let children = { json["children"]?.array?.compactMap(element) ?? [] }
    switch json["type"]?.string {
    case "node": return node(json)
    case "image":
      return ImageNode(json["id"]?.string ?? "", imageSize: json["imageSize"]?.size)
    case "stack": return stack(json, children())
    case "inset": return InsetLayoutSpec(insets: insets(json["insets"]), child: child)
    case "background":
      let background = json["background"].flatMap(element)
      return BackgroundLayoutSpec(child: child(), background: background)
    case "overlay":
      let overlay = json["overlay"].flatMap(element)
      return OverlayLayoutSpec(child: child(), overlay: overlay)
    case "center":
      var spec = CenterLayoutSpec(child: child)
      let centerings: [String: CenterLayoutSpec.Centering] = ["none": .none, "x": .x, "y": .y, "xy": .xy]
      set(&spec.centering, json["centering"]?.string.flatMap { centerings[$0] })
      let sizings: [String: RelativeLayoutSizing] = [
        "minimumX": .minimumWidth, "minimumY": .minimumHeight, "minimumXY": .minimumSize,
      ]
      set(&spec.sizing, json["sizing"]?.string.flatMap { sizings[$0] })
      return spec
    case "relative":
      var spec = RelativeLayoutSpec(child: child)
      set(&spec.horizontal, named(json["horizontal"]))
      set(&spec.vertical, named(json["vertical"]))
      set(&spec.sizing, named(json["sizing"]))
      return spec
    case "ratio":
      let sides = json["ratio"]?.array?.map(\.double)
      let ratio = sides.map { $0[1] / $0[0] } ?? json["ratio"]?.double
      return ratio.map { RatioLayoutSpec(ratio: $0, child: child) }
    case "absolute":
      var spec = AbsoluteLayoutSpec(children: children)
      set(&spec.sizing, named(json["sizing"]))
      return spec
    case "static": return StaticLayoutSpec(children: children)
    case "corner":
      guard let corner = json["corner"].flatMap(element) else { return nil }
      var spec = CornerLayoutSpec(child: child(), corner: corner, location: named(json["location"]) ?? .topLeft)
      let offset = json["offset"]?.array?.map(\.double)
      set(&spec.offset, offset.map { Point($0[0], $0[1]) })
      set(&spec.wrapsCorner, json["wrapsCorner"].map { $0 == .bool(true) })
      return spec
    case "wrapper": return WrapperLayoutSpec(children: children)
    case "spec": return Spacer()
    default: return nil
    }
  }

  private static func node(_ json: JSON) -> DisplayNode {
    let name = json["id"]?.string ?? ""
    if let layout = json["layout"] { return DisplayNode(name) { _ in element(layout) ?? Spacer() } }
    guard let stated = json["calculatedSize"], let sizes = stated.array else { return DisplayNode(name) }
    let isOne = sizes.first?.array == nil
    return CalculatingNode(name, sizes: isOne ? [stated.size] : sizes.map(\.size))
  }

  private static func stack(_ json: JSON, _ children: [any LayoutElement]) -> StackLayoutSpec {
    var stack = StackLayoutSpec { children }
    set(&stack.options.direction, named(json["direction"]))
    set(&stack.options.justifyContent, named(json["justifyContent"]))
    set(&stack.options.alignItems, named(json["alignItems"]))
    set(&stack.options.flexWrap, named(json["flexWrap"]))
    set(&stack.options.alignContent, named(json["alignContent"]))
    set(&stack.options.spacing, json["spacing"]?.double)
    set(&stack.options.lineSpacing, json["lineSpacing"]?.double)
    set(&stack.horizontalAlignment, named(json["horizontalAlignment"]))
    set(&stack.verticalAlignment, named(json["verticalAlignment"]))
    return stack
  }

  private static func insets(_ json: JSON?) -> EdgeInsets {
    guard let json, json.object != nil else { return EdgeInsets(json?.double ?? 0) }
    let side = { json[$0]?.double ?? 0 }
    return EdgeInsets(top: side("top"), left: side("left"), bottom: side("bottom"), right: side("right"))
  }

  private static func apply(_ json: JSON?, _ style: inout LayoutElementStyle) {
    // Pairs first, since the cases state single lengths after them.
    let pair = { (key: String) in json?[key]?.array.map { ($0[0].dimension, $0[1].dimension) } }
    set(&style.preferredLayoutSize, pair("preferredSize") ?? pair("preferredLayoutSize"))
    set(&style.minLayoutSize, pair("minSize") ?? pair("minLayoutSize"))
    set(&style.maxLayoutSize, pair("maxSize") ?? pair("maxLayoutSize"))
    let lengths: [(String, WritableKeyPath<LayoutElementStyle, Dimension>)] = [
      ("width", \.width), ("height", \.height), ("minWidth", \.minWidth), ("minHeight", \.minHeight),
      ("maxWidth", \.maxWidth), ("maxHeight", \.maxHeight), ("flexBasis", \.flexBasis),
    ]
    for (key, path) in lengths { set(&style[keyPath: path], json?[key]?.dimension) }
    let numbers: [(String, WritableKeyPath<LayoutElementStyle, Double>)] = [
      ("spacingBefore", \.spacingBefore), ("spacingAfter", \.spacingAfter), ("flexGrow", \.flexGrow),
      ("flexShrink", \.flexShrink), ("ascender", \.ascender), ("descender", \.descender),
    ]
    for (key, path) in numbers { set(&style[keyPath: path], json?[key]?.double) }
    set(&style.alignSelf, named(json?["alignSelf"]))
    set(&style.layoutPosition, json?["layoutPosition"]?.array.map { Point($0[0].double, $0[1].double) })
    guard let range = json?["sizeRange"] else { return }
    let size = { (json: JSON?) in json?.array.map { RelativeSize(width: $0[0].dimension, height: $0[1].dimension) } }
    if let exact = size(range) {
      style.sizeRange = RelativeSizeRange(exactly: exact)
    } else {
      style.sizeRange = RelativeSizeRange(
        min: size(range["min"]) ?? RelativeSize(.zero), max: size(range["max"]) ?? RelativeSize(.unbounded))
    }
  }

  private static func set<Value>(_ value: inout Value, _ stated: Value?) { if let stated { value = stated } }

  /// Returns the value of an enumeration with a name, or nil.
  private static func named<Value: CaseIterable>(_ json: JSON?) -> Value? {
    json?.string.flatMap { name in Value.allCases.first { "\($0)" == name } }
  }
}

/// A node whose size is the first one whose width fits, otherwise the last one.
private final class CalculatingNode: DisplayNode {
  private let sizes: [Size]

  init(_ name: String, sizes: [Size]) {
    self.sizes = sizes
    super.init(name)
  }

  override func calculateSizeThatFits(_ constrainedSize: Size) -> Size? {
    sizes.first { $0.width <= constrainedSize.width } ?? sizes.last
  }
}

extension JSON {
  fileprivate var double: Double {
    switch self {
    case .number(let value): value
    case .bool(let value): value ? 1 : 0
    default: .infinity
    }
  }

  fileprivate var dimension: Dimension {
    if case .number(let value) = self { .points(value) } else { Dimension(string ?? "") }
  }
  fileprivate var size: Size {
    let sides = array?.map(\.double) ?? []
    return Size(sides[0], sides[1])
  }
}
