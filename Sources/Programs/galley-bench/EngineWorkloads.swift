import Buffers
import LayoutEngine

/// A tree of elements for measurements of the engine alone. Its leaves have sizes that are measured before.
struct Workload: Sendable {
  let name: String
  /// A function that adds the elements of one cell to an empty tree.
  let build: @Sendable (inout ElementTree, Int) -> Void

  /// Lays out a number of cells at a number of widths. Returns the number of their elements.
  func run(cells: Int, widths: Int) -> Int {
    var tree = ElementTree()
    var solver = LayoutSolver(scale: 2)
    var frames = FlatBuffer<Frame>(capacity: 1024)
    let leaves = LeafMeasurer.empty
    var elements = 0
    for cell in 0..<cells {
      tree.reset()
      build(&tree, cell)
      elements += tree.count
      for width in 0..<widths {
        frames.removeAll()
        let range = SizeRange(width: 375 + Double(width) * 10)
        guard (try? solver.layout(tree, in: range, leaves: leaves, again: width > 0, frames: &frames)) != nil else {
          return 0
        }
      }
    }
    return elements
  }
}

/// The workloads of the engine.
enum EngineWorkloads {
  static let photo = Workload(name: "photo cell", build: photoCell)
  static let all: [Workload] = [photo] + [8, 16, 32, 64].flatMap(chains) + stacks

  /// A photo cell of 17.5 elements on average: header with inset avatar, shrinkable names, growing spacer and time;
  /// square image; caption stack with 0 to 3 comments.
  private static func photoCell(_ tree: inout ElementTree, _ cell: Int) {
    var flexible = LayoutElementStyle()
    flexible.flexShrink = 1
    var growing = LayoutElementStyle()
    growing.flexGrow = 1
    let shrinks = tree.add(style: flexible)
    let grows = tree.add(style: growing)
    let root = tree.open(.stack(column(spacing: 0)))
    let headerInset = tree.open(.inset(EdgeInsets(top: 8, left: 12, bottom: 8, right: 12)))
    var row = StackOptions()
    row.spacing = 8
    row.alignItems = .center
    let header = tree.open(.stack(row))
    let avatarInset = tree.open(.inset(EdgeInsets(2)))
    tree.add(.node(calculatedSize: Size(36, 36)))
    tree.close(avatarInset)
    var names = Element.stack(column(spacing: 2))
    names.style = shrinks
    let nameStack = tree.open(names)
    add(.node(calculatedSize: Size(Double(60 + cell % 5 * 40), 18)), shrinks, &tree)
    add(.node(calculatedSize: Size(90, 14)), shrinks, &tree)
    tree.close(nameStack)
    add(.spec, grows, &tree)
    tree.add(.node(calculatedSize: Size(24, 14)))
    tree.close(header)
    tree.close(headerInset)
    let ratio = tree.open(.ratio(1))
    tree.add(.node)
    tree.close(ratio)
    let captionInset = tree.open(.inset(EdgeInsets(top: 8, left: 12, bottom: 12, right: 12)))
    let captions = tree.open(.stack(column(spacing: 4)))
    tree.add(.node(calculatedSize: Size(340, Double(18 * (1 + cell % 3)))))
    for comment in 0..<cell % 4 { tree.add(.node(calculatedSize: Size(200 + Double(comment) * 50, 18))) }
    tree.close(captions)
    tree.close(captionInset)
    tree.close(root)
  }

  /// Returns stacks in which each level has a text and the next stack.
  static func chains(depth: Int) -> [Workload] {
    [("columns", 0), ("rows", 1), ("alternating", 2)].flatMap { name, kind in
      [false, true].map { flexible in
        Workload(
          name: "chain of \(depth), \(name), \(flexible ? "flexible" : "rigid")",
          build: { tree, _ in chain(&tree, depth, kind, flexible) })
      }
    }
  }

  private static func chain(_ tree: inout ElementTree, _ depth: Int, _ kind: Int, _ flexible: Bool) {
    var style = LayoutElementStyle()
    if flexible { style.flexGrow = 1 }
    if flexible { style.flexShrink = 1 }
    let shared = tree.add(style: style)
    addLevel(&tree, depth, kind, shared)
  }

  private static func addLevel(_ tree: inout ElementTree, _ levels: Int, _ kind: Int, _ style: Int32) {
    var options = StackOptions()
    options.direction = kind == 0 || (kind == 2 && levels % 2 == 0) ? .vertical : .horizontal
    var element = Element.stack(options)
    element.style = style
    let stack = tree.open(element)
    add(.node(calculatedSize: Size(40, 18)), style, &tree)
    if levels > 1 { addLevel(&tree, levels - 1, kind, style) }
    tree.close(stack)
  }

  private static var stacks: [Workload] {
    [10, 100, 1_000, 10_000].map { count in
      Workload(
        name: "stack of \(count)",
        build: { tree, _ in
          let stack = tree.open(.stack(column(spacing: 1)))
          for _ in 0..<count { tree.add(.node(calculatedSize: Size(40, 18))) }
          tree.close(stack)
        })
    }
  }

  private static func column(spacing: Double) -> StackOptions {
    var options = StackOptions()
    options.direction = .vertical
    options.spacing = spacing
    return options
  }

  private static func add(_ element: Element, _ style: Int32, _ tree: inout ElementTree) {
    var element = element
    element.style = style
    tree.add(element)
  }
}
