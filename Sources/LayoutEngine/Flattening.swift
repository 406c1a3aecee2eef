import Buffers

/// Where one node of a cell ended: in points, in the cell's coordinates.
@frozen
public struct Frame: BitwiseCopyable, Sendable {
  /// `element` of the frame of the cell itself.
  public static let cell: Int32 = -1

  /// Index of the node in its tree.
  public var element: Int32
  /// Index of the frame of the node that contains it, counted from the cell's frame, which is 0; -1 for the cell.
  public var parent: Int32
  public var rect: Rect
  /// What the measurer of a text said of the measurement that counts.
  public var detail: UInt32

  init(element: Int32, parent: Int32, rect: Rect, detail: UInt32 = 0) {
    self.element = element
    self.parent = parent
    self.rect = rect
    self.detail = detail
  }
}

/// Flattening (layout-semantics 6): specs vanish, nodes stay in depth-first order, and each node's position within
/// the node that contains it is ceiled to a pixel once, on the sum of the raw positions between them.
extension LayoutSolver {
  func flatten(_ root: Answer, into frames: inout FlatBuffer<Frame>) {
    let cell = Container(frame: 0, firstFrame: frames.count - 1, x: 0, y: 0)
    flatten(0, Placement(position: .zero, size: root.size, measurement: root.measurement), .zero, cell, &frames)
  }

  /// The node whose own layout is being flattened.
  private struct Container {
    let frame: Int32
    /// Index of the cell's frame among all frames.
    let firstFrame: Int
    /// Its position in the cell.
    let x: Double
    let y: Double
  }

  private func flatten(
    _ index: Int32, _ placement: Placement, _ origin: Point, _ container: Container, _ frames: inout FlatBuffer<Frame>
  ) {
    let element = elements + Int(index)
    let position = Point(origin.x + placement.position.x, origin.y + placement.position.y)
    guard element.pointee.kind.isNode else {
      flattenChildren(element, placement.measurement, position, container, &frames)
      return
    }
    let x = container.x + grid.ceil(position.x)
    let y = container.y + grid.ceil(position.y)
    let frame = Int32(truncatingIfNeeded: frames.count - container.firstFrame)
    let measured = placement.measurement >= 0
    frames.append(
      Frame(
        element: index, parent: container.frame, rect: Rect(x, y, placement.size.width, placement.size.height),
        detail: measured ? measurements[Int(placement.measurement)].detail : 0))
    if measured && element.pointee.kind == .node {
      let inner = Container(frame: frame, firstFrame: container.firstFrame, x: x, y: y)
      flattenChildren(element, placement.measurement, .zero, inner, &frames)
    }
  }

  private func flattenChildren(
    _ element: UnsafeMutablePointer<Element>, _ measurement: Int32, _ origin: Point, _ container: Container,
    _ frames: inout FlatBuffer<Frame>
  ) {
    guard measurement >= 0 else { return }
    let start = measurements[Int(measurement)].placements
    guard start >= 0 else { return }
    let first = Int32(truncatingIfNeeded: element - elements) + 1
    if element.pointee.kind == .background {
      // The background lies behind the child, so it comes first.
      let background = elements[Int(first)].end
      if background < element.pointee.end {
        flatten(background, placements[Int(start) + 1], origin, container, &frames)
      }
      flatten(first, placements[Int(start)], origin, container, &frames)
      return
    }
    var slot = Int(start)
    var child = first
    while child < element.pointee.end {
      flatten(child, placements[slot], origin, container, &frames)
      slot += 1
      child = elements[Int(child)].end
    }
  }
}
