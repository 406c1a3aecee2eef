import Buffers
import LayoutEngine

/// Compiled templates: everything that binding a row needs, in flat buffers.
struct Templates: ~Copyable {
  var elements = FlatBuffer<TemplateElement>()
  var styles = FlatBuffer<LayoutElementStyle>()
  var sizes = FlatBuffer<Size>()
  var drafts = FlatBuffer<ElementDraft>()
  var patches = FlatBuffer<Patch>()
  var loops = FlatBuffer<Loop>()
  var texts = FlatBuffer<TextTemplate>()
  var runs = FlatBuffer<RunTemplate>()
  var expressions = FlatBuffer<Expression>()
  var pieces = FlatBuffer<Piece>()
  var steps = FlatBuffer<FormulaStep>()
  var paths = FlatBuffer<FieldPath>()
  var components = FlatBuffer<PathComponent>()
  var conditions = FlatBuffer<Condition>()
  var textQueries = FlatBuffer<TextQuery>()
  /// The values that depend on the row. `dependentAt` has their indices by the index of the written value on the tape.
  var dependents = FlatBuffer<RowDependentValue>()
  private var dependentAt: [Int: Int32] = [:]
  /// The tape of the document from which the templates are compiled. The value of a binding may be on the tape of
  /// another document at the same index.
  private var tape: UnsafePointer<UInt64>?
  /// Whether a binding of the cell class or layout that is compiled reads `constrainedSize`, so that a row has another tree at
  /// each width.
  var readsConstraint = false
  /// Whether any node states the direction of its subnodes.
  var statesDirections = false

  init() { styles.append(LayoutElementStyle()) }

  /// Returns the indices of a loop and of those around it, the outermost first.
  func loops(from innermost: Int32) -> [Int32] { Self.chain(to: innermost) { loops[Int($0)].outer } }

  /// Returns the indices of an element and of those around it, the outermost first.
  func lineage(of element: Int32) -> [Int32] { Self.chain(to: element) { elements[Int($0)].parent } }

  private static func chain(to last: Int32, _ outer: (Int32) -> Int32) -> [Int32] {
    var found: [Int32] = []
    var index = last
    while index != absent {
      found.append(index)
      index = outer(index)
    }
    return found.reversed()
  }

  mutating func removeAll() {
    elements.removeAll()
    styles.truncate(to: 1)
    sizes.removeAll()
    drafts.removeAll()
    patches.removeAll()
    loops.removeAll()
    texts.removeAll()
    runs.removeAll()
    expressions.removeAll()
    pieces.removeAll()
    steps.removeAll()
    paths.removeAll()
    components.removeAll()
    conditions.removeAll()
    textQueries.removeAll()
    dependents.removeAll()
    dependentAt.removeAll(keepingCapacity: true)
    readsConstraint = false
    statesDirections = false
  }

  mutating func note(_ value: JSONValue, as dependent: RowDependentValue) {
    tape = value.tape
    dependentAt[value.index] = dependents.add(dependent)
  }

  /// Returns the index of the row-dependent value that replaces a value of the templates, or `absent` for a constant
  /// and for a value of the row.
  @inline(__always)
  func dependent(of value: JSONValue) -> Int32 {
    guard value.tape == tape, value.mayDepend else { return absent }
    return dependentAt[value.index] ?? absent
  }

  /// Returns the value at the components of a path within a value, or nil if there is none.
  @inline(__always)
  func value(at path: BufferRange, within value: JSONValue) -> JSONValue? {
    var value = value
    for index in path.range {
      let component = components.base + index
      let next =
        value.isObject
        ? value.member(component.pointee.key)
        : component.pointee.index >= 0 ? value.element(component.pointee.index) : nil
      guard let next else { return nil }
      value = next
    }
    return value
  }

  /// Returns the path of an element in its cell class: `layout`, `children`, `2`.
  func path(of index: Int32) -> [String] {
    lineage(of: index).flatMap { index -> [String] in
      let element = elements[Int(index)]
      if element.isSynthetic { return [] }
      return element.position == absent ? [element.role.name] : [element.role.name, "\(element.position)"]
    }
  }
}
