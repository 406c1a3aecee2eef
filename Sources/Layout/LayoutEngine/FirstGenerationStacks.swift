// What stacks do otherwise in AsyncDisplayKit 1.9 (layout-semantics 11). Sources: `ASStackUnpositionedLayout.mm`,
// `ASStackPositionedLayout.mm` and `ASStackBaselinePositionedLayout.mm` of tag 1.9.92.

extension LayoutSolver {
  /// Returns the flexBasis of a child in points. A fraction is one of the stack's maximum, and 0 points are no flexBasis.
  @inline(never)
  func firstBasis<Axis>(_ style: UnsafeMutablePointer<LayoutElementStyle>, _ pass: StackPass<Axis>) -> Dimension {
    switch style.pointee.flexBasis.unit {
    case .fraction, .smaller, .larger: .points(style.pointee.flexBasis.resolve(pass.max.x, auto: 0))
    case .points where style.pointee.flexBasis.value == 0: .auto
    default: style.pointee.flexBasis
    }
  }

  /// Lays out the items of a stack that have their natural sizes. Returns the stack's lengths along the main and cross axes
  /// before clamping, and the index of the first placement.
  @inline(never)
  mutating func layoutInWholePoints<Axis>(_ stack: Int32, _ pass: StackPass<Axis>) -> (Axes, Int32) {
    var line = StackLine(first: 0, end: pass.count)
    flexEqually(&line, pass)
    stretchToLongest(&line, pass)
    let start = reservePlacements(pass.count)
    position(line, start, pass)
    if tracksBaselines { arrangeBaselines(stack, &line, start, pass) }
    return (Axes(larger(line.mainSum, 0), line.crossSize), start)
  }

  /// Adds the same whole number of points to each flexible item of a line, and the rest of the violation to the first one.
  private mutating func flexEqually<Axis>(_ line: inout StackLine, _ pass: StackPass<Axis>) {
    line.sumMain(pass)
    let violation = pass.violation(ofMain: line.mainSum)
    func isFlexible(_ index: Int) -> Bool {
      let style = pass.items[index].style
      return (violation > 0 ? style.pointee.flexGrow : style.pointee.flexShrink) > 0
    }
    var count = 0
    if violation.magnitude >= violationEpsilon {
      for index in 0..<pass.count where isFlexible(index) { count += 1 }
    }
    if count > 0 {
      let share = floored(violation / Double(count))
      var rest = violation - share * Double(count)
      for index in 0..<pass.count where isFlexible(index) {
        let item = pass.items + index
        measureFlexed(item, larger(item.pointee.main + share + rest, 0), pass)
        rest = 0
      }
    } else if pass.skipsFlexible {
      measureFlexibleAtZero(line, pass)
    }
    line.sumMain(pass)
  }

  /// Sets the cross size of a line, and measures its stretched items again with the length of the longest item.
  private mutating func stretchToLongest<Axis>(_ line: inout StackLine, _ pass: StackPass<Axis>) {
    var longest = 0.0
    for index in 0..<pass.count { longest = larger(longest, pass.items[index].cross) }
    line.crossSize = smaller(larger(pass.min.y, longest), pass.max.y)
    stretch(&line, to: longest, pass)
  }

  /// Sets the placements of a line's items.
  private mutating func position<Axis>(_ line: StackLine, _ start: Int32, _ pass: StackPass<Axis>) {
    let options = pass.options
    let (offset, gap, last) = distribution(
      options.justifyContent, pass.violation(ofMain: line.mainSum), pass.count)
    var cursor = offset
    for index in 0..<pass.count {
      let item = pass.items + index
      let style = item.pointee.style
      cursor += style.pointee.spacingBefore + (index + 1 == pass.count ? last : 0)
      if index > 0 { cursor += options.spacing + gap }
      let spare = line.crossSize - item.pointee.cross
      let cross =
        switch item.pointee.alignment {
        case .center: grid.floor(spare / 2)
        case .end: spare
        default: 0.0
        }
      placements[Int(start) + index] = Placement(
        position: Point(Axis.turn(Axes(cursor, cross))), size: Size(Axis.turn(item.pointee.size)),
        measurement: item.pointee.measurement)
      cursor += item.pointee.main + style.pointee.spacingAfter
    }
  }

  /// Returns the use of a violation along the main axis in whole points: the offset of the first item, the length that is added
  /// between two, and the length that is added before the last one.
  private func distribution(
    _ content: StackLayoutJustifyContent, _ violation: Double, _ count: Int
  ) -> (offset: Double, gap: Double, last: Double) {
    let cannotSpace = violation < 0 || count == 1
    switch content {
    case .start: return (0, 0, 0)
    case .center: return (floored(violation / 2), 0, 0)
    case .end: return (violation, 0, 0)
    case .spaceBetween:
      if cannotSpace { return (0, 0, 0) }
      let gaps = Double(count - 1)
      return (0, floored(violation / gaps), Double(Float(violation).truncatingRemainder(dividingBy: Float(gaps))))
    case .spaceAround:
      if cannotSpace { return (floored(violation / 2), 0, 0) }
      let unit = floored(violation / Double(count * 2))
      return (unit, unit * 2, 0)
    }
  }

  /// Moves the items of a stack so that their baselines are aligned, sets the line's cross size to what they then take, and
  /// sets the baselines of a horizontal stack, which the stack around it reads.
  private mutating func arrangeBaselines<Axis>(
    _ stack: Int32, _ line: inout StackLine, _ start: Int32, _ pass: StackPass<Axis>
  ) {
    let options = pass.options
    let placed = placements.base + Int(start)
    var own = Baselines(ascender: -.infinity, descender: 0)
    var deepest = -Double.infinity
    for index in 0..<pass.count {
      own.ascender = larger(own.ascender, baselines[Int(pass.items[index].child)].ascender)
    }
    if options.alignsBaselines { moveToBaselines(placed, ascender: own.ascender, pass) }
    var longest = -Double.infinity
    for index in 0..<pass.count {
      let end = placed[index].position.axes + placed[index].size.axes
      longest = larger(longest, Axis.turn(end).y)
      if end.y > deepest {
        deepest = end.y
        own.descender = baselines[Int(pass.items[index].child)].descender
      }
    }
    if options.alignsBaselines { line.crossSize = smaller(larger(pass.min.y, longest), pass.max.y) }
    if options.direction == .horizontal { baselines[Int(stack)] = own }
  }

  /// Positions the items of a stack anew from the first one on: side by side with their baselines at one height, or one
  /// below the other from baseline to top.
  private mutating func moveToBaselines<Axis>(
    _ placed: UnsafeMutablePointer<Placement>, ascender: Double, _ pass: StackPass<Axis>
  ) {
    let options = pass.options
    let isHorizontal = options.direction == .horizontal
    var lowest = -Double.infinity
    for index in 0..<pass.count { lowest = larger(lowest, lastBaseline(of: pass.items + index, placed[index].size)) }
    var cursor = placed[0].position.axes
    for index in 0..<pass.count {
      let item = pass.items + index
      let own = baselines[Int(item.pointee.child)]
      if index > 0 {
        cursor += Axis.turn(Axes(item.pointee.style.pointee.spacingBefore, 0))
        cursor += Axis.turn(Axes(options.spacing, 0))
      }
      var offset = 0.0
      if isHorizontal && options.alignItems == .baselineFirst { offset = ascender - own.ascender }
      if isHorizontal && options.alignItems == .baselineLast {
        offset = lowest - lastBaseline(of: item, placed[index].size)
      }
      placed[index].position = Point(cursor + Axes(0, offset))
      let below = isHorizontal ? 0 : own.descender
      cursor += Axis.turn(Axes(item.pointee.main + item.pointee.style.pointee.spacingAfter + below, 0))
    }
  }

  /// Returns the distance of an item's last baseline from its top, in points.
  private mutating func lastBaseline(of item: UnsafeMutablePointer<StackItem>, _ size: Size) -> Double {
    size.height + baselines[Int(item.pointee.child)].descender
  }
}

/// Returns the largest whole number that is not above a length: as `floorf`, which takes numbers of 32 bits.
private func floored(_ points: Double) -> Double { Double(Float(points).rounded(.down)) }
