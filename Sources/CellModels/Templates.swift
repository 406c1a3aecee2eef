import Buffers
import LayoutEngine

/// Compiled templates: everything that binding a row needs, in flat runs.
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
  var paths = FlatBuffer<FieldPath>()
  var components = FlatBuffer<PathComponent>()
  var conditions = FlatBuffer<Condition>()
  /// Expression of each string inside properties that depends on the row, by its place on the document's tape.
  var dynamicStrings: [Int: Int32] = [:]
  /// Whether any binding reads `constrainedSize`, so that a row looks different at each width.
  var readsConstraint = false

  init() { styles.append(LayoutElementStyle()) }

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
    paths.removeAll()
    components.removeAll()
    conditions.removeAll()
    dynamicStrings.removeAll(keepingCapacity: true)
    readsConstraint = false
  }

  /// Where an element stands: `layout.children[2]`.
  func path(of index: Int32) -> [String] {
    var path: [String] = []
    var index = index
    while index != absent {
      let element = elements[Int(index)]
      if element.position != absent { path.append("\(element.position)") }
      path.append(element.role.name)
      index = element.parent
    }
    return path.reversed()
  }
}
