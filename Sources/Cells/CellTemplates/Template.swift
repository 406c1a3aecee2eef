import Buffers
import LayoutEngine
import TextMeasuring

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
  /// A part of a button: it is not written anywhere, so that its path is the button's.
  var isSynthetic = false
  /// A button's title is there only when its text is not empty, its image only when it has a size.
  var vanishesWhenEmpty = false
  /// Where a button's image stands when the row decides that: there is an image at both places, and one is left out.
  var imagePlace = ImagePlace.only
  /// A node's layout depends on the size range that the node is asked.
  var layoutReadsConstraint = false
  /// Where it stands, for messages.
  var parent = absent
  var role = Keyword.layout
  var position: Int32 = absent
}

extension TemplateElement {
  /// Whether a part of a button is there with the properties that the row gives it.
  func stands(with draft: ElementDraft) -> Bool {
    if type == .image && vanishesWhenEmpty && draft.contentSize.width.isNaN { return false }
    switch imagePlace {
    case .only: return true
    case .beginning: return !draft.imageAlignsAtEnd
    case .end: return draft.imageAlignsAtEnd
    }
  }
}

/// A place of a button's image beside its title.
enum ImagePlace: UInt8, BitwiseCopyable { case only, beginning, end }

let absent: Int32 = -1

/// A run of indices into another buffer.
struct Span: BitwiseCopyable {
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
  /// What the whole value stands for, or `absent` if only parts of it depend on the row.
  let dependent: Int32

  init(_ keyword: Keyword, writtenAs: Keyword, value: JSONValue, dependent: Int32) {
    self.keyword = keyword
    self.writtenAs = writtenAs
    self.value = value
    self.dependent = dependent
    isInStyle = Keyword.ofStyle.contains(keyword)
  }

  /// The path of the property within its element.
  var path: [String] { Keyword.ofStyle.contains(writtenAs) ? ["style", writtenAs.name] : [writtenAs.name] }
}

/// What a value of a template that depends on the row stands for.
enum RowDependentValue: BitwiseCopyable {
  /// A string with bindings: index of its expression.
  case expression(Int32)
  case choice(Choice)
}

/// A value by condition: `{if: mine, then: end, else: start}`. Without `else` the property keeps its default.
struct Choice: BitwiseCopyable {
  var condition: Int32
  var then: JSONValue
  var otherwise: JSONValue?
}

/// `forEach`.
struct Loop: BitwiseCopyable {
  var path: Int32
  var variable: ByteString
  /// Items at most.
  var limit: Int32
  /// The loop around it, or `absent`.
  var outer: Int32
}

struct TextTemplate: BitwiseCopyable {
  var runs: Span
  /// What holds for all runs on which the row has no influence.
  var draft: TextDraft

  var options: TextOptions { draft.options }
}

struct RunTemplate: BitwiseCopyable {
  var expression: Int32
  /// The style of a run on which the row has no influence.
  var style: TextStyle
  /// What the run says of its style, apart from its text.
  var draft: TextDraft
  /// What the row says of its style.
  var patches: Span
  /// Its number among the runs of its text, or `absent` for a text without runs.
  var position: Int32
}

/// A string with bindings: pieces put together. One that is a single binding keeps the field's JSON type.
struct Expression: BitwiseCopyable {
  var pieces = Span()
  var isWholeBinding = false
  /// The text is a value by condition instead.
  var choice: JSONValue?
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
  /// The element in which it is written, and the innermost `forEach` around it, or `absent`.
  var element: Int32
  var loop: Int32
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
