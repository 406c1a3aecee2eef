import Buffers

// The stack (layout-semantics 5). "main" is the axis along the stack's direction, "cross" the other.

/// A child while its stack is laid out.
struct StackItem: BitwiseCopyable {
  var child: Int32
  var measurement: Int32
  /// Sizes so far, in points.
  var main: Double
  var cross: Double
  var flexGrow: Double
  var flexShrink: Double
  var spacingBefore: Double
  var spacingAfter: Double
  /// The range of cross sizes that a stretched child asks for itself; infinite maximum and zero minimum: none.
  var ownCrossMin: Double
  var ownCrossMax: Double
  var alignment: StackLayoutAlignItems

  @inline(__always)
  var isFlexibleInBothDirections: Bool { flexGrow > 0 && flexShrink > 0 }
}

/// A run of items that share a cross size.
struct StackLine: BitwiseCopyable {
  var first: Int
  var end: Int
  /// Length along the stack with all spacing, in points.
  var mainSum = 0.0
  var crossSize = 0.0
  var baseline = 0.0

  @inline(__always)
  init(first: Int, end: Int) {
    self.first = first
    self.end = end
  }
}

/// What one stack is asked: its options and its range, turned into main and cross.
struct StackPass {
  let options: StackOptions
  let vertical: Bool
  let mainMin: Double
  let mainMax: Double
  let crossMin: Double
  let crossMax: Double
  /// Percentages of children only resolve against an exact axis.
  let parent: Size
  let items: UnsafeMutableBufferPointer<StackItem>

  @inline(__always)
  init(options: StackOptions, range: SizeRange, items: UnsafeMutableBufferPointer<StackItem>) {
    self.options = options
    self.items = items
    vertical = options.direction == .vertical
    mainMin = vertical ? range.min.height : range.min.width
    mainMax = vertical ? range.max.height : range.max.width
    crossMin = vertical ? range.min.width : range.min.height
    crossMax = vertical ? range.max.width : range.max.height
    parent = Size(
      range.min.width == range.max.width ? range.min.width : .nan,
      range.min.height == range.max.height ? range.min.height : .nan)
  }

  @inline(__always)
  func size(main: Double, cross: Double) -> Size { vertical ? Size(cross, main) : Size(main, cross) }

  @inline(__always)
  func point(main: Double, cross: Double) -> Point { vertical ? Point(cross, main) : Point(main, cross) }

  /// How far a length is outside the range: what must be added to bring it inside.
  @inline(__always)
  func mainViolation(_ length: Double) -> Double { violation(length, mainMin, mainMax) }

  @inline(__always)
  func crossViolation(_ length: Double) -> Double { violation(length, crossMin, crossMax) }

  /// The items' length along the stack with all spacing. Summed in Texture's order, which shows in the last bits.
  @inline(__always)
  func mainSum(_ line: StackLine) -> Double {
    guard let item = items.baseAddress else { return 0 }
    var sum = options.spacing * Double(line.end - line.first - 1)
    for index in line.first..<line.end {
      sum = sum + item[index].spacingBefore + item[index].spacingAfter
    }
    for index in line.first..<line.end { sum += item[index].main }
    return sum
  }
}

/// Float noise below a hundredth of a point is no violation.
let violationEpsilon = 0.01

@inline(__always)
private func violation(_ length: Double, _ low: Double, _ high: Double) -> Double {
  if length < low { return low - length }
  if length > high { return high - length }
  return 0
}

extension LayoutSolver {
  mutating func layoutStack(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ range: SizeRange
  ) -> (Size, Int32) {
    let firstItem = items.count
    let options = element.pointee.stack
    let flexibleInBoth = collectItems(index, element, options)
    let count = items.count - firstItem
    if count == 0 { return (range.min, Self.none) }
    let pass = StackPass(
      options: options, range: range,
      items: UnsafeMutableBufferPointer(start: items.base + firstItem, count: count))
    let firstLine = lines.count

    // With one child that can take any size in an exact stack, its natural size is not asked for. This is visible:
    // the child starts from zero (layout-semantics 5.2).
    let skipsFlexible = flexibleInBoth == 1 && pass.mainMin == pass.mainMax
    measureNaturalSizes(pass, skipsFlexible: skipsFlexible)
    breakIntoLines(pass)
    for line in firstLine..<lines.count {
      lines.base[line].mainSum = flex(lines[line], pass, skipsFlexible: skipsFlexible)
    }
    sizeLines(from: firstLine, pass)
    stretchLines(from: firstLine, pass)
    let result = positionItems(from: firstLine, pass)

    if pass.vertical {
      baselines[Int(index)] = Baselines(
        ascender: baselines[Int(pass.items[0].child)].ascender,
        descender: baselines[Int(pass.items[count - 1].child)].descender)
    }
    items.truncate(to: firstItem)
    lines.truncate(to: firstLine)
    return (range.clamp(result.size), result.placements)
  }

  /// Copies what the stack needs of its children's styles; answers how many can both grow and shrink.
  private mutating func collectItems(
    _ index: Int32, _ element: UnsafeMutablePointer<Element>, _ options: StackOptions
  ) -> Int {
    let crossSized =
      options.direction == .vertical ? LayoutElementStyle.sizedWidth : LayoutElementStyle.sizedHeight
    var flexible = 0
    var child = index + 1
    while child < element.pointee.end {
      let style = styles + Int(elements[Int(child)].style)
      var item = StackItem(
        child: child, measurement: Self.none, main: 0, cross: 0, flexGrow: style.pointee.flexGrow,
        flexShrink: style.pointee.flexShrink, spacingBefore: style.pointee.spacingBefore,
        spacingAfter: style.pointee.spacingAfter, ownCrossMin: 0, ownCrossMax: .infinity,
        alignment: options.alignItems.overridden(by: style.pointee.alignSelf))
      if style.pointee.sizedAxes & crossSized != 0 {
        (item.ownCrossMin, item.ownCrossMax) =
          options.direction == .vertical ? style.pointee.widths(.nan) : style.pointee.heights(.nan)
      }
      if item.isFlexibleInBothDirections { flexible += 1 }
      items.append(item)
      child = elements[Int(child)].end
    }
    return flexible
  }

  /// Measures an item between two main sizes; a stretched one must fill the cross axis unless its style says more.
  @inline(__always)
  mutating func measureItem(
    _ item: inout StackItem, main low: Double, _ high: Double, cross crossMin: Double, _ crossMax: Double,
    _ pass: StackPass
  ) {
    var childCrossMin = 0.0
    var childCrossMax = crossMax
    if item.alignment == .stretch {
      childCrossMin = item.ownCrossMin == 0 ? crossMin : item.ownCrossMin
      childCrossMax = item.ownCrossMax == .infinity ? crossMax : item.ownCrossMax
    }
    let answer = measure(
      item.child,
      SizeRange(min: pass.size(main: low, cross: childCrossMin), max: pass.size(main: high, cross: childCrossMax)),
      pass.parent)
    item.main = pass.vertical ? answer.size.height : answer.size.width
    item.cross = pass.vertical ? answer.size.width : answer.size.height
    item.measurement = answer.measurement
  }

  private mutating func measureNaturalSizes(_ pass: StackPass, skipsFlexible: Bool) {
    for index in 0..<pass.items.count {
      if skipsFlexible && pass.items[index].isFlexibleInBothDirections { continue }
      let style = styles + Int(elements[Int(pass.items[index].child)].style)
      let parent = pass.vertical ? pass.parent.height : pass.parent.width
      // A flexBasis is exact, and so overrides the child's own length.
      let basis = style.pointee.flexBasis
      measureItem(
        &pass.items[index], main: basis.resolveDefinite(parent, auto: 0),
        basis.resolveDefinite(parent, auto: .infinity), cross: pass.crossMin, pass.crossMax, pass)
    }
  }

  /// A line ends where the next item would exceed the maximum; it has at least one item.
  private mutating func breakIntoLines(_ pass: StackPass) {
    guard pass.options.flexWrap == .wrap else {
      lines.append(StackLine(first: 0, end: pass.items.count))
      return
    }
    var first = 0
    var sum = 0.0
    var gap = 0.0
    for index in 0..<pass.items.count {
      let item = pass.items[index]
      let length = item.spacingBefore + item.main + item.spacingAfter
      if index > first && pass.mainViolation(sum + gap + length) < 0 {
        lines.append(StackLine(first: first, end: index))
        first = index
        sum = 0
        gap = 0
      }
      sum += gap + length
      gap = pass.options.spacing
    }
    lines.append(StackLine(first: first, end: pass.items.count))
  }

  /// Cross size and baseline of every line (CSS flexbox 9.4, cross size).
  private mutating func sizeLines(from firstLine: Int, _ pass: StackPass) {
    let single = lines.count - firstLine == 1
    let definite = single && pass.crossMin == pass.crossMax
    for index in firstLine..<lines.count {
      var aboveBaseline = 0.0
      var belowBaseline = 0.0
      var others = 0.0
      for position in lines[index].first..<lines[index].end {
        let item = pass.items[position]
        if item.alignment.isBaseline {
          let baseline = baseline(of: item)
          aboveBaseline = larger(aboveBaseline, baseline)
          belowBaseline = larger(belowBaseline, item.cross - baseline)
        } else {
          others = larger(others, item.cross)
        }
      }
      var cross = larger(aboveBaseline + belowBaseline, others)
      if definite {
        cross = pass.crossMin
      } else if single {
        cross = smaller(larger(pass.crossMin, cross), pass.crossMax)
      }
      lines.base[index].crossSize = cross
      lines.base[index].baseline = aboveBaseline
    }
  }

  @inline(__always)
  func baseline(of item: StackItem) -> Double {
    switch item.alignment {
    case .baselineFirst: baselines[Int(item.child)].ascender
    case .baselineLast: item.cross + baselines[Int(item.child)].descender
    default: 0
    }
  }

  /// Shares spare cross space among the lines of `alignContent: stretch`, then stretches items to their lines.
  private mutating func stretchLines(from firstLine: Int, _ pass: StackPass) {
    let count = lines.count - firstLine
    if count > 1 && pass.options.alignContent == .stretch {
      let violation = pass.crossViolation(crossSum(from: firstLine, pass))
      if violation > violationEpsilon {
        for index in firstLine..<lines.count { lines.base[index].crossSize += violation / Double(count) }
      }
    }
    for index in firstLine..<lines.count {
      let line = lines[index]
      var changes = false
      for position in line.first..<line.end {
        let item = pass.items[position]
        if item.alignment == .stretch && line.crossSize - item.cross > violationEpsilon {
          measureItem(
            &pass.items[position], main: item.main, item.main, cross: line.crossSize, line.crossSize, pass)
          changes = true
        }
      }
      if changes { lines.base[index].mainSum = pass.mainSum(line) }
    }
  }

  @inline(__always)
  func crossSum(from firstLine: Int, _ pass: StackPass) -> Double {
    var sum = pass.options.lineSpacing * Double(lines.count - firstLine - 1)
    for index in firstLine..<lines.count { sum += lines[index].crossSize }
    return sum
  }
}
