import Buffers

/// A mistake in a cell's layout, with where it is: `layout.children[2]`.
public struct SpecError: Error, Equatable {
  public let message: String
  public let path: [String]

  public init(message: String, path: [String]) {
    self.message = message
    self.path = path
  }
}

/// Writes a cell's specs and nodes into an `ElementTree`, and keeps which element is which. An element's `tag` is its
/// index.
public final class SpecTree {
  /// Elements of a cell, and how deep they may stand.
  public static let maxElements = 100_000
  public static let maxDepth = 1000
  /// Specs that the nodes of a cell may be asked for.
  private static let maxSpecs = 10_000

  public private(set) var tree = ElementTree()
  /// What each element of the tree is made from.
  public private(set) var sources: [any LayoutElement] = []
  private var paths: [(parent: Int, component: String)] = []
  private var firstPath: [ObjectIdentifier: Int] = [:]
  /// What nodes returned for the ranges they were asked.
  private var specs: [ObjectIdentifier: [(range: SizeRange, spec: any LayoutElement)]] = [:]
  private var specCount = 0
  /// Nodes that have no layout spec after all.
  private var leaves: Set<ObjectIdentifier> = []

  public init() {}

  /// Writes the cell's layout; what its nodes returned for an earlier cell is forgotten.
  public func build(_ layout: any LayoutElement) throws(SpecError) {
    specs.removeAll(keepingCapacity: true)
    specCount = 0
    leaves.removeAll(keepingCapacity: true)
    try rebuild(layout)
  }

  /// Asks nodes for the specs that were missing in the last layout, and writes the cell's layout anew.
  public func build(_ layout: any LayoutElement, answering requests: UnsafeBufferPointer<SpecRequest>) throws(SpecError)
  {
    for request in requests {
      guard let node = sources[Int(request.element)] as? DisplayNode else { continue }
      let identity = ObjectIdentifier(node)
      if specs[identity, default: []].contains(where: { $0.range == request.range }) { continue }
      specCount += 1
      guard specCount <= Self.maxSpecs else {
        throw SpecError(
          message: "asks for more than \(Self.maxSpecs) layout specs", path: path(of: Int(request.element)))
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
    sources.removeAll(keepingCapacity: true)
    paths.removeAll(keepingCapacity: true)
    firstPath.removeAll(keepingCapacity: true)
    try add(layout, parent: -1, "layout", depth: 0)
  }

  /// What a spec calls its child.
  private static func role(of number: Int, in kind: Element.Kind) -> String {
    switch kind {
    case .inset, .relative, .ratio: "child"
    case .overlay: number == 0 ? "child" : "overlay"
    case .background: number == 0 ? "child" : "background"
    case .corner: number == 0 ? "child" : "corner"
    default: "children/\(number)"
    }
  }

  /// Where an element stands.
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
      throw SpecError(message: "has more than \(Self.maxElements) elements", path: ["layout"])
    }
    guard depth < Self.maxDepth else {
      throw SpecError(message: "is nested more than \(Self.maxDepth) levels deep", path: ["layout"])
    }
    if let node = source as? DisplayNode {
      try add(node, at: index, depth)
    } else if let spec = source as? any LayoutSpec {
      var element = spec.element
      element.style = style(spec.style)
      element.tag = Int32(index)
      let opened = tree.open(element)
      for (number, child) in spec.children.enumerated() {
        try add(child, parent: index, Self.role(of: number, in: element.kind), depth: depth + 1)
      }
      tree.close(opened)
    } else {
      throw SpecError(message: "is neither a LayoutSpec nor a DisplayNode", path: path(of: index))
    }
  }

  private func add(_ node: DisplayNode, at index: Int, _ depth: Int) throws(SpecError) {
    let identity = ObjectIdentifier(node)
    let known = specs[identity] ?? []
    let isLeaf = node.isLeaf || leaves.contains(identity)
    var element = isLeaf ? leafElement(node) : .node(specsFor: tree.sizes.count, count: known.count)
    element.style = style(node.style)
    element.tag = Int32(index)
    // The specs that a node returned for different ranges are laid out one at a time, so they may share nodes; what
    // they share is found to be used twice only inside one of them.
    if let first = firstPath[identity], !isInAnotherSpec(index, than: first) {
      let name = node.name.isEmpty ? "" : " \"\(node.name)\""
      throw SpecError(
        message:
          "the \(node.type)\(name) is used twice in one layout; it already stands at \(Self.format(path(of: first)))",
        path: path(of: index))
    }
    firstPath[identity] = index
    if !isLeaf {
      for answer in known {
        tree.sizes.append(answer.range.min)
        tree.sizes.append(answer.range.max)
      }
    }
    let opened = tree.open(element)
    if !isLeaf {
      for (number, answer) in known.enumerated() {
        try add(answer.spec, parent: index, "layout/\(number)", depth: depth + 1)
      }
    }
    tree.close(opened)
  }

  /// Whether two elements stand in different specs of one node.
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
    case .networkImage, .multiplexImage, .video, .videoPlayer:
      node.preferredFrameSize.map(Element.node(calculatedSize:)) ?? .node
    // Whoever lays out asks `calculateSizeThatFits`.
    case .node where Swift.type(of: node) != DisplayNode.self: .text
    default: node.preferredFrameSize.map(Element.node(calculatedSize:)) ?? .node
    }
  }

  private func style(_ style: LayoutElementStyle) -> Int32 { tree.add(style: style) }

  static func format(_ path: [String]) -> String {
    path.reduce(into: "") { text, component in
      text += Int(component) != nil ? "[\(component)]" : text.isEmpty ? component : ".\(component)"
    }
  }
}
