/// Specs whose size depends on measurements before the current one (layout-semantics 5.6).
///
/// A vertical stack has its baselines from its last measurement. An exact stack does not measure its only child that both grows
/// and shrinks unless there is room for it. So the baselines of that child may be those that it had in another range, and a
/// measurement that was kept may not be what Texture would measure now.
extension LayoutSolver {
  /// The average number of measurements for each element up to which specs with earlier baselines are measured again. In Texture,
  /// the number of measurements grows exponentially with the number of such stacks inside each other.
  private static let maxRepetitions = 256

  /// Finds the specs that take the baselines of an earlier measurement, or contain such a spec. A node makes its specs anew for
  /// each measurement, so that its size depends on none before.
  mutating func findSpecsWithEarlierBaselines() {
    let found = usesEarlierBaselines.extend(by: latest.count)
    var isAnyFound = false
    for index in stride(from: latest.count - 1, through: 0, by: -1) {
      let element = elements + index
      let mayBeSkipped = element.pointee.kind == .stack && element.pointee.flexibleChildren == 1
      var child = index + 1
      found[index] = false
      while child < Int(element.pointee.end), !element.pointee.kind.isNode {
        if found[child] || mayBeSkipped && hasBaselinesOfMeasurement(elements + child) { found[index] = true }
        child = Int(elements[child].end)
      }
      if found[index] { isAnyFound = true }
    }
    if !isAnyFound { usesEarlierBaselines.removeAll() }
  }

  /// Whether an element is a child that both grows and shrinks and has other baselines than those of its style.
  private func hasBaselinesOfMeasurement(_ child: UnsafeMutablePointer<Element>) -> Bool {
    child.pointee.kind == .stack && child.pointee.stack.direction == .vertical
      && styles[Int(child.pointee.style)].traits.contains(.flexibleInBothDirections)
  }

  /// Whether the measurements of an element that were kept may not be used.
  func mustMeasureAgain(_ index: Int32) -> Bool {
    usesEarlierBaselines.count > 0 && usesEarlierBaselines[Int(index)]
      && measurements.count < Self.maxRepetitions * latest.count
  }
}
