import Buffers
import LayoutEngine
import TextMeasuring

/// Rows whose cell class is written in Swift: what it returned is copied into the binder's tree, so that everything
/// after binding is the same for all rows.
extension RowBinder {
  func makeCell(_ make: CellRegistry.Make, _ row: JSONValue) throws(CellError) -> any CellNode {
    do { return try make(RowFields(row)) } catch {
      throw CellError("its cell cannot be made: \((error as? CellError)?.description ?? "\(error)")")
    }
  }

  func bindSpecs(of cell: any CellNode, _ range: SizeRange) throws(CellError) {
    let layout = cell.layoutSpecThatFits(range)
    specLayout = layout
    do throws(SpecError) { try specs.build(layout) } catch { throw CellError(error.message, path: error.path) }
    try copySpecs()
  }

  func answerSpecs(_ requests: UnsafeBufferPointer<SpecRequest>) throws(CellError) {
    guard let specLayout else { return }
    do throws(SpecError) { try specs.build(specLayout, adding: requests) } catch {
      throw CellError(error.message, path: error.path)
    }
    try copySpecs()
  }

  private func copySpecs() throws(CellError) {
    removeBound()
    inline.templates.removeAll()
    treeHoldsInlineStyles = true
    tree.copy(specs.tree)
    for (index, source) in specs.sources.enumerated() {
      let node = source as? DisplayNode
      var template = TemplateElement(element: .spec, type: node.map { ElementType($0.type) } ?? .spec)
      template.name = node.map { keep($0.name) } ?? .empty
      inline.templates.elements.append(template)
      var bound = BoundElement(template: Int32(index), text: absent, url: absent, suffix: Span())
      if let text = node as? TextNode { bound.text = try bind(text, at: index) }
      if let url = node?.url {
        urls.append(keep(url))
        bound.url = Int32(urls.count - 1)
      }
      elements.append(bound)
    }
  }

  private func bind(_ text: TextNode, at index: Int) throws(CellError) -> Int32 {
    let first = runs.count
    for (number, run) in text.runs.enumerated() {
      do throws(CellError) {
        let style = fonts.styles[Int(try fonts.index(of: keep(run.font)))]
        runs.append(TextRun(text: keep(run.text), style: style))
      } catch {
        throw error.within("font").within("\(number)").within("runs").within(contentsOf: specs.path(of: index))
      }
    }
    var options = TextOptions()
    options.maximumNumberOfLines = Int32(clamping: max(0, text.maximumNumberOfLines))
    options.truncation = keep(text.truncation)
    options.lineSpacing = text.lineSpacing
    texts.append(BoundText(firstRun: first, runCount: runs.count - first, options: options))
    return Int32(texts.count - 1)
  }

  private func keep(_ string: String) -> ByteString {
    arena.pointee.append(string)
    return arena.pointee.finish()
  }

  /// What a node of the row's cell class says of its own size.
  public func measure(_ element: Int32, _ room: Size) -> LeafMeasurement { specs.measure(element, room) }

  /// Has a custom spec of the row's cell class lay itself out.
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
      }
  }
}
