import Buffers
import LayoutEngine
import TextMeasuring

/// Binding of rows whose cell class is written in Swift. The layout that the cell returns is copied into the binder's
/// tree, so that everything after binding is the same for all rows.
extension RowBinder {
  func makeCell(_ make: CellRegistry.Make, _ row: JSONValue) throws(CellError) -> any CellNode {
    do { return try make(RowFields(row)) } catch {
      throw CellError("its cell cannot be made: \(error)")
    }
  }

  func bindSpecs(_ range: SizeRange) throws(CellError) {
    guard let cell = state.row.custom?.cell else { return }
    let layout = cell.layoutSpecThatFits(range)
    state.row = .custom(cell, layout: layout)
    try specs.build(layout)
    try copySpecs()
  }

  func bindSpecs(adding requests: UnsafeBufferPointer<SpecRequest>) throws(CellError) {
    guard let layout = state.row.custom?.layout else { return }
    try specs.build(layout, adding: requests)
    try copySpecs()
  }

  private func copySpecs() throws(CellError) {
    removeBound()
    inline.pointee.templates.removeAll()
    state.treeHoldsInlineStyles = true
    state.tree.copy(specs.tree)
    state.layoutDirection = state.row.custom?.cell.layoutDirection
    for (index, source) in specs.sources.enumerated() {
      let node = source as? DisplayNode
      var template = TemplateElement(element: .spec, type: node.map { ElementType($0.type) } ?? .spec)
      if let name = node?.name { template.name = try keep(name) }
      inline.pointee.templates.elements.append(template)
      var bound = BoundElement(template: Int32(index))
      if let text = node as? TextNode { bound.text = try bind(text, at: index) }
      if let url = node?.url {
        bound.resource = state.resources.add(BoundResource(url: try keep(url), type: template.type))
      }
      state.elements.append(bound)
    }
  }

  private func bind(_ text: TextNode, at index: Int) throws(CellError) -> Int32 {
    let first = state.runs.count
    for (number, run) in text.runs.enumerated() {
      do throws(CellError) {
        let font = try fonts.index(of: try keep(run.font))
        state.runs.append(TextRun(text: try keep(run.text), style: fonts.styles[Int(font)], font: font))
      } catch {
        throw error.within("font").within("\(number)").within("runs").within(contentsOf: specs.path(of: index))
      }
    }
    var options = TextOptions()
    options.maximumNumberOfLines = Int32(clamping: max(0, text.maximumNumberOfLines))
    options.truncation = try keep(text.truncation)
    options.lineSpacing = text.lineSpacing
    var placement = TextPlacement(insets: text.textContainerInset)
    guard text.exclusionPaths.count <= ExclusionPaths.maxCount else {
      throw CellError(
        "has \(text.exclusionPaths.count) rectangles, but a text has at most \(ExclusionPaths.maxCount)"
      ).within("exclusionPaths").within(contentsOf: specs.path(of: index))
    }
    placement.exclusionPaths = ExclusionPaths(text.exclusionPaths)
    add(placement)
    return state.texts.add(BoundText(firstRun: first, runCount: state.runs.count - first, options: options))
  }

  private func keep(_ string: String) throws(CellError) -> ByteString {
    guard arena.pointee.size + string.utf8.count <= Self.maxStringBytes else { throw Self.tooManyStringBytes }
    arena.pointee.append(string)
    return arena.pointee.finish()
  }

  /// Returns the size that a node of the row's cell class calculates for itself.
  public func measure(_ element: Int32, _ room: Size) -> LeafMeasurement { specs.measure(element, room) }

  /// Calls the layout method of a custom spec of the row's cell class, and returns the spec's size.
  public func layOut(_ element: Int32, _ range: SizeRange, _ pass: inout CustomLayoutPass) -> Size {
    specs.layOut(element, range, &pass)
  }
}

extension ElementType {
  fileprivate init(_ type: NodeType) {
    self =
      switch type {
      case .node: .node
      case .text: .text
      case .image: .image
      case .networkImage: .networkImage
      case .multiplexImage: .multiplexImage
      case .video: .video
      case .videoPlayer: .videoPlayer
      case .button: .button
      case .scroll: .scroll
      }
  }
}
