extension LayoutSolver {
  /// Grows or shrinks the items of a line so that it meets the stack's range (layout-semantics 5.5). One pass only:
  /// what an item's own minimum or maximum takes away is not shared out again. Answers the line's length afterwards.
  mutating func flex(_ line: StackLine, _ pass: StackPass, skipsFlexible: Bool) -> Double {
    let sum = pass.mainSum(line)
    let violation = pass.mainViolation(sum)
    if violation.magnitude < violationEpsilon && !skipsFlexible { return sum }
    return flex(line, by: violation, pass, skipsFlexible: skipsFlexible) ? pass.mainSum(line) : sum
  }

  /// Whether any item was measured again.
  private mutating func flex(
    _ line: StackLine, by violation: Double, _ pass: StackPass, skipsFlexible: Bool
  ) -> Bool {
    let flexes = violation.magnitude >= violationEpsilon
    let grows = violation > 0
    var factors = 0.0
    if flexes {
      for index in line.first..<line.end {
        factors += grows ? pass.items[index].flexGrow : pass.items[index].flexShrink
      }
    }
    if factors == 0 {
      if skipsFlexible { measureFlexibleAtZero(line, pass) }
      return skipsFlexible
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
      let adjustment = shares.adjustment(pass.items[index])
      if adjustment == 0 { continue }
      let takesRest = index == firstFlexed && pass.items[index].flexGrow > 0
      let length = larger(pass.items[index].main + adjustment + (takesRest ? remaining : 0), 0)
      measureFlexed(index, length, pass)
    }
    return true
  }

  /// The child whose natural size was not asked for still needs a layout.
  private mutating func measureFlexibleAtZero(_ line: StackLine, _ pass: StackPass) {
    for index in line.first..<line.end where pass.items[index].isFlexibleInBothDirections {
      measureFlexed(index, 0, pass)
    }
  }

  private mutating func measureFlexed(_ index: Int, _ length: Double, _ pass: StackPass) {
    measureItem(&pass.items[index], main: length, length, cross: pass.crossMin, pass.crossMax, pass)
  }
}

/// How the items of a line share a violation.
private struct FlexShares {
  let violation: Double
  let factors: Double
  /// Sum of the items' sizes weighted by their shrink factors; used for shrinking only.
  let weights: Double

  @inline(__always)
  init(violation: Double, factors: Double, line: StackLine, items: UnsafeMutableBufferPointer<StackItem>) {
    self.violation = violation
    self.factors = factors
    var weights = 0.0
    if violation < 0 {
      for index in line.first..<line.end { weights += items[index].main * (items[index].flexShrink / factors) }
    }
    self.weights = weights
  }

  /// Growing is in whole points; shrinking is weighted by size and not rounded.
  @inline(__always)
  func adjustment(_ item: StackItem) -> Double {
    if violation > 0 { return wholeFloor(violation * (item.flexGrow / factors)) }
    if weights == 0 { return 0 }
    let weight = item.main * (item.flexShrink / factors)
    return -((weight / weights) * violation).magnitude
  }
}
