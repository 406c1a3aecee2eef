/// What a custom spec's layout does with its children: measures each as it likes, and places it.
///
/// Handed to `LeafMeasurer.layOut`; valid during that call.
public struct CustomLayoutPass: ~Copyable {
  fileprivate let solver: UnsafeMutablePointer<LayoutSolver>
  fileprivate let parent: Int32
  /// Where the children's placements start.
  fileprivate let start: Int

  public let childCount: Int

  /// Lays out a child; its last measurement is the one that counts.
  ///
  /// - Parameter parentSize: what percentages of the child are of, in points; NaN for an axis not known yet.
  public mutating func layout(child: Int, in range: SizeRange, parentSize: Size) -> Size {
    guard child >= 0 && child < childCount else { return .zero }
    var index = parent + 1
    for _ in 0..<child { index = solver.pointee.elements[Int(index)].end }
    let answer = solver.pointee.measure(index, range, parentSize)
    solver.pointee.placements.base[start + child].size = answer.size
    solver.pointee.placements.base[start + child].measurement = answer.measurement
    return answer.size
  }

  /// Puts a child somewhere in the spec, in points; at first all are at its origin.
  public mutating func place(child: Int, at position: Point) {
    guard child >= 0 && child < childCount else { return }
    solver.pointee.placements.base[start + child].position = position
  }
}

extension LayoutSolver {
  /// As for any spec, the size that its owner gives is neither clamped nor questioned, but for being finite.
  mutating func layoutCustom(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let count = Int(element.pointee.childCount)
    let start = reservePlacements(count)
    for child in 0..<count {
      placements[Int(start) + child] = Placement(position: .zero, size: .zero, measurement: Self.unused)
    }
    var size = Size.zero
    let (leaves, tag) = (leaves, element.pointee.tag)
    withUnsafeMutablePointer(to: &self) { solver in
      var pass = CustomLayoutPass(solver: solver, parent: index, start: Int(start), childCount: count)
      withUnsafePointer(to: range) { range in
        withUnsafeMutablePointer(to: &pass) { pass in
          leaves.layOut(leaves.context, tag, range, pass, &size)
        }
      }
    }
    return (size, start)
  }
}
