import Buffers
import LayoutEngine
import TextMeasurement

// Templates: cell classes compiled once a program, as flat runs that refer to each other by index. Binding a row
// walks them without looking at a key or a name.

/// An element of a cell class. Its children follow it, up to `end`.
struct TemplateElement: BitwiseCopyable {
  var element: Element
  var type: ElementType
  /// Index of its style among the styles of the program, when the row has no say in it.
  var style: Int32 = ElementTree.plainStyle
  var end: Int32 = 0
  /// `id`, or empty.
  var name = ByteString.empty
  var when = absent
  var loop = absent
  var text = absent
  /// The expression of its `url`.
  var url = absent
  /// The draft that the patches complete for each row; absent when nothing depends on the row.
  var draft = absent
  var patches = Span()
  /// A button's title is a text that is there only when it is not empty.
  var vanishesWhenEmpty = false
  /// A node's layout depends on the size range that the node is asked.
  var layoutReadsConstraint = false
  /// Where it stands, for messages.
  var parent = absent
  var role = Keyword.layout
  var position: Int32 = absent
}

let absent: Int32 = -1

/// A run of indices into another buffer.
struct Span: BitwiseCopyable {
  var first: Int32 = 0
  var count: Int32 = 0

  var range: Range<Int> { Int(first)..<Int(first) + Int(count) }
}

/// A property whose value depends on the row.
struct Patch: BitwiseCopyable {
  var keyword: Keyword
  var inStyle: Bool
  var value: JSONValue
}

/// `forEach`.
struct Loop: BitwiseCopyable {
  var path: Int32
  var variable: ByteString
  /// Items at most.
  var limit: Int32
}

struct TextTemplate: BitwiseCopyable {
  var runs: Span
  var options: TextOptions
}

struct RunTemplate: BitwiseCopyable {
  var expression: Int32
  var style: TextStyle
}

/// A string with bindings: pieces put together. One that is a single binding keeps the field's JSON type.
struct Expression: BitwiseCopyable {
  var pieces: Span
  var isWholeBinding: Bool
}

struct Piece: BitwiseCopyable {
  var literal: ByteString
  /// The field, or `absent` for a literal.
  var path: Int32
  var isOptional: Bool
}

/// A field, from the row's top level down.
struct FieldPath: BitwiseCopyable {
  enum Root: BitwiseCopyable {
    /// A field of the row whose value is noted while the row's keys are passed once.
    case slot(Int32)
    /// A field looked up by name (inline layouts, which no program knows beforehand).
    case field(ByteString)
    /// The item of the enclosing `forEach`, counted from the outermost.
    case item(Int32)
    /// One of the four numbers of `constrainedSize`.
    case constraint(Int32)
  }

  var root: Root
  var components: Span
  /// As written, for messages.
  var written: ByteString
}

struct PathComponent: BitwiseCopyable {
  var key: ByteString
  /// The component as an array index, or -1.
  var index: Int
}

/// `when`, as a tree in prefix order.
struct Condition: BitwiseCopyable {
  enum Test: BitwiseCopyable {
    case holds
    case equals(JSONValue)
    case atLeast(Double)
    case below(Double)
    case not
    case all
    case any
  }

  var test: Test
  var path: Int32 = absent
  /// Index after the last condition inside this one.
  var end: Int32 = 0
}

/// A cell class.
public struct CellClass: BitwiseCopyable {
  public let name: ByteString
  let root: Int32
}
