import Buffers
import LayoutEngine
import TextMeasuring

extension RowBinder {
  /// Builds the row's tree for one constrained size.
  public func bind(_ constrainedSize: SizeRange) throws(CellError) {
    guard row != nil else { return }
    nodeLayouts.removeAll(keepingCapacity: true)
    boundRange = constrainedSize
    if let cell { return try bindSpecs(of: cell, constrainedSize) }
    try bindTemplates(constrainedSize)
  }

  func removeBound() {
    elements.removeAll()
    texts.removeAll()
    runs.removeAll()
    urls.removeAll()
    items.removeAll()
    itemNumbers.removeAll()
    suffixes.removeAll()
    iterations = 0
    hasNodeLayouts = false
    currentSuffix = Span()
    currentLayout = absent
  }

  func bindTemplates(_ constrainedSize: SizeRange) throws(CellError) {
    guard let row else { return }
    removeBound()
    currentRange = constrainedSize
    setConstraint(constrainedSize)
    if isInline {
      loadStyles(inline.templates)
      treeHoldsInlineStyles = true
      try withUnsafePointer(to: inline.templates) { (templates) throws(CellError) in try emitCell(templates, row) }
    } else {
      if treeHoldsInlineStyles { loadStyles(program.templates) }
      treeHoldsInlineStyles = false
      tree.reset(sharedStyles: program.templates.styles.count, sharedSizes: program.templates.sizes.count)
      try withUnsafePointer(to: program.templates) { (templates) throws(CellError) in try emitCell(templates, row) }
    }
  }

  private func loadStyles(_ templates: borrowing Templates) {
    tree.reset(sharedStyles: 0)
    tree.styles.append(contentsOf: templates.styles.values)
    tree.sizes.append(contentsOf: templates.sizes.values)
  }

  private func emitCell(_ templates: UnsafePointer<Templates>, _ row: JSONValue) throws(CellError) {
    let values = RowValues(
      templates: templates, row: row, slots: UnsafePointer(slots.base), items: UnsafePointer(items.base),
      constraints: UnsafePointer(constraints), arena: arena)
    try emit(root, values)
    // The whole layout is absent: an empty cell.
    if tree.count == 0 {
      tree.add(.spec)
      elements.append(BoundElement(template: root, text: absent, url: absent, suffix: Span()))
    }
  }

  func emit(_ index: Int32, _ values: RowValues) throws(CellError) {
    let template = values.templates.pointee.elements.base + Int(index)
    guard template.pointee.loop != absent else {
      if template.pointee.when != absent && !values.holds(template.pointee.when) { return }
      return try emitOne(index, template, values)
    }
    let loop = values.templates.pointee.loops[Int(template.pointee.loop)]
    guard let array = values.value(at: loop.path), !array.isNull else { return }
    guard array.kind == .array else {
      throw wrongType(array, "an array").within("forEach").within(contentsOf: values.templates.pointee.path(of: index))
    }
    let outer = currentSuffix
    items.append(array)
    itemNumbers.append(0)
    let depth = items.count - 1
    defer {
      items.truncate(to: depth)
      itemNumbers.truncate(to: depth)
      currentSuffix = outer
    }
    try array.forEachElement { (position, item) throws(CellError) in
      guard position < Int(loop.limit) else { return }
      iterations += 1
      guard iterations <= Self.maxIterations else {
        throw CellError("repeats elements more than \(Self.maxIterations) times")
      }
      items[depth] = item
      itemNumbers[depth] = Int32(truncatingIfNeeded: position)
      if template.pointee.when != absent && !values.holds(template.pointee.when) { return }
      currentSuffix = Span(first: Int32(suffixes.count), count: Int32(depth + 1))
      suffixes.append(contentsOf: itemNumbers.values)
      try emitOne(index, template, values)
    }
  }

  private func emitOne(
    _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>, _ values: RowValues
  ) throws(CellError) {
    var element = template.pointee.element
    element.style = template.pointee.style
    var textDraft: TextDraft?
    if template.pointee.draft != absent {
      let draft = try complete(&element, index, template, values)
      if !template.pointee.stands(with: draft) { return }
      if template.pointee.text != absent { textDraft = draft.text }
    }
    var bound = BoundElement(template: index, text: absent, url: absent, suffix: currentSuffix, layout: currentLayout)
    if template.pointee.text != absent {
      bound.text = try bindText(template, index, values, textDraft)
      if template.pointee.vanishesWhenEmpty && isEmpty(texts[Int(bound.text)]) { return }
    }
    if template.pointee.url != absent {
      do throws(CellError) { urls.append(try values.text(template.pointee.url)) } catch {
        throw error.within("url").within(contentsOf: values.templates.pointee.path(of: index))
      }
      bound.url = Int32(truncatingIfNeeded: urls.count - 1)
    }
    guard tree.count < Self.maxElements else {
      throw CellError("has more than \(Self.maxElements) elements")
    }
    element.tag = Int32(truncatingIfNeeded: tree.count)
    if template.pointee.layoutReadsConstraint {
      hasNodeLayouts = true
      return try emitLayouts(of: index, template, &element, bound, values)
    }
    elements.append(bound)
    let opened = tree.open(element)
    var child = index + 1
    while child < template.pointee.end {
      let before = tree.count
      try emit(child, values)
      if tree.count == before && !continuesWithout(child, values) { break }
      child = values.templates.pointee.elements[Int(child)].end
    }
    tree.close(opened)
  }

  /// Whether an element goes on with its other elements although this one is absent (`when`). Without its child a spec has
  /// nothing to put an overlay, background or corner on; it is then laid out as an empty LayoutSpec. A node without its
  /// layout has an empty one.
  private func continuesWithout(_ child: Int32, _ values: RowValues) -> Bool {
    switch values.templates.pointee.elements[Int(child)].role {
    case .child: return false
    case .layout where !values.templates.pointee.elements[Int(child)].isSynthetic: emitAbsent(child)
    default: break
    }
    return true
  }

  /// Reads the properties that depend on the row.
  private func complete(
    _ element: inout Element, _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>,
    _ values: RowValues
  ) throws(CellError) -> ElementDraft {
    var draft = values.templates.pointee.drafts[Int(template.pointee.draft)]
    let type = template.pointee.type
    let restyles = try apply(template.pointee.patches, to: &draft, of: type, at: index, values)
    element = draft.element(of: type)
    element.style = restyles ? tree.add(style: draft.finishedStyle) : template.pointee.style
    return draft
  }

  /// Reads patches into a draft; returns whether any of them changes the style.
  private func apply(
    _ patches: Span, to draft: inout ElementDraft, of type: ElementType, at index: Int32, within part: [String] = [],
    _ values: RowValues
  ) throws(CellError) -> Bool {
    let reader = ValueReader(source: values)
    var restyles = false
    for patch in patches.range {
      let patch = values.templates.pointee.patches[patch]
      do throws(CellError) {
        var value = patch.value
        if patch.dependent != absent {
          guard let own = try values.value(of: patch.dependent) else { continue }
          value = own
        }
        if patch.isInStyle {
          restyles = true
          try draft.readStyle(patch.keyword, value, reader)
        } else {
          try draft.read(patch.keyword, of: type, value, reader, fonts: fonts, sizes: &tree.sizes)
        }
      } catch {
        throw error.within(contentsOf: values.templates.pointee.path(of: index) + part + patch.path)
      }
    }
    return restyles
  }

  /// - Parameter draft: what the row says of the text apart from its runs, or nil where the row has no influence.
  private func bindText(
    _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ values: RowValues, _ draft: TextDraft?
  ) throws(CellError) -> Int32 {
    let text = values.templates.pointee.texts.base + Int(template.pointee.text)
    let first = runs.count
    for number in text.pointee.runs.range {
      let run = values.templates.pointee.runs.base + number
      var style = run.pointee.style
      if draft != nil || run.pointee.patches.count > 0 {
        style = try self.style(of: run.pointee, template, index, values, draft)
      }
      do throws(CellError) {
        runs.append(TextRun(text: try values.text(run.pointee.expression), style: style))
      } catch {
        throw error.within(template.pointee.isSynthetic ? "title" : "text").within(contentsOf: run.pointee.path)
          .within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    texts.append(
      BoundText(firstRun: first, runCount: runs.count - first, options: draft?.options ?? text.pointee.options))
    return Int32(truncatingIfNeeded: texts.count - 1)
  }

  /// The style of a run of which the row says something.
  private func style(
    of run: RunTemplate, _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ values: RowValues,
    _ draft: TextDraft?
  ) throws(CellError) -> TextStyle {
    var own = ElementDraft()
    own.text = run.draft
    _ = try apply(run.patches, to: &own, of: .text, at: index, within: run.path, values)
    return try fonts.style(of: own.text, in: draft ?? values.templates.pointee.texts[Int(template.pointee.text)].draft)
  }

  private func isEmpty(_ text: BoundText) -> Bool {
    for run in text.firstRun..<text.firstRun + text.runCount where !runs[run].text.isEmpty { return false }
    return true
  }
}

extension RunTemplate {
  /// Its path within its text.
  fileprivate var path: [String] { position == absent ? [] : ["runs", "\(position)"] }
}
