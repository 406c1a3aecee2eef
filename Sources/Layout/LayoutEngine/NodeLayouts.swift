import Buffers

/// Nodes with layout specs of their own (layout-semantics 3, root node).
extension LayoutSolver {
  /// Lays out a node with a layout spec. It has the size of the spec, which is not clamped.
  mutating func layoutNode(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    if tracksBaselines { forgetBaselines(inside: index) }
    if element.pointee.hasSpecs { return layoutSpecs(index, element, range) }
    let spec = measure(index + 1, range, range.max)
    return (spec.size, place(.zero, spec))
  }

  /// Lays out the spec of a node for a range, or adds a request if the node has none for it.
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
        // Only the spec for this range has a part in the layout.
        placements[Int(start) + number] = Placement(
          position: .zero, size: spec.size, measurement: spec.measurement)
        return (spec.size, start)
      }
      child = elements[Int(child)].end
    }
    // A range with NaN follows from a size that is infinite. It equals no range, so that it would be requested again and again.
    guard range.min == range.min && range.max == range.max else {
      return (Size(.nan, .nan), Self.none)
    }
    requests.append(SpecRequest(element: index, range: range))
    return (range.clamp(.zero), Self.none)
  }

  /// Resets the baselines of the specs inside a node: a node creates its spec again for each measurement. The nodes inside
  /// keep their baselines.
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

/// A request for the layout spec of a node in a range for which the tree has none.
public struct SpecRequest: BitwiseCopyable {
  /// The index of the node in its tree.
  public let element: Int32
  /// The range, in points.
  public let range: SizeRange
}
