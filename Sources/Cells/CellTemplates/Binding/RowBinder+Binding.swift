import Buffers
import LayoutEngine

extension RowBinder {
  /// Builds the row's tree for one constrained size.
  public func bind(_ constrainedSize: SizeRange) throws(CellError) {
    state.nodeLayouts.removeAll(keepingCapacity: true)
    if !values.pointee.texts.isEmpty { values.pointee.texts.removeAll() }
    state.boundRange = constrainedSize
    if state.row.isCustom { return try bindSpecs(constrainedSize) }
    try bindTemplates()
  }

  /// Removes everything that was bound before.
  func removeBound() {
    state.elements.removeAll()
    state.texts.removeAll()
    state.placements.removeAll()
    state.runs.removeAll()
    state.spans.removeAll()
    state.resources.removeAll()
    state.items.removeAll()
    state.itemNumbers.removeAll()
    state.suffixes.removeAll()
    state.iterations = 0
    state.stringBytes = 0
    arena.pointee.removeAll()
    state.hasNodeLayouts = false
    state.currentSuffix = BufferRange()
    state.currentLayout = absent
  }

  /// Builds the tree of a row whose layout is compiled to templates, for the range in `state.boundRange`.
  func bindTemplates() throws(CellError) {
    guard let (cell, row) = state.row.compiled else { return }
    removeBound()
    state.tree.generation = program.generation
    values.pointee.set(state.boundRange)
    if !state.row.usesProgramTemplates {
      loadStyles(inline.pointee.templates)
      state.treeHoldsInlineStyles = true
      try withUnsafePointer(to: inline.pointee.templates) { (templates) throws(CellError) in
        try emitCell(cell, templates, row)
      }
    } else {
      if state.treeHoldsInlineStyles { loadStyles(program.templates) }
      state.treeHoldsInlineStyles = false
      state.tree.reset(sharedStyles: program.templates.styles.count, sharedSizes: program.templates.sizes.count)
      try withUnsafePointer(to: program.templates) { (templates) throws(CellError) in
        try emitCell(cell, templates, row)
      }
    }
  }

  private func loadStyles(_ templates: borrowing Templates) {
    state.tree.reset(sharedStyles: 0)
    state.tree.styles.append(contentsOf: templates.styles.values)
    state.tree.sizes.append(contentsOf: templates.sizes.values)
  }

  private func emitCell(
    _ cell: CellClass, _ templates: UnsafePointer<Templates>, _ row: JSONValue
  ) throws(CellError) {
    let values = RowValues(
      templates: templates, row: row, slots: UnsafePointer(state.slots.base), items: UnsafePointer(state.items.base),
      layout: UnsafePointer(self.values), arena: arena)
    state.layoutDirection = nil
    if let written = cell.layoutDirection { state.layoutDirection = try direction(written, values) }
    try emit(cell.root, values)
    // If the whole layout is absent, the cell is empty.
    if state.tree.count == 0 {
      state.tree.add(.spec)
      state.elements.append(BoundElement(template: cell.root))
    }
  }

  /// Returns the direction that a cell class states, or nil if it has none for the row.
  @inline(never)
  private func direction(_ written: Patch, _ values: RowValues) throws(CellError) -> LayoutDirection? {
    do throws(CellError) {
      let value = written.dependent == absent ? written.value : try values.value(of: written.dependent)
      guard let value else { return nil }
      return try ValueReader(source: values).choice(value, LayoutDirection.self)
    } catch {
      throw error.within(contentsOf: written.path)
    }
  }

  /// Adds an element once, or once for each item of its `forEach`, unless its condition does not hold.
  func emit(_ index: Int32, _ values: RowValues) throws(CellError) {
    let template = values.templates.pointee.elements.base + Int(index)
    guard template.pointee.loop != absent else {
      if template.pointee.when != absent && !values.holds(template.pointee.when) { return }
      return try emitOne(index, template, values)
    }
    let outer = state.currentSuffix
    defer { state.currentSuffix = outer }
    try forEachItem(of: template.pointee.loop, at: index, values) { () throws(CellError) in
      if template.pointee.when != absent && !values.holds(template.pointee.when) { return }
      state.currentSuffix = BufferRange(first: Int32(state.suffixes.count), count: Int32(state.itemNumbers.count))
      state.suffixes.append(contentsOf: state.itemNumbers.values)
      try emitOne(index, template, values)
    }
  }

  /// Calls a function for each item of the loop of an element or of a part of it. The item is then the innermost one.
  @inline(__always)
  func forEachItem(
    of loop: Int32, at index: Int32, within part: [String] = [], _ values: RowValues,
    _ body: () throws(CellError) -> Void
  ) throws(CellError) {
    let loop = values.templates.pointee.loops[Int(loop)]
    guard let array = values.value(at: loop.path) else {
      guard loop.isRequired else { return }
      throw values.missingField(loop.path).within(contentsOf: values.templates.pointee.path(of: index) + part)
    }
    if array.isNull { return }
    guard array.kind == .array else {
      throw wrongType(array, "an array").within(
        contentsOf: values.templates.pointee.path(of: index) + (part.isEmpty ? ["forEach"] : part))
    }
    state.items.append(array)
    state.itemNumbers.append(0)
    let depth = state.items.count - 1
    defer {
      state.items.truncate(to: depth)
      state.itemNumbers.truncate(to: depth)
    }
    try array.forEachElement { (position, item) throws(CellError) in
      guard position < Int(loop.limit) else { return }
      try countIteration()
      state.items[depth] = item
      state.itemNumbers[depth] = Int32(truncatingIfNeeded: position)
      try body()
    }
  }

  private func emitOne(
    _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>, _ values: RowValues
  ) throws(CellError) {
    var element = template.pointee.element
    element.style = template.pointee.style
    guard template.pointee.draft != absent else { return try emit(&element, index, template, values, nil) }
    let draft = try complete(&element, index, template, values)
    if !template.pointee.stands(with: draft) { return }
    try withUnsafePointer(to: draft.text) { (text) throws(CellError) in
      try emit(&element, index, template, values, text)
    }
  }

  /// Adds an element whose properties are known.
  ///
  /// - Parameter textDraft: the properties of its text, or nil if they do not depend on the row. They are not copied, because
  ///   they are large.
  private func emit(
    _ element: inout Element, _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>, _ values: RowValues,
    _ textDraft: UnsafePointer<TextDraft>?
  ) throws(CellError) {
    var bound = BoundElement(template: index, suffix: state.currentSuffix, layout: state.currentLayout)
    if template.pointee.text != absent {
      bound.text = try bindText(template, index, values, textDraft)
      if template.pointee.vanishesWhenEmpty && isEmpty(state.texts[Int(bound.text)]) { return }
    }
    if template.pointee.url != absent {
      do throws(CellError) {
        let url = try counted(try values.text(template.pointee.url))
        if !url.isEmpty { bound.resource = state.resources.add(BoundResource(url: url, type: template.pointee.type)) }
      } catch {
        throw error.within("url").within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    if template.pointee.poster != absent || template.pointee.images != absent {
      try bindResources(template, index, &bound, values)
    }
    guard state.tree.count < Self.maxElements else {
      throw CellError("has more than \(Self.maxElements) elements")
    }
    if !template.pointee.name.isEmpty {
      do throws(CellError) { _ = try counted(template.pointee.name) } catch {
        throw error.within("id").within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    element.tag = Int32(truncatingIfNeeded: state.tree.count)
    if template.pointee.layoutReadsConstraint {
      state.hasNodeLayouts = true
      return try emitLayouts(of: index, &element, bound, values)
    }
    state.elements.append(bound)
    let opened = state.tree.open(element)
    var child = index + 1
    while child < template.pointee.end {
      let before = state.tree.count
      try emit(child, values)
      if state.tree.count == before && !continuesWithout(child, values) { break }
      child = values.templates.pointee.elements[Int(child)].end
    }
    state.tree.close(opened)
  }

  /// Returns whether an element keeps its other elements although this one is absent because of its `when`.
  ///
  /// A spec without its child has nothing to put an overlay, background or corner on, and is laid out as an empty
  /// LayoutSpec. A node without its layout has an empty layout.
  private func continuesWithout(_ child: Int32, _ values: RowValues) -> Bool {
    switch values.templates.pointee.elements[Int(child)].role {
    case .child: return false
    case .layout where !values.templates.pointee.elements[Int(child)].isSynthetic: emitAbsent(child)
    default: break
    }
    return true
  }

  /// Reads the properties that depend on the row, and returns the completed draft.
  private func complete(
    _ element: inout Element, _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>,
    _ values: RowValues
  ) throws(CellError) -> ElementDraft {
    var draft = values.templates.pointee.drafts[Int(template.pointee.draft)]
    let type = template.pointee.type
    let restyles = try apply(template.pointee.patches, to: &draft, of: type, at: index, values)
    if type == .ratio && draft.ratio.isNaN {
      throw CellError("needs a value in each row").within("ratio")
        .within(contentsOf: values.templates.pointee.path(of: index))
    }
    element = draft.element(of: type)
    element.style = restyles ? state.tree.add(style: draft.finishedStyle(of: type)) : template.pointee.style
    return draft
  }

  /// Reads patches into a draft, and returns whether any of them changes the style.
  func apply(
    _ patches: BufferRange, to draft: inout ElementDraft, of type: ElementType, at index: Int32,
    within part: [String] = [],
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
          try draft.read(patch.keyword, of: type, value, reader, fonts: fonts, sizes: &state.tree.sizes)
        }
      } catch {
        throw error.within(contentsOf: values.templates.pointee.path(of: index) + part + patch.path)
      }
    }
    return restyles
  }

  /// Counts an item of the bound row's arrays.
  @inline(__always)
  func countIteration() throws(CellError) {
    state.iterations += 1
    guard state.iterations <= Self.maxIterations else {
      throw CellError("repeats elements more than \(Self.maxIterations) times")
    }
  }

  /// Counts the bytes of a string of the bound row, and returns the string.
  @inline(__always)
  func counted(_ string: ByteString) throws(CellError) -> ByteString {
    state.stringBytes += string.count
    guard state.stringBytes <= Self.maxStringBytes else { throw Self.tooManyStringBytes }
    return string
  }

  /// The error of a cell whose strings are too long together.
  static var tooManyStringBytes: CellError {
    CellError("the texts, URLs and names of the cell have more than \(maxStringBytes >> 20) MiB, the limit for a row")
  }
}
