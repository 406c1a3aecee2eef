import Buffers

/// The specs and nodes of a cell as an `ElementTree`. The `tag` of an element is its index, by which its source is found.
public final class SpecTree {
  /// The most elements of a cell.
  public static let maxElements = 100_000
  /// The most levels of a cell.
  public static let maxDepth = 1000
  /// The most specs that the nodes of a cell return.
  private static let maxSpecs = 10_000

  /// The elements of the cell.
  public private(set) var tree = ElementTree()
  /// Whether any node of the tree states a direction for its subnodes.
  public private(set) var statesDirections = false
  /// The spec or node of each element of the tree.
  public private(set) var sources: [any LayoutElement] = []
  private var paths: [(parent: Int, component: String)] = []
  private var firstPath: [ObjectIdentifier: Int] = [:]
  /// The specs that nodes returned, with their ranges.
  private var specs: [ObjectIdentifier: [(range: SizeRange, spec: any LayoutElement)]] = [:]
  private var specCount = 0
  /// The nodes that returned no layout spec.
  private var leaves: Set<ObjectIdentifier> = []

  /// Creates an empty tree.
  public init() {}

  /// Replaces the tree by the elements of a cell's layout.
  ///
  /// - Throws: `SpecError` for a node that is used twice, a spec that cannot arrange its children, or a layout with too many
  ///   elements or levels.
  public func build(_ layout: any LayoutElement) throws(SpecError) {
    specs.removeAll(keepingCapacity: true)
    specCount = 0
    leaves.removeAll(keepingCapacity: true)
    try rebuild(layout)
  }

  /// Replaces the tree by the elements of the same layout, with the specs that its nodes return for the ranges of requests.
  ///
  /// - Throws: `SpecError`, as for the first build, and for a cell with too many specs.
  public func build(_ layout: any LayoutElement, adding requests: UnsafeBufferPointer<SpecRequest>) throws(SpecError) {
    for request in requests {
      guard let node = sources[Int(request.element)] as? DisplayNode else { continue }
      let identity = ObjectIdentifier(node)
      if specs[identity, default: []].contains(where: { $0.range == request.range }) { continue }
      specCount += 1
      guard specCount <= Self.maxSpecs else {
        throw SpecError("asks for more than \(Self.maxSpecs) layout specs", path: path(of: Int(request.element)))
      }
      if let spec = node.layoutSpecThatFits(request.range) {
        specs[identity, default: []].append((request.range, spec))
      } else {
        leaves.insert(identity)
      }
    }
    try rebuild(layout)
  }

  private func rebuild(_ layout: any LayoutElement) throws(SpecError) {
    tree.reset(sharedStyles: 1)
    statesDirections = false
    sources.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    firstPath.removeAll(keepingCapacity: true)
    try add(layout, parent: -1, "layout", depth: 0)
  }

  /// Throws an error for a spec with the element of a node, or with more children than its element places. The frames of the
  /// others would be read from the placements of other elements, or beyond them.
  private func check(
    _ spec: any LayoutSpec, _ kind: Element.Kind, childCount: Int, limit: Int, at index: Int
  ) throws(SpecError) {
    let reason: String
    if kind.isNode {
      reason = "is a LayoutSpec with the element of a node (\(kind)); make it a subclass of DisplayNode"
    } else if childCount > limit {
      reason =
        "has \(childCount) children, but its element (\(kind)) takes at most \(limit); put them into a StackLayoutSpec"
    } else {
      return
    }
    throw SpecError("\(Swift.type(of: spec).name) \(reason)", path: path(of: index))
  }

  /// Returns the last component of the path of each child that specs of a kind take; nil if they take any number of children.
  private static func roles(in kind: Element.Kind) -> [String]? {
    switch kind {
    case .inset, .relative, .ratio: ["child"]
    case .overlay: ["child", "overlay"]
    case .background: ["child", "background"]
    case .corner: ["child", "corner"]
    default: nil
    }
  }

  /// Returns the path of an element, such as `["layout", "children", "2"]`.
  public func path(of index: Int) -> [String] {
    var path: [String] = []
    var index = index
    while index >= 0 {
      path.append(contentsOf: paths[index].component.split(separator: "/").reversed().map(String.init))
      index = paths[index].parent
    }
    return path.reversed()
  }

  private func add(
    _ source: any LayoutElement, parent: Int, _ component: String, depth: Int
  ) throws(SpecError) {
    let index = tree.count
    paths.append((parent, component))
    sources.append(source)
    guard index < Self.maxElements else {
      throw SpecError("has more than \(Self.maxElements) elements", path: ["layout"])
    }
    guard depth < Self.maxDepth else {
      throw SpecError("is nested more than \(Self.maxDepth) levels deep", path: ["layout"])
    }
    if let node = source as? DisplayNode {
      try add(node, at: index, depth)
    } else if let spec = source as? any LayoutSpec {
      var element = spec.element
      let children = spec.children
      let roles = Self.roles(in: element.kind)
      try check(spec, element.kind, childCount: children.count, limit: roles?.count ?? .max, at: index)
      element.style = tree.add(style: spec.style)
      element.tag = Int32(index)
      let opened = tree.open(element)
      for (number, child) in children.enumerated() {
        try add(child, parent: index, roles?[number] ?? "children/\(number)", depth: depth + 1)
      }
      tree.close(opened)
    } else {
      throw SpecError("is neither a LayoutSpec nor a DisplayNode", path: path(of: index))
    }
  }

  private func add(_ node: DisplayNode, at index: Int, _ depth: Int) throws(SpecError) {
    let identity = ObjectIdentifier(node)
    let isLeaf = node.isLeaf || leaves.contains(identity)
    let known = isLeaf ? [] : specs[identity] ?? []
    let scroll = node as? ScrollNode
    var element =
      scroll.map { .scroll($0.scrollableDirections) }
      ?? (isLeaf ? leafElement(node) : .node(specsFor: tree.sizes.count, count: known.count))
    element.style = tree.add(style: node.style)
    element.tag = Int32(index)
    if !isLeaf, let direction = node.layoutDirection {
      element.layoutDirection = direction
      statesDirections = true
    }
    // Only one of the specs that a node returned for different ranges is laid out at a time, so that they can share nodes.
    // A node is used twice only if it occurs twice inside one of them.
    if let first = firstPath[identity], !isInAnotherSpec(index, than: first) {
      let name = node.name.isEmpty ? "" : " \"\(node.name)\""
      throw SpecError(
        "the \(node.type)\(name) is used twice in one layout; it already stands at \(SpecError.format(path(of: first)))",
        path: path(of: index))
    }
    firstPath[identity] = index
    for (range, _) in known {
      tree.sizes.append(range.min)
      tree.sizes.append(range.max)
    }
    let opened = tree.open(element)
    for (number, (_, spec)) in known.enumerated() {
      try add(spec, parent: index, "layout/\(number)", depth: depth + 1)
    }
    if let scroll { try add(scroll.content, parent: index, "content", depth: depth + 1) }
    tree.close(opened)
  }

  /// Returns whether two elements are in different specs of one node.
  private func isInAnotherSpec(_ index: Int, than other: Int) -> Bool {
    func lineage(_ index: Int) -> [Int] {
      var lineage = [index]
      while let last = lineage.last, paths[last].parent >= 0 { lineage.append(paths[last].parent) }
      return lineage.reversed()
    }
    let (a, b) = (lineage(index), lineage(other))
    let common = zip(a, b).prefix { $0 == $1 }.count
    guard common > 0, common < a.count, common < b.count else { return false }
    return sources[a[common - 1]] is DisplayNode
  }

  private func leafElement(_ node: DisplayNode) -> Element {
    switch node.type {
    case .text: .text
    case .image: node.calculateSizeThatFits(.unbounded).map(Element.node(calculatedSize:)) ?? .node
    // The owner of the solver measures the node with `calculateSizeThatFits`.
    case .node where Swift.type(of: node) != DisplayNode.self: .text
    default: node.preferredFrameSize.map(Element.node(calculatedSize:)) ?? .node
    }
  }
}
