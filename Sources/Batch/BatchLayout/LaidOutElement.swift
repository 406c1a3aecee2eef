import CellTemplates
import LayoutEngine

/// An element of a laid out cell with the properties that an inspection needs.
struct LaidOutElement {
  let result: ElementResult
  let element: Element
  let style: LayoutElementStyle
  let type: ElementType
  /// The path of the element in the cells file: `layout`, `children`, `2`.
  let path: [String]
  /// The `id` as it is written, or empty.
  let id: String
  /// The index of the parent among the elements of the cell, or -1.
  let parent: Int
  /// The top left corner in the cell, before rounding and mirroring, in points.
  let origin: Point
  /// The index of the node that contains the element among the elements of the cell, or -1 for the cell.
  let container: Int
  /// The frame of a node in the cell, in points.
  var frame: Rect?
  /// The height that the lines of a text need at the width at which they were filled.
  var neededHeight: Double?

  /// The name of the element in errors: its id, or the last part of its path and its type.
  var name: String { id.isEmpty ? "\(CellError.format(Array(path.suffix(2)))) (\(type.name))" : "\"\(id.excerpt)\"" }
}

extension JobLayout {
  /// Returns all elements of the cell that was laid out last while the solver remembered leaves, in depth-first order.
  func laidOutElements(_ variant: Int) -> [LaidOutElement] {
    var found: [LaidOutElement] = []
    var open: [Int] = []
    solver(variant).pointee.solver.forEachResult { result in
      open.removeLast(open.count - result.depth)
      let parent = open.last ?? -1
      let outer = parent < 0 ? Point.zero : found[parent].origin
      let element = binder.tree.elements[Int(result.element)]
      open.append(found.count)
      found.append(
        LaidOutElement(
          result: result, element: element, style: binder.tree.styles[Int(element.style)],
          type: binder.type(of: result.element), path: binder.path(of: result.element),
          id: binder.id(of: result.element), parent: parent,
          origin: Point(outer.x + result.position.x, outer.y + result.position.y),
          container: parent < 0 || found[parent].element.kind.isNode ? parent : found[parent].container))
    }
    addFrames(to: &found)
    return found
  }

  private func addFrames(to found: inout [LaidOutElement]) {
    var rects: [Int32: Rect] = [:]
    for index in 1..<max(state.frames.count, 1) { rects[state.frames[index].element] = state.frames[index].rect }
    for index in found.indices {
      let element = found[index].result.element
      found[index].frame = rects[element]
      guard binder.textNumber(of: element) >= 0, let range = found[index].result.ownRange else { continue }
      found[index].neededHeight = measureLeaf(element, range.max.width, .infinity).size.height
    }
  }
}

/// An axis of a size: width or height.
enum LengthAxis {
  case width, height

  var name: String { self == .width ? "width" : "height" }
  var other: LengthAxis { self == .width ? .height : .width }

  func length(_ size: Size) -> Double { self == .width ? size.width : size.height }
  func position(_ point: Point) -> Double { self == .width ? point.x : point.y }
}
