/// The access of a custom spec to its children while it is laid out: it measures each child, and sets its position.
///
/// `CustomLayoutSpec.calculateLayoutThatFits` and `LeafMeasurer.layOut` receive a pass, which is valid during that call.
///
///     let size = pass.layout(child: 0, in: constrainedSize, parentSize: constrainedSize.max)
///     pass.place(child: 0, at: Point(0, 10))
public struct CustomLayoutPass: ~Copyable {
  fileprivate let solver: UnsafeMutablePointer<LayoutSolver>
  fileprivate let parent: Int32
  /// The index of the first child's placement.
  fileprivate let start: Int

  /// The number of children.
  public let childCount: Int

  /// Lays out a child and returns its size in points. The last layout of a child is its final one.
  ///
  /// - Parameters:
  ///   - child: the index of the child, from 0. An index out of range has no effect.
  ///   - range: the sizes that the child can have, in points.
  ///   - parentSize: the size to which the child's fractions refer, in points; NaN on an axis that is not known yet.
  public mutating func layout(child: Int, in range: SizeRange, parentSize: Size) -> Size {
    guard child >= 0 && child < childCount else { return .zero }
    var index = parent + 1
    for _ in 0..<child { index = solver.pointee.elements[Int(index)].end }
    let measured = solver.pointee.measure(index, range, parentSize)
    solver.pointee.placements.base[start + child].size = measured.size
    solver.pointee.placements.base[start + child].measurement = measured.measurement
    return measured.size
  }

  /// Sets the position of a child within the spec, in points. It is (0, 0) unless it is set.
  ///
  /// - Parameters:
  ///   - child: the index of the child, from 0. An index out of range has no effect.
  ///   - position: the child's top left corner, in points from that of the spec.
  public mutating func place(child: Int, at position: Point) {
    guard child >= 0 && child < childCount else { return }
    solver.pointee.placements.base[start + child].position = position
  }
}

extension LayoutSolver {
  /// Lays out a custom spec. As for any spec, the size that its owner returns is not clamped, but must be valid.
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
