import Buffers
import LayoutEngine

/// The layout of a node that reads `constrainedSize`: as its `layoutSpecThatFits:` would, it means the range that the
/// node itself is asked, which only the solver learns. The binder writes what the node was asked so far, and the row is
/// laid out again until nothing new is asked.
struct NodeLayout: Equatable {
  /// The node's place: in which other node's layout it stands, and which template and `forEach` items made it.
  struct Place: Equatable {
    let layout: Int32
    let template: Int32
    let items: [Int32]
  }

  let place: Place
  let range: SizeRange
}

extension RowBinder {
  /// Layouts that the nodes of a row may be asked for.
  private static let maxNodeLayouts = 1000

  /// Adds what the solver asked for and the tree did not have; the tree, elements, texts and URLs are then new.
  ///
  /// - Parameter again: this layout asked before; else what earlier layouts asked is forgotten.
  public func answer(_ requests: UnsafeBufferPointer<SpecRequest>, again: Bool) throws(CellError) {
    if cell != nil { return try answerSpecs(requests) }
    let requested = requests.map { request in
      let bound = elements[Int(request.element)]
      return NodeLayout(
        place: NodeLayout.Place(
          layout: bound.layout, template: bound.template, items: bound.suffix.range.map { suffixes[$0] }),
        range: request.range)
    }
    if !again && !nodeLayouts.isEmpty {
      // The places of what is asked may lie in what is forgotten: then it is asked anew.
      nodeLayouts.removeAll()
      return try bindTemplates(boundRange)
    }
    for request in requested where !nodeLayouts.contains(request) {
      guard nodeLayouts.count < Self.maxNodeLayouts else {
        throw CellError("is asked for more than \(Self.maxNodeLayouts) layouts")
          .within(contentsOf: path(ofTemplate: request.place.template))
      }
      nodeLayouts.append(request)
    }
    try bindTemplates(boundRange)
  }

  /// Ranges for which the node that is written next has layouts.
  func nodeLayouts(at place: NodeLayout.Place) -> [Int] {
    nodeLayouts.indices.filter { nodeLayouts[$0].place == place }
  }

  func setConstraint(_ range: SizeRange) {
    constraints[1] = range.min.width.bitPattern
    constraints[3] = range.min.height.bitPattern
    constraints[5] = range.max.width.bitPattern
    constraints[7] = range.max.height.bitPattern
  }

  /// Writes the layouts of a node whose layout reads its constrained size, one for each range it was asked.
  func emitLayouts(
    of node: Int32, _ template: UnsafeMutablePointer<TemplateElement>, _ element: inout Element,
    _ bound: BoundElement, _ values: RowValues
  ) throws(CellError) {
    let place = NodeLayout.Place(
      layout: bound.layout, template: node, items: bound.suffix.range.map { suffixes[$0] })
    let known = nodeLayouts(at: place)
    element = .node(specsFor: tree.sizes.count, count: known.count, like: element)
    for layout in known {
      tree.sizes.append(nodeLayouts[layout].range.min)
      tree.sizes.append(nodeLayouts[layout].range.max)
    }
    elements.append(bound)
    let opened = tree.open(element)
    let outer = (layout: currentLayout, range: currentRange)
    for layout in known {
      currentLayout = Int32(layout)
      currentRange = nodeLayouts[layout].range
      setConstraint(currentRange)
      let before = tree.count
      try emit(node + 1, values)
      if tree.count == before { emitAbsent(node + 1) }
    }
    (currentLayout, currentRange) = outer
    setConstraint(currentRange)
    tree.close(opened)
  }

  /// A node's layout is absent (`when`): an empty spec.
  func emitAbsent(_ template: Int32) {
    tree.add(.spec)
    elements.append(
      BoundElement(template: template, text: absent, url: absent, suffix: Span(), layout: currentLayout))
  }
}
