import Buffers
import LayoutEngine
import TextMeasuring

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
  /// In which of the row's node layouts it stands, or -1.
  var layout: Int32 = absent
}

public struct BoundText: BitwiseCopyable {
  public var firstRun: Int
  public var runCount: Int
  public var options: TextOptions
}

/// Turns rows into element trees: reads a row, finds its cell class, and fills the class's template with its fields.
///
/// Everything it hands out is valid until the next row is read.
///
/// It is used by one thread, and none of its methods runs while another one writes a property: the checks of that which
/// classes get at run time would be an eighth of all the work on a row, so they are left out.
public final class RowBinder {
  /// Elements of a cell.
  public static let maxElements = 100_000
  /// Items that the `forEach`es of a cell may come by, whether or not they make elements.
  public static let maxIterations = 1_000_000

  public let program: CellProgram
  /// The program's: by way of that they would be counted for each value of a row.
  let fonts: FontTable
  @exclusivity(unchecked) public internal(set) var tree = ElementTree()
  @exclusivity(unchecked) var elements = FlatBuffer<BoundElement>(capacity: 64)
  @exclusivity(unchecked) var texts = FlatBuffer<BoundText>(capacity: 16)
  @exclusivity(unchecked) var runs = FlatBuffer<TextRun>(capacity: 16)
  @exclusivity(unchecked) var urls = FlatBuffer<ByteString>(capacity: 8)
  @exclusivity(unchecked) var boundID = ByteString.empty
  @exclusivity(unchecked) var boundCellName = ByteString.empty

  let parser = JSONParser()
  let fieldSlots: NameIndex
  @exclusivity(unchecked) var slots: FlatBuffer<JSONValue?>
  @exclusivity(unchecked) var items = FlatBuffer<JSONValue>(capacity: TemplateCompiler.maxLoops)
  @exclusivity(unchecked) var itemNumbers = FlatBuffer<Int32>(capacity: TemplateCompiler.maxLoops)
  @exclusivity(unchecked) var suffixes = FlatBuffer<Int32>(capacity: 64)
  @exclusivity(unchecked) var currentSuffix = Span()
  @exclusivity(unchecked) var iterations = 0
  let arena: UnsafeMutablePointer<ByteArena>
  let constraints: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) var inline: TemplateCompiler
  @exclusivity(unchecked) var row: JSONValue?
  @exclusivity(unchecked) var root = absent
  @exclusivity(unchecked) var isInline = false
  @exclusivity(unchecked) var treeHoldsInlineStyles = true
  @exclusivity(unchecked) var ownConstraint: SizeRange?
  let cells: CellRegistry
  /// The row's cell, if its class is written in Swift.
  @exclusivity(unchecked) var cell: (any CellNode)?
  let specs = SpecTree()
  @exclusivity(unchecked) var specLayout: (any LayoutElement)?
  @exclusivity(unchecked) var nodeLayouts: [NodeLayout] = []
  /// Whether a node of the bound row has a layout that is made when it is asked for.
  @exclusivity(unchecked) var hasNodeLayouts = false
  @exclusivity(unchecked) var currentLayout = absent
  /// What `constrainedSize` means for what is being written, and for the row.
  @exclusivity(unchecked) var currentRange = SizeRange.unconstrained
  @exclusivity(unchecked) var boundRange = SizeRange.unconstrained

  // What other modules read: there the properties themselves would be checked.

  /// The row's `id`: its text, or empty when the row has none.
  public var id: ByteString { boundID }
  /// The row's cell class, empty for an inline layout.
  public var cellName: ByteString { boundCellName }
  public var elementCount: Int { elements.count }
  public var textCount: Int { texts.count }
  /// The number of an element's text, or -1.
  public func textNumber(of element: Int32) -> Int { Int(elements[Int(element)].text) }
  public func text(_ number: Int) -> BoundText { texts[number] }
  public func runs(of text: BoundText) -> UnsafeBufferPointer<TextRun> {
    UnsafeBufferPointer(start: runs.base + text.firstRun, count: text.runCount)
  }
  /// What an element shows that is to be fetched, if anything.
  public func url(of element: Int32) -> ByteString? {
    let url = elements[Int(element)].url
    return url < 0 ? nil : urls[Int(url)]
  }

  /// Whether the bound row's frames follow from its tree and texts alone: not those of cells written in Swift, nor of
  /// nodes whose layouts are made while they are laid out.
  public var isWholeInItsTree: Bool { cell == nil && !hasNodeLayouts }

  /// The bytes of the styles and sizes that the bound row does not share with all rows.
  public var ownStyles: UnsafeRawBufferPointer {
    Self.bytes(tree.styles.values, from: isInline ? 0 : program.templates.styles.count)
  }
  public var ownSizes: UnsafeRawBufferPointer {
    Self.bytes(tree.sizes.values, from: isInline ? 0 : program.templates.sizes.count)
  }

  private static func bytes<Value>(_ values: UnsafeBufferPointer<Value>, from first: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: values[min(first, values.count)...]))
  }

  /// - Parameter cells: cell classes beside those of the program.
  public init(_ program: CellProgram, cells: CellRegistry = CellRegistry()) {
    self.program = program
    fonts = program.fonts
    self.cells = cells
    fieldSlots = NameIndex(program.slots.keys)
    slots = FlatBuffer(capacity: program.slots.keys.count)
    slots.extend(by: program.slots.keys.count).initialize(repeating: nil, count: program.slots.keys.count)
    arena = .allocate(capacity: 1)
    arena.initialize(to: ByteArena())
    constraints = .allocate(capacity: 8)
    for number in 0..<4 { constraints[number * 2] = UInt64(UInt8(ascii: "d")) << 56 }
    inline = TemplateCompiler(templates: Templates(), fonts: program.fonts, slots: nil)
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
    boundID = .empty
    boundCellName = .empty
    ownConstraint = nil
    row = nil
    cell = nil
    arena.pointee.removeAll()
    guard line.count <= maxLength else {
      throw CellError("is longer than \(maxLength) bytes, the limit for a row")
    }
    let parsed = try parser.parse(line)
    guard parsed.isObject else { throw CellError("is \(parsed.kindName), but a row is an object") }
    let reserved = noteFields(parsed)
    if let value = reserved.id { boundID = try readID(value) }
    if let layout = reserved.layout {
      try compileInline(layout)
    } else {
      try chooseClass(reserved.cell, parsed)
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

  /// Whether the row sets its own range.
  public var hasOwnConstrainedSize: Bool { ownConstraint != nil }

  /// Whether binding at another width may give another tree.
  public var dependsOnConstraint: Bool {
    cell != nil || (isInline ? inline.templates.readsConstraint : program.templates.readsConstraint)
  }

  struct Reserved {
    var id: JSONValue?
    var cell: JSONValue?
    var layout: JSONValue?
    var constrainedSize: JSONValue?
  }

  /// Passes the row's keys once: reserved ones are answered, those that templates use go to their slots.
  func noteFields(_ row: JSONValue) -> Reserved {
    var reserved = Reserved()
    for slot in 0..<slots.count { slots[slot] = nil }
    row.forEachMember { key, value in
      let slot = fieldSlots.number(of: key)
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

  func readID(_ value: JSONValue) throws(CellError) -> ByteString {
    if let text = value.string { return text }
    switch value.kind {
    case .integer: arena.pointee.append(value.integer ?? 0)
    case .unsigned: arena.pointee.append(value.unsigned)
    default: throw wrongType(value, "a string or an integer").within("id")
    }
    return arena.pointee.finish()
  }

  func chooseClass(_ cell: JSONValue?, _ row: JSONValue) throws(CellError) {
    isInline = false
    if let name = cell?.string, let make = cells.make(named: name) {
      boundCellName = name
      isInline = true
      self.cell = try makeCell(make, row)
      return
    }
    guard let cell else {
      guard program.cells.count == 1 else {
        throw CellError(
          program.cells.isEmpty
            ? "needs a layout, as the cells file has no cell classes"
            : "needs a cell: the cells file has \(program.cells.count) cell classes")
      }
      boundCellName = program.cells[0].name
      root = program.cells[0].root
      return
    }
    guard let name = cell.string else { throw wrongType(cell, "the name of a cell class").within("cell") }
    guard let known = program.cell(named: name) else {
      let written = String(name.string.prefix(80))
      throw CellError(
        "cell \"\(written)\" is not in the cells file\(didYouMean(written, among: program.cells.map(\.name.string) + cells.names))"
      )
    }
    boundCellName = known.name
    root = known.root
  }

  func compileInline(_ layout: JSONValue) throws(CellError) {
    isInline = true
    inline.removeAll()
    root = try inline.compile(layout)
  }

  static func readConstraint(_ value: JSONValue) throws(CellError) -> SizeRange {
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

  static func isFinite(_ size: Size) -> Bool { size.width.isFinite && size.height.isFinite }
}
