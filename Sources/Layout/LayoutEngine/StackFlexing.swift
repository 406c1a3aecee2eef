extension LayoutSolver {
  /// Grows or shrinks the items of a line so that its length is in the stack's range (layout-semantics 5.5), and sets the
  /// length of the line. Lengths that the minimum or maximum of an item takes away are not distributed again.
  @inline(__always)
  mutating func flex<Axis>(_ line: inout StackLine, _ pass: StackPass<Axis>) {
    line.sumMain(pass)
    let violation = pass.violation(ofMain: line.mainSum)
    if violation.magnitude < violationEpsilon || !pass.traits.contains(.flexible) {
      if !pass.skipsFlexible { return }
      // The child whose natural size was not measured still needs a layout.
      measureFlexibleAtZero(line, pass)
      line.sumMain(pass)
    } else if flex(line, by: violation, pass) {
      line.sumMain(pass)
    }
  }

  /// Distributes a violation among the items of a line. Returns whether any item was measured again.
  private mutating func flex<Axis>(_ line: StackLine, by violation: Double, _ pass: StackPass<Axis>) -> Bool {
    let grows = violation > 0
    var factors = 0.0
    for index in line.first..<line.end {
      let style = pass.items[index].style
      factors += grows ? style.pointee.flexGrow : style.pointee.flexShrink
    }
    if factors == 0 {
      if pass.skipsFlexible { measureFlexibleAtZero(line, pass) }
      return pass.skipsFlexible
    }
    let shares = FlexShares(violation: violation, factors: factors, line: line, items: pass.items)
    var remaining = violation
    var firstFlexed = -1
    for index in line.first..<line.end {
      let adjustment = shares.adjustment(pass.items[index])
      remaining -= adjustment
      if firstFlexed < 0 && adjustment != 0 { firstFlexed = index }
    }
    if firstFlexed < 0 { return false }
    for index in firstFlexed..<line.end {
      let item = pass.items + index
      let adjustment = shares.adjustment(item.pointee)
      if adjustment == 0 { continue }
      let takesRest = index == firstFlexed && item.pointee.style.pointee.flexGrow > 0
      measureFlexed(item, larger(item.pointee.main + adjustment + (takesRest ? remaining : 0), 0), pass)
    }
    return true
  }

  /// Measures the items that both grow and shrink with a length of 0.
  mutating func measureFlexibleAtZero<Axis>(_ line: StackLine, _ pass: StackPass<Axis>) {
    for index in line.first..<line.end
    where pass.items[index].style.pointee.traits.contains(.flexibleInBothDirections) {
      measureFlexed(pass.items + index, 0, pass)
    }
  }

  /// Measures an item with a length along the stack.
  mutating func measureFlexed<Axis>(
    _ item: UnsafeMutablePointer<StackItem>, _ length: Double, _ pass: StackPass<Axis>
  ) {
    measure(item, main: length, length, cross: pass.min.y, pass.max.y, pass)
  }
}

/// The shares of a line's items in a violation.
private struct FlexShares {
  /// The length to add to the line, in points; negative if the line shrinks.
  let violation: Double
  /// The sum of the grow or shrink factors.
  let factors: Double
  /// The sum of the items' sizes weighted by their shrink factors, which only shrinking uses.
  let weights: Double

  @inline(__always)
  init(violation: Double, factors: Double, line: StackLine, items: UnsafeMutablePointer<StackItem>) {
    self.violation = violation
    self.factors = factors
    var weights = 0.0
    if violation < 0 {
      for index in line.first..<line.end {
        weights += items[index].main * (items[index].style.pointee.flexShrink / factors)
      }
    }
    self.weights = weights
  }

  /// Returns the length that is added to an item: whole points if the line grows; a length weighted by the item's size and
  /// not rounded if it shrinks.
  @inline(__always)
  func adjustment(_ item: StackItem) -> Double {
    if violation > 0 { return wholeFloor(violation * (item.style.pointee.flexGrow / factors)) }
    if weights == 0 { return 0 }
    let weight = item.main * (item.style.pointee.flexShrink / factors)
    return -((weight / weights) * violation).magnitude
  }
}
