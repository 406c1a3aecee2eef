import Buffers
import LayoutEngine
import TextMeasuring

/// A row that a binder has read, by where its layout is written, with what its tree is made from.
enum BindableRow: ~Copyable {
  /// No row, or a row that could not be read.
  case none
  /// A row of a cell class in the cells file, or with a layout of its own: a class without a name that is compiled for it.
  case compiled(CellClass, JSONValue, isInline: Bool)
  /// A row whose cell class is written in Swift: the cell, and the layout that it returned last.
  case custom(any CellNode, layout: (any LayoutElement)?)

  /// Whether the row's styles, sizes and elements are those of the program's templates.
  @inline(__always)
  var usesProgramTemplates: Bool {
    switch self {
    case .compiled(_, _, let isInline): !isInline
    default: false
    }
  }

  @inline(__always)
  var isCustom: Bool {
    switch self {
    case .custom: true
    default: false
    }
  }

  /// The cell class and the value of a row whose layout is compiled to templates.
  @inline(__always)
  var compiled: (cell: CellClass, row: JSONValue)? {
    switch self {
    case .compiled(let cell, let row, _): (cell, row)
    default: nil
    }
  }

  /// The cell of a row whose class is written in Swift, and the layout that it returned last.
  var custom: (cell: any CellNode, layout: (any LayoutElement)?)? {
    switch self {
    case .custom(let cell, let layout): (cell, layout)
    default: nil
    }
  }
}

extension RowBinder {
  /// Everything that a binder changes while it reads and binds rows.
  struct State: ~Copyable {
    var row = BindableRow.none
    /// The row's `id`, or empty.
    var id = ByteString.empty
    /// The digits of an `id` that is a number.
    var idDigits = ByteArena(capacity: 32)
    /// The name of the row's cell class, or empty for an inline layout.
    var cellName = ByteString.empty
    /// The range that the row sets itself, if it sets one.
    var ownConstraint: SizeRange?
    /// The value of each field that the program's templates use, or nil for a field that the row lacks.
    var slots: FlatBuffer<JSONValue?>

    var tree = ElementTree()
    /// The direction of the cell's subnodes, or nil for that of the list.
    var layoutDirection: LayoutDirection?
    var elements = FlatBuffer<BoundElement>(capacity: 64)
    var texts = FlatBuffer<BoundText>(capacity: 16)
    /// The positions of the lines of the first texts; the others have none of their own.
    var placements = FlatBuffer<TextPlacement>(capacity: 16)
    var runs = FlatBuffer<TextRun>(capacity: 16)
    var spans = FlatBuffer<BoundSpan>(capacity: 4)
    var resources = FlatBuffer<BoundResource>(capacity: 8)
    /// Whether the tree begins with the styles and sizes of a row's own templates instead of the program's.
    var treeHoldsInlineStyles = true

    /// The current item of each open `forEach`, and its number.
    var items = FlatBuffer<JSONValue>(capacity: TemplateCompiler.maxLoops)
    var itemNumbers = FlatBuffer<Int32>(capacity: TemplateCompiler.maxLoops)
    /// The item numbers to which the suffixes of bound elements refer.
    var suffixes = FlatBuffer<Int32>(capacity: 64)
    var currentSuffix = BufferRange()
    /// The number of bytes of the texts, URLs and names that are bound so far.
    var stringBytes = 0
    /// The number of items that the cell's `forEach`es have passed so far.
    var iterations = 0

    var nodeLayouts: [NodeLayout] = []
    /// Whether a node of the bound row has a layout that is made only when the solver asks for it.
    var hasNodeLayouts = false
    var currentLayout = absent
    /// The meaning of `constrainedSize` for the row.
    var boundRange = SizeRange.unconstrained

    init(slotCount: Int) {
      slots = FlatBuffer(capacity: slotCount)
      slots.extend(by: slotCount).initialize(repeating: nil, count: slotCount)
    }
  }
}
