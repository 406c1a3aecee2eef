extension LayoutSolver {
  /// Places the lines and their items (layout-semantics 5.8 and 5.9); answers the size before clamping.
  mutating func positionItems(from firstLine: Int, _ pass: StackPass) -> (size: Size, placements: Int32) {
    let start = reservePlacements(pass.items.count)
    let lineCount = lines.count - firstLine
    let crossTotal = crossSum(from: firstLine, pass)
    let between = distribution(
      pass.options.alignContent, violation: pass.crossViolation(crossTotal), count: lineCount)
    var mainTotal = 0.0
    var lineStart = between.offset
    for index in firstLine..<lines.count {
      let line = lines[index]
      if index > firstLine { lineStart += between.gap + pass.options.lineSpacing }
      mainTotal = larger(line.mainSum, mainTotal)
      positionItems(in: line, at: lineStart, start, pass)
      lineStart += line.crossSize
    }
    return (pass.size(main: mainTotal, cross: crossTotal), start)
  }

  private mutating func positionItems(in line: StackLine, at lineStart: Double, _ start: Int32, _ pass: StackPass) {
    guard let items = pass.items.baseAddress else { return }
    let placed = placements.base + Int(start)
    let within = distribution(
      StackLayoutAlignContent(pass.options.justifyContent), violation: pass.mainViolation(line.mainSum),
      count: line.end - line.first)
    var cursor = within.offset
    for index in line.first..<line.end {
      let item = items + index
      cursor += item.pointee.spacingBefore
      if index > line.first { cursor += pass.options.spacing + within.gap }
      let cross = lineStart + crossOffset(of: item, in: line)
      placed[index].position = pass.point(main: cursor, cross: cross)
      placed[index].size = pass.size(main: item.pointee.main, cross: item.pointee.cross)
      placed[index].measurement = item.pointee.measurement
      cursor += item.pointee.main + item.pointee.spacingAfter
    }
  }

  @inline(__always)
  private func crossOffset(of item: UnsafeMutablePointer<StackItem>, in line: StackLine) -> Double {
    switch item.pointee.alignment {
    case .start, .stretch: 0
    case .end: line.crossSize - item.pointee.cross
    case .center: grid.floor((line.crossSize - item.pointee.cross) / 2)
    case .baselineFirst, .baselineLast: line.baseline - baseline(of: item.pointee)
    }
  }
}

/// Where the first of `count` parts starts, and what is put between two, to use up `violation`.
@inline(__always)
private func distribution(
  _ content: StackLayoutAlignContent, violation: Double, count: Int
) -> (offset: Double, gap: Double) {
  let cannotSpace = violation < violationEpsilon || count == 1
  switch content {
  case .start, .stretch: return (0, 0)
  case .center: return (violation / 2, 0)
  case .end: return (violation, 0)
  case .spaceBetween: return cannotSpace ? (0, 0) : (0, violation / Double(count - 1))
  case .spaceAround:
    if cannotSpace { return (violation / 2, 0) }
    let unit = violation / Double(count * 2)
    return (unit, unit * 2)
  }
}

extension StackLayoutAlignContent {
  @inline(__always)
  fileprivate init(_ justifyContent: StackLayoutJustifyContent) {
    switch justifyContent {
    case .start: self = .start
    case .center: self = .center
    case .end: self = .end
    case .spaceBetween: self = .spaceBetween
    case .spaceAround: self = .spaceAround
    }
  }
}
