import Buffers
import LayoutEngine
import TextMeasurement

/// An element of a bound row, beside what the engine knows of it. Same index as in the tree.
public struct BoundElement: BitwiseCopyable {
  /// Index of its template.
  var template: Int32
  /// Index among the row's texts, or -1.
  public var text: Int32
  /// Index among the row's URLs, or -1.
  public var url: Int32
  /// Item numbers of the `forEach`es it is in.
  var suffix: Span
}

public struct BoundText: BitwiseCopyable {
  public var firstRun: Int
  public var runCount: Int
  public var options: TextOptions
}

/// Turns rows into element trees: reads a row, finds its cell class, and fills the class's template with its fields.
///
/// Everything it hands out is valid until the next row is read.
public final class RowBinder {
  /// Elements of a cell.
  public static let maxElements = 100_000

  public let program: CellProgram
  public private(set) var tree = ElementTree()
  public private(set) var elements = FlatBuffer<BoundElement>(capacity: 64)
  public private(set) var texts = FlatBuffer<BoundText>(capacity: 16)
  public private(set) var runs = FlatBuffer<TextRun>(capacity: 16)
  public private(set) var urls = FlatBuffer<ByteString>(capacity: 8)

  /// The row's `id`: its text, or empty when the row has none.
  public private(set) var id = ByteString.empty
  /// The row's cell class, empty for an inline layout.
  public private(set) var cellName = ByteString.empty

  private let parser = JSONParser()
  private let slotTable: SlotTable
  private var slots: FlatBuffer<JSONValue?>
  private var items = FlatBuffer<JSONValue>(capacity: TemplateCompiler.maxLoops)
  private var itemNumbers = FlatBuffer<Int32>(capacity: TemplateCompiler.maxLoops)
  private var suffixes = FlatBuffer<Int32>(capacity: 64)
  private var currentSuffix = Span()
  private let arena: UnsafeMutablePointer<ByteArena>
  private let constraints: UnsafeMutablePointer<UInt64>
  private var inline: Templates
  private var row: JSONValue?
  private var root = absent
  private var isInline = false
  private var treeHoldsInlineStyles = true
  private var ownConstraint: SizeRange?

  public init(_ program: CellProgram) {
    self.program = program
    slotTable = SlotTable(program.slots.keys)
    slots = FlatBuffer(capacity: program.slots.keys.count)
    slots.extend(by: program.slots.keys.count).initialize(repeating: nil, count: program.slots.keys.count)
    arena = .allocate(capacity: 1)
    arena.initialize(to: ByteArena())
    constraints = .allocate(capacity: 8)
    for number in 0..<4 { constraints[number * 2] = UInt64(UInt8(ascii: "d")) << 56 }
    inline = Templates()
  }

  deinit {
    arena.deinitialize(count: 1)
    arena.deallocate()
    constraints.deallocate()
  }

  /// Parses a row and finds its class. `JSONParser.padding` bytes behind `line` must be readable.
  ///
  /// - Parameter maxLength: bytes that a row may have.
  public func read(_ line: ByteString, maxLength: Int = .max) throws(CellError) {
    id = .empty
    cellName = .empty
    ownConstraint = nil
    row = nil
    arena.pointee.removeAll()
    guard line.count <= maxLength else {
      throw CellError("is longer than \(maxLength) bytes, the limit for a row")
    }
    let parsed = try parser.parse(line)
    guard parsed.isObject else { throw CellError("is \(parsed.kindName), but a row is an object") }
    let reserved = noteFields(parsed)
    if let value = reserved.id { id = try readID(value) }
    if let layout = reserved.layout {
      try compileInline(layout)
    } else {
      try chooseClass(reserved.cell)
    }
    if let written = reserved.constrainedSize {
      do throws(CellError) { ownConstraint = try Self.readConstraint(written) } catch {
        throw error.within("constrainedSize")
      }
    }
    row = parsed
  }

  /// The range to lay the row out in: its own, or the variant's.
  public func constrainedSize(_ variant: SizeRange) -> SizeRange { ownConstraint ?? variant }

  /// Whether binding at another width may give another tree.
  public var dependsOnConstraint: Bool {
    isInline ? inline.readsConstraint : program.templates.readsConstraint
  }

  private struct Reserved {
    var id: JSONValue?
    var cell: JSONValue?
    var layout: JSONValue?
    var constrainedSize: JSONValue?
  }

  /// Passes the row's keys once: reserved ones are answered, those that templates use go to their slots.
  private func noteFields(_ row: JSONValue) -> Reserved {
    var reserved = Reserved()
    for slot in 0..<slots.count { slots[slot] = nil }
    row.forEachMember { key, value in
      let slot = slotTable.slot(of: key)
      if slot >= 0 { slots[Int(slot)] = value }
      switch key.count {
      case 2 where key == ByteString("id"): reserved.id = value
      case 4 where key == ByteString("cell"): reserved.cell = value
      case 6 where key == ByteString("layout"): reserved.layout = value
      case 15 where key == ByteString("constrainedSize"): reserved.constrainedSize = value
      default: break
      }
    }
    return reserved
  }

  private func readID(_ value: JSONValue) throws(CellError) -> ByteString {
    if let text = value.string { return text }
    switch value.kind {
    case .integer: arena.pointee.append(String(value.integer ?? 0))
    case .unsigned: arena.pointee.append(String(value.unsigned))
    default: throw wrongType(value, "a string or an integer").within("id")
    }
    return arena.pointee.finish()
  }

  private func chooseClass(_ cell: JSONValue?) throws(CellError) {
    isInline = false
    guard let cell else {
      guard program.cells.count == 1 else {
        throw CellError(
          program.cells.isEmpty
            ? "needs a layout, as the cells file has no cell classes"
            : "needs a cell: the cells file has \(program.cells.count) cell classes")
      }
      cellName = program.cells[0].name
      root = program.cells[0].root
      return
    }
    guard let name = cell.string else { throw wrongType(cell, "the name of a cell class").within("cell") }
    guard let known = program.cell(named: name) else {
      let written = String(name.string.prefix(80))
      throw CellError(
        "cell \"\(written)\" is not in the cells file\(didYouMean(written, among: program.cells.map(\.name.string)))")
    }
    cellName = known.name
    root = known.root
  }

  private func compileInline(_ layout: JSONValue) throws(CellError) {
    isInline = true
    var templates = Templates()
    swap(&templates, &inline)
    templates.removeAll()
    var compiler = TemplateCompiler(templates: templates, fonts: program.fonts, slots: nil)
    do throws(CellError) {
      root = try compiler.compile(layout)
      inline = compiler.templates
    } catch {
      inline = compiler.templates
      throw error
    }
  }

  private static func readConstraint(_ value: JSONValue) throws(CellError) -> SizeRange {
    let reader = ValueReader(source: WrittenValues())
    func side(_ key: StaticString, _ fallback: Size) throws(CellError) -> Size {
      guard let written = value.member(key) else { return fallback }
      let pair = try reader.pair(written, "[width, height]") { (part) throws(CellError) in
        try reader.number(part, infinite: true)
      }
      guard let pair, pair.0 >= 0, pair.1 >= 0 else { throw CellError("must not be negative") }
      return Size(pair.0, pair.1)
    }
    guard value.isObject else { throw wrongType(value, "{min: [w, h], max: [w, h]}") }
    let range = SizeRange(min: try side("min", .zero), max: try side("max", .unbounded))
    guard range.min.width <= range.max.width, range.min.height <= range.max.height else {
      throw CellError("has a min larger than its max")
    }
    guard isFinite(range.min) else { throw CellError("has an infinite min") }
    return range
  }

  private static func isFinite(_ size: Size) -> Bool { size.width.isFinite && size.height.isFinite }
}

// MARK: - Binding

extension RowBinder {
  /// Builds the row's tree for one constrained size.
  public func bind(_ constrainedSize: SizeRange) throws(CellError) {
    guard let row else { return }
    elements.removeAll()
    texts.removeAll()
    runs.removeAll()
    urls.removeAll()
    items.removeAll()
    itemNumbers.removeAll()
    suffixes.removeAll()
    currentSuffix = Span()
    constraints[1] = constrainedSize.min.width.bitPattern
    constraints[3] = constrainedSize.min.height.bitPattern
    constraints[5] = constrainedSize.max.width.bitPattern
    constraints[7] = constrainedSize.max.height.bitPattern
    if isInline {
      loadStyles(inline)
      treeHoldsInlineStyles = true
      try withUnsafePointer(to: inline) { (templates) throws(CellError) in try emitCell(templates, row) }
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

  private func emit(_ index: Int32, _ values: RowValues) throws(CellError) {
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
    if template.pointee.draft != absent { try complete(&element, index, template, values) }
    var bound = BoundElement(template: index, text: absent, url: absent, suffix: currentSuffix)
    if template.pointee.text != absent {
      bound.text = try bindText(template, index, values)
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
    elements.append(bound)
    let opened = tree.open(element)
    var child = index + 1
    while child < template.pointee.end {
      try emit(child, values)
      child = values.templates.pointee.elements[Int(child)].end
    }
    tree.close(opened)
  }

  /// Reads the properties that depend on the row.
  private func complete(
    _ element: inout Element, _ index: Int32, _ template: UnsafeMutablePointer<TemplateElement>,
    _ values: RowValues
  ) throws(CellError) {
    var draft = values.templates.pointee.drafts[Int(template.pointee.draft)]
    let reader = ValueReader(source: values)
    let type = template.pointee.type
    var restyles = false
    for patch in template.pointee.patches.range {
      let patch = values.templates.pointee.patches[patch]
      do throws(CellError) {
        if patch.inStyle {
          restyles = true
          try draft.readStyle(patch.keyword, patch.value, reader)
        } else {
          try draft.read(
            patch.keyword, of: type, patch.value, reader, fonts: program.fonts, sizes: &tree.sizes)
        }
      } catch {
        let path = values.templates.pointee.path(of: index) + (patch.inStyle ? ["style"] : [])
        throw error.within(patch.keyword.rawValue).within(contentsOf: path)
      }
    }
    element = draft.element(of: type)
    element.style = restyles ? tree.add(style: draft.finishedStyle) : template.pointee.style
  }

  private func bindText(
    _ template: UnsafeMutablePointer<TemplateElement>, _ index: Int32, _ values: RowValues
  ) throws(CellError) -> Int32 {
    let text = values.templates.pointee.texts[Int(template.pointee.text)]
    let first = runs.count
    for run in text.runs.range {
      let run = values.templates.pointee.runs[run]
      do throws(CellError) {
        runs.append(TextRun(text: try values.text(run.expression), style: run.style))
      } catch {
        throw error.within("text").within(contentsOf: values.templates.pointee.path(of: index))
      }
    }
    texts.append(BoundText(firstRun: first, runCount: runs.count - first, options: text.options))
    return Int32(truncatingIfNeeded: texts.count - 1)
  }

  private func isEmpty(_ text: BoundText) -> Bool {
    for run in text.firstRun..<text.firstRun + text.runCount where !runs[run].text.isEmpty { return false }
    return true
  }
}

// MARK: - What frames need to know

extension RowBinder {
  private func template(of element: Int32) -> TemplateElement {
    let index = Int(elements[Int(element)].template)
    return isInline ? inline.elements[index] : program.templates.elements[index]
  }

  public func type(of element: Int32) -> ElementType { template(of: element).type }

  /// An element's `id` as written, or "".
  func id(of element: Int32) -> String { template(of: element).name.string }

  /// Whether an element shows something fetched, and so must not end without a size.
  public func needsSize(_ element: Int32) -> Bool { template(of: element).type.needsSize }

  /// Where an element stands: `layout.children[2]`.
  public func path(of element: Int32) -> [String] {
    let index = elements[Int(element)].template
    return isInline ? inline.path(of: index) : program.templates.path(of: index)
  }

  /// Appends an element's name in the frame table: its id and, inside `forEach`, the items' numbers; without an id
  /// its type and its place among the cell's nodes.
  public func appendName(of element: Int32, place: Int, to bytes: inout FlatBuffer<UInt8>) {
    let template = template(of: element)
    guard template.name.isEmpty else {
      bytes.append(contentsOf: template.name.bytes)
      for number in elements[Int(element)].suffix.range {
        bytes.append(UInt8(ascii: "."))
        bytes.append(decimal: Int(suffixes[number]))
      }
      return
    }
    bytes.append(contentsOf: template.type.nameBytes.bytes)
    bytes.append(UInt8(ascii: "#"))
    bytes.append(decimal: place)
  }
}

extension FlatBuffer where Element == UInt8 {
  /// Appends a number from 0 in decimal.
  public mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }
}
