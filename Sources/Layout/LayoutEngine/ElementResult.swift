import Buffers

/// The result of one element in a layout.
public struct ElementResult {
  public let element: Int32
  public let depth: Int
  /// What its parent asked of it; nil when it was never measured or not remembered.
  public let constrainedSize: SizeRange?
  /// `constrainedSize` within the sizes of the element's own style: the range in which a text's lines were filled.
  public let ownRange: SizeRange?
  /// Within its parent, before rounding, in points.
  public let position: Point
  public let size: Size
}

extension LayoutSolver {
  /// Appends the frames of a layout that failed, as far as it went: sizes that are not finite are zero.
  public mutating func appendFailedFrames(to frames: inout FlatBuffer<Frame>) {
    flatten(root, count: Int(elements[0].end), into: &frames)
  }

  /// Calls `body` with every element that the last layout placed, flattened away or not, in depth-first order.
  public func forEachResult(_ body: (ElementResult) -> Void) {
    visit(0, depth: 0, Placement(position: .zero, size: root.size, measurement: root.measurement), body)
  }

  private func visit(_ index: Int32, depth: Int, _ placement: Placement, _ body: (ElementResult) -> Void) {
    let measured = placement.measurement >= 0 ? measurements[Int(placement.measurement)] : nil
    body(
      ElementResult(
        element: index, depth: depth, constrainedSize: measured?.range, ownRange: measured.map { ownRange(index, $0) },
        position: placement.position, size: placement.size))
    guard let measured, measured.placements >= 0 else { return }
    var child = index + 1
    var slot = Int(measured.placements)
    while child < elements[Int(index)].end {
      if placements[slot].measurement != Self.unused { visit(child, depth: depth + 1, placements[slot], body) }
      slot += 1
      child = elements[Int(child)].end
    }
  }

  /// Inset, overlay and background never look at the sizes of their own style (layout-semantics 3).
  private func ownRange(_ index: Int32, _ measured: Measurement) -> SizeRange {
    switch elements[Int(index)].kind {
    case .inset, .overlay, .background: return measured.range
    default:
      let style = styles + Int(elements[Int(index)].style)
      return measured.range.intersect(style.pointee.sizeRange(measured.parent, auto: .unconstrained))
    }
  }
}
