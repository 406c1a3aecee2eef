import Buffers
import LayoutEngine
import TextMeasuring

/// The properties of a bound element that the engine does not know. Its index is that of the element in the tree.
public struct BoundElement: BitwiseCopyable {
  /// The index of the element's template.
  var template: Int32
  /// The index of the element's text among the row's texts, or -1.
  public var text = absent
  /// The index of the element's first resource among those of the row, or -1.
  public var resource = absent
  /// The item numbers of the `forEach`es around the element.
  var suffix = BufferRange()
  /// The index of the node layout that contains the element, or -1.
  var layout = absent
}

/// A text of a bound row.
struct BoundText: BitwiseCopyable {
  var firstRun: Int
  var runCount: Int
  var options: TextOptions
  /// The spans of its runs.
  var spans = BufferRange()
  /// The style of its own font, or nil if its first run has it.
  var style: TextStyle?
}

/// What a bound element fetches.
public struct BoundResource: BitwiseCopyable {
  public var url: ByteString
  public var type: ElementType
  /// The size that the row states, in pixels, or 0.
  public var pixelWidth: UInt32 = 0
  public var pixelHeight: UInt32 = 0
  /// Whether it has another type than its element, or states its size.
  public var hasDetails = false
  /// Whether the next resource is of the same element.
  var isContinued = false
}

/// What a run of a bound text is beside its characters: a link, a mention or an attachment.
public struct BoundSpan: BitwiseCopyable {
  /// The index of the run in its text.
  public var run: Int
  /// Its URL and its kind, or empty.
  public var url: ByteString
  public var kind: ByteString
}

/// A binder that turns rows into element trees: it reads a row, finds its cell class, and fills the class's template with
/// the row's fields.
///
/// Everything it returns is valid until the next row is read. It is used by one thread.
public final class RowBinder {
  /// The largest number of elements in a cell.
  public static let maxElements = 100_000
  /// The largest number of items that the `forEach`es of a cell may pass, whether or not the items make elements.
  public static let maxIterations = 1_000_000

  /// The largest number of bytes of the texts, URLs and names of a cell, each counted for each element that has it: twice
  /// as many as a row can have. Text takes up to a hundred times its bytes of memory while it is measured, and the columns
  /// of a row must stay far below the size of a message.
  public static let maxStringBytes = 2 * Lines.maxLength

  public let program: CellProgram
  /// The program's fonts. Reached by way of the program, they would be reference counted for each value of a row.
  let fonts: FontTable
  let cells: CellRegistry
  /// No method of the binder reads the state while another one changes it. The checks for that at run time are left out,
  /// because with them (and those of `JobLayout`) binding a photo post takes 14,210 instructions instead of 7,586, and a
  /// repeated product 25,677 in all instead of 15,786 (`galley-bench --instructions`).
  @exclusivity(unchecked) var state: State

  let parser = JSONParser()
  /// The layout specs of rows whose cell class is written in Swift.
  let specs = SpecTree()
  /// The slots of the fields that the program's templates use, by the fields' names.
  let fieldSlots: NameIndex
  let arena: UnsafeMutablePointer<ByteArena>
  /// The values that bindings read beside those of the row.
  let values: UnsafeMutablePointer<LayoutValues>
  /// The compiler of rows' own layouts, with the templates of the last one. It is no part of the state, because its
  /// templates are read while the state changes.
  let inline: UnsafeMutablePointer<TemplateCompiler>
  /// The placement of texts that state none.
  private let plainPlacement: UnsafeMutablePointer<TextPlacement>

  /// - Parameter cells: cell classes beside those of the program.
  public init(_ program: CellProgram, cells: CellRegistry = CellRegistry()) {
    self.program = program
    fonts = program.fonts
    self.cells = cells
    fieldSlots = NameIndex(program.slots)
    state = State(slotCount: program.slots.count)
    arena = .allocate(capacity: 1)
    arena.initialize(to: ByteArena())
    values = .allocate(capacity: 1)
    values.initialize(to: LayoutValues(itemNumbers: UnsafePointer(state.itemNumbers.base)))
    plainPlacement = .allocate(capacity: 1)
    plainPlacement.initialize(to: TextPlacement())
    inline = .allocate(capacity: 1)
    inline.initialize(to: TemplateCompiler(fonts: program.fonts, generation: program.generation, slots: nil))
  }

  deinit {
    arena.deinitialize(count: 1)
    arena.deallocate()
    values.deinitialize(count: 1)
    values.deallocate()
    inline.deinitialize(count: 1)
    inline.deallocate()
    plainPlacement.deallocate()
  }
}

/// The bound row, as other modules read it.
extension RowBinder {
  public var tree: ElementTree { @inline(__always) _read { yield state.tree } }

  /// The row's `id`, or empty for a row without one.
  public var id: ByteString { state.id }

  /// The name of the row's cell class, or empty for an inline layout.
  public var cellName: ByteString { state.cellName }

  public var elementCount: Int { state.elements.count }

  public var textCount: Int { state.texts.count }

  /// Returns the index of an element's text, or -1.
  public func textNumber(of element: Int32) -> Int { Int(state.elements[Int(element)].text) }

  /// Returns the options that a text states.
  @inline(__always)
  public func options(ofText number: Int) -> TextOptions { state.texts.base[number].options }

  /// Returns the position of a text's lines in its frame, which is not copied because it is large. It is valid until the next
  /// row is bound.
  @inline(__always)
  public func placement(ofText number: Int) -> UnsafePointer<TextPlacement> {
    UnsafePointer(number < state.placements.count ? state.placements.base + number : plainPlacement)
  }

  /// Whether any text of the bound row has insets, an alignment or scale factors.
  @inline(__always)
  public var hasPlacements: Bool { state.placements.count > 0 }

  /// Sets the position of the lines of the text that is added next, unless they are at the start of their frame.
  @inline(__always)
  func add(_ placement: TextPlacement) {
    if !placement.isPlain { addPlacement(placement) }
  }

  @inline(never)
  private func addPlacement(_ placement: TextPlacement) {
    while state.placements.count < state.texts.count { state.placements.append(TextPlacement()) }
    state.placements.append(placement)
  }

  /// Returns the style of a text's own font, or nil if its first run has it.
  public func ownStyle(ofText number: Int) -> TextStyle? { state.texts.base[number].style }

  // The options of a text are large, so that a text is not copied to read its runs.
  public func runs(ofText number: Int) -> UnsafeBufferPointer<TextRun> {
    let text = state.texts.base + number
    return UnsafeBufferPointer(start: state.runs.base + text.pointee.firstRun, count: text.pointee.runCount)
  }

  /// Whether any run of the bound row has a URL, a kind or an attachment.
  @inline(__always)
  public var hasSpans: Bool { state.spans.count > 0 }

  /// Returns those of a text's runs that have a URL, a kind or an attachment.
  public func spans(ofText number: Int) -> UnsafeBufferPointer<BoundSpan> {
    let spans = state.texts.base[number].spans
    return UnsafeBufferPointer(start: state.spans.base + Int(spans.first), count: Int(spans.count))
  }

  /// Returns the runs and the truncation string of a text, without a copy of its options, which are large.
  public func drawnParts(ofText number: Int) -> (runs: UnsafeBufferPointer<TextRun>, truncation: ByteString) {
    (runs(ofText: number), state.texts.base[number].options.truncation)
  }

  /// Returns what an element fetches, or none.
  @inline(__always)
  public func resources(of element: Int32) -> UnsafeBufferPointer<BoundResource> {
    let first = Int(state.elements[Int(element)].resource)
    guard first >= 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    var end = first
    while state.resources[end].isContinued { end += 1 }
    return UnsafeBufferPointer(start: state.resources.base + first, count: end + 1 - first)
  }

  /// Whether the bound row's frames depend on its tree and texts alone. This is false for cells written in Swift, for nodes
  /// whose layouts are made while they are laid out, and for conditions that ask for the lines of texts.
  public var dependsOnlyOnTree: Bool { !state.row.isCustom && !state.hasNodeLayouts && !queriesTexts }

  /// Returns the directions of the bound cell and its nodes in a list with a direction.
  @inline(__always)
  public func directions(inList direction: LayoutDirection) -> LayoutDirections {
    LayoutDirections(list: direction, cell: state.layoutDirection, areStated: statesDirections)
  }

  @inline(__always)
  private var statesDirections: Bool {
    switch state.row {
    case .none: false
    case .compiled(_, _, let isInline):
      isInline ? inline.pointee.templates.statesDirections : program.templates.statesDirections
    case .custom: specs.statesDirections
    }
  }

  /// The bytes of the styles that the bound row does not share with all rows.
  public var ownStyles: UnsafeRawBufferPointer {
    Self.bytes(state.tree.styles.values, from: state.row.usesProgramTemplates ? program.templates.styles.count : 0)
  }

  /// The bytes of the sizes that the bound row does not share with all rows.
  public var ownSizes: UnsafeRawBufferPointer {
    Self.bytes(state.tree.sizes.values, from: state.row.usesProgramTemplates ? program.templates.sizes.count : 0)
  }

  private static func bytes<Value>(_ values: UnsafeBufferPointer<Value>, from first: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: values[min(first, values.count)...]))
  }

  /// Returns the range to lay the row out in: its own, or the variant's.
  public func constrainedSize(_ variant: SizeRange) -> SizeRange { state.ownConstraint ?? variant }

  /// Whether the row sets its own range.
  public var hasOwnConstrainedSize: Bool { state.ownConstraint != nil }

  /// Whether the row is laid out in the width of its list, and bound alike at all widths.
  public var followsWidthOfList: Bool { !hasOwnConstrainedSize && !dependsOnConstraint && !queriesTexts }

  /// Whether binding at another width may give another tree.
  public var dependsOnConstraint: Bool {
    switch state.row {
    case .none: false
    case .compiled(let cell, _, _): cell.readsConstraint
    case .custom: true
    }
  }
}
