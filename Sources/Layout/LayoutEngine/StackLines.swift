/// A line of a stack: a range of items. A stack that does not wrap has one line.
struct StackLine: BitwiseCopyable {
  /// The index of the first item.
  let first: Int
  /// The index after the last item.
  let end: Int
  /// The length of the items along the main axis with all spacing, in points.
  var mainSum = 0.0
  /// The length along the cross axis, in points.
  var crossSize = 0.0
  /// The distance of the common baseline from the start of the line, in points.
  var baseline = 0.0

  /// Sets `mainSum`. The lengths are added in the order of Texture, which affects the last bits.
  @inline(__always)
  mutating func sumMain<Axis>(_ pass: StackPass<Axis>) {
    var sum = pass.options.spacing * Double(end &- first &- 1)
    if pass.traits.contains(.spaced) {
      for index in first..<end {
        let style = pass.items[index].style
        sum = sum + style.pointee.spacingBefore + style.pointee.spacingAfter
      }
    }
    for index in first..<end { sum += pass.items[index].main }
    mainSum = sum
  }
}

extension LayoutSolver {
  /// Sets the cross size and the baseline of a line (CSS Flexible Box Layout, 9.4), and stretches the items of an only line
  /// to it.
  @inline(__always)
  mutating func setCrossSize<Axis>(of line: inout StackLine, isOnly: Bool, _ pass: StackPass<Axis>) {
    var longest = 0.0
    var shortestStretched = Double.infinity
    for index in line.first..<line.end {
      let item = pass.items + index
      longest = larger(longest, item.pointee.cross)
      if item.pointee.alignment == .stretch { shortestStretched = smaller(shortestStretched, item.pointee.cross) }
    }
    if tracksBaselines { longest = crossSizeWithBaselines(&line, pass) }
    line.crossSize = isOnly ? smaller(larger(pass.min.y, longest), pass.max.y) : longest
    if isOnly && line.crossSize - shortestStretched > violationEpsilon { stretch(&line, to: line.crossSize, pass) }
  }

  /// Returns the cross size of a line whose items can be aligned by baselines, and sets its baseline.
  private mutating func crossSizeWithBaselines<Axis>(_ line: inout StackLine, _ pass: StackPass<Axis>) -> Double {
    var aboveBaseline = 0.0
    var belowBaseline = 0.0
    var others = 0.0
    for index in line.first..<line.end {
      let item = pass.items + index
      if item.pointee.alignment.isBaseline {
        let baseline = baseline(of: item)
        aboveBaseline = larger(aboveBaseline, baseline)
        belowBaseline = larger(belowBaseline, item.pointee.cross - baseline)
      } else {
        others = larger(others, item.pointee.cross)
      }
    }
    line.baseline = aboveBaseline
    return larger(aboveBaseline + belowBaseline, others)
  }

  /// Returns the distance of an item's baseline from its top, in points.
  private mutating func baseline(of item: UnsafeMutablePointer<StackItem>) -> Double {
    switch item.pointee.alignment {
    case .baselineFirst: baselines[Int(item.pointee.child)].ascender
    case .baselineLast: item.pointee.cross + baselines[Int(item.pointee.child)].descender
    default: 0
    }
  }

  /// Measures the stretched items of a line again with a length along the cross axis.
  mutating func stretch<Axis>(_ line: inout StackLine, to length: Double, _ pass: StackPass<Axis>) {
    for index in line.first..<line.end {
      let item = pass.items + index
      if item.pointee.alignment == .stretch && length - item.pointee.cross > violationEpsilon {
        let main = item.pointee.main
        noteStretch(of: item, pass)
        measure(item, main: main, main, cross: length, length, pass)
      }
    }
    line.sumMain(pass)
  }

  /// Notes the width of a child of a horizontal stack that has grown or shrunk, for `widthBounds`.
  @inline(__always)
  private mutating func noteStretch<Axis>(of item: UnsafeMutablePointer<StackItem>, _ pass: StackPass<Axis>) {
    guard item.pointee.measurement >= 0, item.pointee.style.pointee.traits.contains(.flexible),
      pass.options.direction == .horizontal
    else { return }
    let width = measurements[Int(item.pointee.measurement)].range.max.width
    stretched.append(StretchedChild(child: item.pointee.child, min: pass.min.x, max: pass.max.x, width: width))
  }

  /// Sets the placements of a line's items (layout-semantics 5.8 and 5.9).
  @inline(__always)
  mutating func position<Axis>(_ line: StackLine, at lineStart: Double, _ start: Int32, _ pass: StackPass<Axis>) {
    let options = pass.options
    var cursor = 0.0
    var gap = options.spacing
    if options.justifyContent != .start {
      let within = distribution(
        options.justifyContent.asAlignContent, violation: pass.violation(ofMain: line.mainSum),
        count: line.end - line.first)
      cursor = within.offset
      gap += within.gap
    }
    let isSpaced = pass.traits.contains(.spaced)
    var placed = placements.base + (Int(start) &+ line.first)
    for index in line.first..<line.end {
      let item = pass.items + index
      if isSpaced { cursor += item.pointee.style.pointee.spacingBefore }
      if index > line.first { cursor += gap }
      var cross = lineStart
      if item.pointee.alignment == .center {
        cross += grid.floor((line.crossSize - item.pointee.cross) / 2)
      } else if !item.pointee.alignment.isAtStart {
        cross += crossOffset(of: item, in: line)
      }
      placed.initialize(
        to: Placement(
          position: Point(Axis.turn(Axes(cursor, cross))), size: Size(Axis.turn(item.pointee.size)),
          measurement: item.pointee.measurement))
      placed += 1
      cursor += isSpaced ? item.pointee.main + item.pointee.style.pointee.spacingAfter : item.pointee.main
    }
  }

  /// Returns the distance of an item from the start of its line, in points.
  private mutating func crossOffset(of item: UnsafeMutablePointer<StackItem>, in line: StackLine) -> Double {
    switch item.pointee.alignment {
    case .end: line.crossSize - item.pointee.cross
    case .baselineFirst, .baselineLast: line.baseline - baseline(of: item)
    default: 0
    }
  }

  // MARK: Several lines

  /// Lays out the lines of a wrapping stack whose items have their natural sizes. Returns its lengths along the main and
  /// cross axes before clamping, and the index of the first placement.
  mutating func layoutLines<Axis>(_ pass: StackPass<Axis>) -> (Axes, Int32) {
    let firstLine = lines.count
    breakIntoLines(pass)
    let count = lines.count - firstLine
    for index in firstLine..<lines.count {
      flex(&lines.base[index], pass)
      setCrossSize(of: &lines.base[index], isOnly: count == 1, pass)
    }
    let start = reservePlacements(pass.count)
    stretchLines(from: firstLine, pass)
    let crossTotal = crossSum(from: firstLine, pass)
    let between = distribution(
      pass.options.alignContent, violation: pass.violation(ofCross: crossTotal), count: count)
    var mainTotal = 0.0
    var lineStart = between.offset
    for index in firstLine..<lines.count {
      let line = lines[index]
      if index > firstLine { lineStart += between.gap + pass.options.lineSpacing }
      mainTotal = larger(line.mainSum, mainTotal)
      position(line, at: lineStart, start, pass)
      lineStart += line.crossSize
    }
    lines.truncate(to: firstLine)
    return (Axes(mainTotal, crossTotal), start)
  }

  /// Adds the lines. A line ends before the item with which it would exceed the maximum, and has at least one item.
  private mutating func breakIntoLines<Axis>(_ pass: StackPass<Axis>) {
    var first = 0
    var sum = 0.0
    var gap = 0.0
    for index in 0..<pass.count {
      let item = pass.items + index
      let style = item.pointee.style
      let length = style.pointee.spacingBefore + item.pointee.main + style.pointee.spacingAfter
      if index > first && pass.violation(ofMain: sum + gap + length) < -lineTolerance {
        lines.append(StackLine(first: first, end: index))
        first = index
        sum = 0
        gap = 0
      }
      sum += gap + length
      gap = pass.options.spacing
    }
    lines.append(StackLine(first: first, end: pass.count))
  }

  /// Distributes the spare length along the cross axis among the lines if `alignContent` is `stretch`, and stretches the
  /// items to their lines.
  private mutating func stretchLines<Axis>(from firstLine: Int, _ pass: StackPass<Axis>) {
    let count = lines.count - firstLine
    if count > 1 && pass.options.alignContent == .stretch {
      let violation = pass.violation(ofCross: crossSum(from: firstLine, pass))
      if violation > violationEpsilon {
        for index in firstLine..<lines.count { lines.base[index].crossSize += violation / Double(count) }
      }
    }
    for index in firstLine..<lines.count { stretch(&lines.base[index], to: lines[index].crossSize, pass) }
  }

  /// Returns the length of the lines along the cross axis with their spacing, in points.
  @inline(__always)
  private mutating func crossSum<Axis>(from firstLine: Int, _ pass: StackPass<Axis>) -> Double {
    var sum = pass.options.lineSpacing * Double(lines.count - firstLine - 1)
    for index in firstLine..<lines.count { sum += lines[index].crossSize }
    return sum
  }
}

/// Returns the offset of the first of `count` parts, and the length that is added between two, so that they use up a
/// violation.
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

extension StackLayoutJustifyContent {
  /// The same distribution of lines.
  @inline(__always)
  fileprivate var asAlignContent: StackLayoutAlignContent {
    switch self {
    case .start: .start
    case .center: .center
    case .end: .end
    case .spaceBetween: .spaceBetween
    case .spaceAround: .spaceAround
    }
  }
}
