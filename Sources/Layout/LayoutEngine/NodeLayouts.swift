import Buffers

/// Nodes with layout specs of their own.
extension LayoutSolver {
  /// A node with a layout spec of its own takes the spec's size, unclamped (layout-semantics 3, root node).
  mutating func layoutNode(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    if tracksBaselines { forgetBaselines(inside: index) }
    if element.pointee.hasSpecs { return layoutSpecs(index, element, range) }
    let spec = measure(index + 1, range, range.max)
    return (spec.size, place(.zero, spec))
  }

  /// Of a node's specs, one for each range it was asked, only that for this range counts.
  private mutating func layoutSpecs(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let ranges = sizes + Int(element.pointee.numbers.0.x)
    var child = index + 1
    for number in 0..<Int(element.pointee.childCount) {
      if ranges[2 * number] == range.min && ranges[2 * number + 1] == range.max {
        let start = reservePlacements(Int(element.pointee.childCount))
        for other in 0..<Int(element.pointee.childCount) {
          placements[Int(start) + other] = Placement(position: .zero, size: .zero, measurement: Self.unused)
        }
        let spec = measure(child, range, range.max)
        // The spec of a node is a spec, or a node that is laid out anew in it: in both cases it has a place.
        placements[Int(start) + number] = Placement(
          position: .zero, size: spec.size, measurement: spec.measurement)
        return (spec.size, start)
      }
      child = elements[Int(child)].end
    }
    requests.append(SpecRequest(element: index, range: range))
    return (range.clamp(.zero), Self.none)
  }

  /// A node makes its spec anew each time it is measured, so what the spec's stacks published before is gone. Nodes
  /// inside keep theirs.
  private mutating func forgetBaselines(inside node: Int32) {
    var index = node + 1
    while index < elements[Int(node)].end {
      let element = elements + Int(index)
      if element.pointee.kind == .node {
        index = element.pointee.end
        continue
      }
      baselines[Int(index)] = styleBaselines(element)
      index += 1
    }
  }
}

/// A node was asked for a layout in a range for which the tree has no spec.
public struct SpecRequest: BitwiseCopyable {
  /// Index of the node in its tree.
  public let element: Int32
  public let range: SizeRange
}
