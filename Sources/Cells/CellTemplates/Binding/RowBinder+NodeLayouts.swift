import Buffers
import LayoutEngine

/// A layout of a node that reads `constrainedSize`.
///
/// As in the node's `layoutSpecThatFits:`, `constrainedSize` is the range that the node is measured with, which only the
/// solver knows. The binder writes a layout for each range that the solver has requested, and the row is laid out again
/// until the solver requests no further one.
struct NodeLayout: Equatable {
  /// The index of the node layout that contains the node, or -1.
  let outer: Int32
  let node: ElementInstance
  let range: SizeRange
}

extension RowBinder {
  /// The largest number of layouts that the nodes of a row may have.
  private static let maxNodeLayouts = 4000

  /// Binds the row again with the layouts that the solver requested. The tree, elements, texts and URLs are then new.
  ///
  /// - Parameter again: whether this layout of the row has requested layouts before; otherwise the requests of earlier
  ///   layouts are discarded.
  public func bind(adding requests: UnsafeBufferPointer<SpecRequest>, again: Bool) throws(CellError) {
    if state.row.isCustom { return try bindSpecs(adding: requests) }
    let requested = requests.map { request in
      let bound = state.elements[Int(request.element)]
      return NodeLayout(outer: bound.layout, node: instance(of: bound), range: request.range)
    }
    if !again && !state.nodeLayouts.isEmpty {
      // The requesting nodes may be in layouts that are discarded. Their layouts are then requested again.
      state.nodeLayouts.removeAll()
      return try bindTemplates()
    }
    let known = state.nodeLayouts.count
    for request in requested where !state.nodeLayouts.contains(request) {
      guard state.nodeLayouts.count < Self.maxNodeLayouts else {
        throw CellError(
          "the nodes of the row need more than \(Self.maxNodeLayouts) layouts, one for each size range; let fewer nodes read "
            + "constrainedSize"
        ).within(contentsOf: path(ofTemplate: request.node.template))
      }
      state.nodeLayouts.append(request)
    }
    do throws(CellError) { try bindTemplates() } catch {
      // Only the range of the first request is known to be final. The others can follow from the size that the first node has
      // without its layout, so that their layouts are requested again.
      guard state.nodeLayouts.count > known + 1 else { throw error }
      state.nodeLayouts.removeSubrange((known + 1)...)
      try bindTemplates()
    }
  }

  /// Writes the layouts of a node whose layout reads its constrained size, one for each range that was requested.
  func emitLayouts(
    of index: Int32, _ element: inout Element, _ bound: BoundElement, _ values: RowValues
  ) throws(CellError) {
    let node = instance(of: bound)
    let known = state.nodeLayouts.indices.filter {
      state.nodeLayouts[$0].outer == bound.layout && state.nodeLayouts[$0].node == node
    }
    element = .node(specsFor: state.tree.sizes.count, count: known.count, like: element)
    for layout in known {
      state.tree.sizes.append(state.nodeLayouts[layout].range.min)
      state.tree.sizes.append(state.nodeLayouts[layout].range.max)
    }
    state.elements.append(bound)
    let opened = state.tree.open(element)
    let outer = state.currentLayout
    for layout in known {
      state.currentLayout = Int32(layout)
      self.values.pointee.set(state.nodeLayouts[layout].range)
      let before = state.tree.count
      try emit(index + 1, values)
      if state.tree.count == before { emitAbsent(index + 1) }
    }
    state.currentLayout = outer
    self.values.pointee.set(outer == absent ? state.boundRange : state.nodeLayouts[Int(outer)].range)
    state.tree.close(opened)
  }

  func instance(of bound: BoundElement) -> ElementInstance {
    ElementInstance(template: bound.template, items: bound.suffix.range.map { state.suffixes[$0] })
  }

  /// Adds an empty spec in place of a node's layout that is absent because of its `when`.
  func emitAbsent(_ template: Int32) {
    state.tree.add(.spec)
    state.elements.append(BoundElement(template: template, layout: state.currentLayout))
  }
}
