import Buffers
import LayoutEngine
import TextMeasuring

// Templates are cell classes that are compiled once for each program: flat buffers of values that refer to each other
// by index. Binding a row reads them without comparing a key or a name.

/// An element of a cell class. Its children follow it up to the index `end`.
struct TemplateElement: BitwiseCopyable {
  var element: Element
  var type: ElementType
  /// The index of its style among the styles of the program, if the style does not depend on the row.
  var style: Int32 = ElementTree.plainStyle
  var end: Int32 = 0
  /// The `id` as it is written, or empty.
  var name = ByteString.empty
  var when = absent
  var loop = absent
  var text = absent
  /// The index of the expression of its `url`.
  var url = absent
  /// The index of the expression of its `posterUrl`.
  var poster = absent
  /// The index of its `images` among the patches.
  var images = absent
  /// The index of the draft that the patches complete for each row, or `absent` if no property depends on the row.
  var draft = absent
  var patches = BufferRange()
  /// Whether the element is a part of a button. Such a part is not written in the cells file, so that its path is the
  /// button's.
  var isSynthetic = false
  /// The position of a button's image. If the row decides it, there is an image at both positions, of which one is left
  /// out.
  var imagePosition = ImagePosition.only
  /// Whether the node's layout depends on the size range that the node is measured with.
  var layoutReadsConstraint = false
  /// The index of the parent. Together with `role` and `position` it gives the element's path.
  var parent = absent
  var role = Keyword.layout
  var position: Int32 = absent

  /// Whether the element is the title of a button, which is absent if its text is empty, or its image, which is absent
  /// without a size.
  var vanishesWhenEmpty: Bool { isSynthetic && (type == .text || type == .image && imagePosition != .background) }

  /// Returns whether a part of a button is present with the properties of the row.
  func stands(with draft: ElementDraft) -> Bool {
    if vanishesWhenEmpty && type == .image && draft.contentSize.width.isNaN { return false }
    switch imagePosition {
    case .only: return true
    case .beginning: return !draft.imageAlignsAtEnd
    case .end: return draft.imageAlignsAtEnd
    case .background: return draft.hasBackgroundImage
    }
  }
}

/// A position of a button's image relative to its title, or behind both.
enum ImagePosition: UInt8, BitwiseCopyable { case only, beginning, end, background }

let absent: Int32 = -1

extension FlatBuffer {
  /// Appends a value, and returns its index.
  @inline(__always)
  mutating func add(_ value: Element) -> Int32 {
    append(value)
    return Int32(truncatingIfNeeded: count - 1)
  }
}

/// A range of indices into another buffer.
struct BufferRange: BitwiseCopyable {
  var first: Int32 = 0
  var count: Int32 = 0

  var range: Range<Int> { Int(first)..<Int(first) + Int(count) }
}

/// A property whose value depends on the row.
struct Patch: BitwiseCopyable {
  let keyword: Keyword
  /// The property as it is written, which differs from `keyword` in the parts of a button.
  let writtenAs: Keyword
  let isInStyle: Bool
  let value: JSONValue
  /// The index of the row-dependent value that replaces the whole value, or `absent` if only parts of it depend on the
  /// row.
  let dependent: Int32

  init(_ keyword: Keyword, writtenAs: Keyword, value: JSONValue, dependent: Int32) {
    self.keyword = keyword
    self.writtenAs = writtenAs
    self.value = value
    self.dependent = dependent
    isInStyle = Keyword.ofStyle.all.contains(keyword)
  }

  /// The path of the property within its element.
  var path: [String] { Keyword.ofStyle.all.contains(writtenAs) ? ["style", writtenAs.name] : [writtenAs.name] }
}

/// A value of a template that depends on the row.
enum RowDependentValue: BitwiseCopyable {
  /// A string with bindings: the index of its expression.
  case expression(Int32)
  case choice(Choice)
}

/// A value by condition: `{if: mine, then: end, else: start}`. Without `else` the property keeps its default value.
struct Choice: BitwiseCopyable {
  var condition: Int32
  var then: JSONValue
  var otherwise: JSONValue?
}

/// A `forEach` of an element.
struct Loop: BitwiseCopyable {
  var path: Int32
  var variable: ByteString
  /// The largest number of items.
  var limit: Int32
  /// The index of the loop around it, or `absent`.
  var outer: Int32
  /// Whether a row without the array is bad. Otherwise it has no items.
  var isRequired = false
}

struct TextTemplate: BitwiseCopyable {
  var runs: BufferRange
  /// The properties of all runs that do not depend on the row.
  var draft: TextDraft
  /// The path of the marks, or `absent`.
  var marks = absent

  var options: TextOptions { draft.options }
}

struct RunTemplate: BitwiseCopyable {
  /// `absent` for an attachment.
  var expression: Int32
  /// The style of the run, if it does not depend on the row.
  var style: TextStyle
  /// The index of that style's font.
  var font: Int32
  /// The run's own properties, without those of its text.
  var draft: TextDraft
  /// The properties of the run that depend on the row.
  var patches: BufferRange
  /// The index of the run in its text, or `absent` for a text without a list of runs.
  var position: Int32
  /// The loop whose items each make a run, or `absent`.
  var loop = absent
  /// The expressions of its URL and its kind, or `absent`.
  var url = absent
  var kind = absent
  /// Whether it can have a URL, a kind or an attachment.
  var mayBeSpan = false

  /// Whether its text has a list of runs.
  var isOfList: Bool { position != absent || loop != absent }

  /// The run's path within its text.
  var path: [String] { position != absent ? ["runs", "\(position)"] : loop != absent ? ["runs"] : [] }
}

/// A string with bindings, which joins pieces. An expression that is a single binding keeps the JSON type of the field.
struct Expression: BitwiseCopyable {
  var pieces = BufferRange()
  var isWholeBinding = false
  /// The value by condition that the text is, instead of a string.
  var choice: JSONValue?
}

struct Piece: BitwiseCopyable {
  var literal: ByteString
  /// The index of the field's path, or `absent` for a literal and a formula.
  var path: Int32
  var isOptional: Bool
  /// The steps of a formula, or none.
  var formula = BufferRange()

  var isLiteral: Bool { path == absent && formula.count == 0 }
}

/// A path to a field, from the row's top level down.
struct FieldPath: BitwiseCopyable {
  enum Root: BitwiseCopyable {
    /// A field of the row whose value is stored in a slot while the row's keys are passed.
    case slot(Int32)
    /// A field that is searched by name, in an inline layout.
    case field(ByteString)
    /// The item of an enclosing `forEach`, counted from the outermost one.
    case item(Int32)
    /// One of the four numbers of `constrainedSize`.
    case constraint(Int32)
    /// What a query asks of a text.
    case text(Int32)
  }

  var root: Root
  var components: BufferRange
  /// The path as it is written, for errors.
  var written: ByteString
  /// The index of the element in which the path is written, and of the innermost `forEach` around it, or `absent`.
  var element: Int32
  var loop: Int32
}

struct PathComponent: BitwiseCopyable {
  var key: ByteString
  /// The component as an array index, or -1 if it is not a number.
  var index: Int
}

/// A condition. A condition that contains others is followed by them, up to the index `end`.
struct Condition: BitwiseCopyable {
  enum Test: BitwiseCopyable {
    case holds
    case equals(JSONValue)
    case atLeast(JSONValue)
    case below(JSONValue)
    case not
    case all
    case any
  }

  var test: Test
  var path: Int32 = absent
  /// The index after the last condition inside this one.
  var end: Int32 = 0
}

/// A cell class of a cells file, or the layout of a row.
public struct CellClass: BitwiseCopyable {
  public let name: ByteString
  let root: Int32
  /// The direction of the cell's subnodes, or nil for that of the list.
  let layoutDirection: Patch?
  /// The queries of its conditions for the lines of its texts.
  let textQueries: BufferRange
  /// Whether a binding outside the layouts of its nodes reads `constrainedSize`, so that a row has another tree at each width.
  let readsConstraint: Bool
}
