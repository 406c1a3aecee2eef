import CellTemplates
import LayoutEngine
import TableFormats
import TextMeasuring

/// The layout of a bound row in a variant.
extension JobLayout {
  /// Lays out the bound row and returns its size. Its frames are then in `state.frames`, the cell's own first.
  func layoutFrames(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    if try binder.forgetTexts() { startMeasuring() }
    start(variant)
    var (again, passes) = (false, 1)
    var size = try solve(variant, range, again: &again)
    while binder.queriesTexts, try !bindsAlikeWithTexts() {
      startMeasuring()
      if passes > binder.textQueryCount || passes == Self.maxPasses { throw binder.contradiction() }
      passes += 1
      size = try solve(variant, range, again: &again)
    }
    mirrorFrames(variant)
    noteMissingGlyphs()
    try checkTexts()
    state.margins = state.measuredMargins.margins(of: state.frames, widthBounds(variant), state.variants[variant])
    try checkExtent()
    try checkFetchedSizes(variant, range)
    noteLines(variant)
    try checkLines()
    return size
  }

  /// Solves the bound row with the layouts that the solver requests. `again` is whether it has requested some for this row before.
  private func solve(_ variant: Int, _ range: SizeRange, again: inout Bool) throws(CellError) -> Size {
    while true {
      let hasNumbersOfOthers = !state.measuredMargins.isEmpty
      let size = try solve(variant, range)
      if state.measuredMargins.isExhausted && hasNumbersOfOthers {
        // The margins must not depend on the variants that were laid out before.
        startMeasuring()
        continue
      }
      if solver(variant).pointee.solver.requests.count == 0 { return size }
      state.isUnsolved = true
      try binder.bind(adding: solver(variant).pointee.solver.requests.values, again: again)
      again = true
      startMeasuring()
    }
  }

  /// The most layouts of a row whose conditions ask for the lines of its texts: one more than it has conditions, but no more
  /// than this.
  private static let maxPasses = 8

  /// Binds the row with the lines that its texts have, for which its conditions ask. Returns whether the tree that was laid out
  /// is then the same.
  private func bindsAlikeWithTexts() throws(CellError) -> Bool {
    var lines: [(element: Int32, lines: TextLines)] = []
    for frame in state.frames.values where frame.element != Frame.cell && binder.textNumber(of: frame.element) >= 0 {
      lines.append(
        (
          frame.element,
          TextLines(
            count: Int(UInt16(truncatingIfNeeded: frame.detail)), isTruncated: frame.detail & Self.truncatedBit != 0)
        ))
    }
    guard binder.note(lines) else { return true }
    let before = LayoutFingerprint(binder, &state.fingerprintParts)
    state.isUnsolved = true
    try binder.bindWithTexts()
    state.isUnsolved = LayoutFingerprint(binder, &state.fingerprintParts) != before
    return !state.isUnsolved
  }

  /// Throws an error for a text that its platform does not lay out.
  private func checkTexts() throws(CellError) {
    guard state.refusesText else { return }
    for element in 0..<Int32(binder.elementCount) {
      let text = binder.textNumber(of: element)
      guard text >= 0, let what = refused(inText: text) else { continue }
      let platform = state.preparation.platform.name
      throw CellError("has \(what), which \(platform) does not lay out; use another cells file for it")
        .within(contentsOf: binder.path(of: element))
    }
    throw CellError("has texts in more than \(TextMeasurer.maxLanguagesOfRow) languages beside English")
  }

  /// Returns what a text has that its platform does not lay out, or nil.
  func refused(inText number: Int) -> String? {
    let options = binder.options(ofText: number)
    let platform = state.preparation.platform
    // A line height of Android is itself a spacing of lines (text-rules 32).
    if options.lineSpacing != 0, platform == .flutter || platform == .android && hasLineHeight(text: number) {
      return platform == .flutter ? "lineSpacing" : "lineSpacing and a line height"
    }
    if !platform.isBrowser {
      if !options.paragraphs.isPlain { return "indents or spaces of paragraphs" }
      if !binder.placement(ofText: number).pointee.pointSizeScaleFactors.isEmpty { return "pointSizeScaleFactors" }
      for run in binder.runs(ofText: number) {
        if run.style.attachment != nil { return "attachments" }
        if run.style.baselineOffset != 0 { return "runs with a baselineOffset" }
      }
    }
    guard !platform.laysOutCSS else { return nil }
    if !options.css.isPlain { return options.css.statedProperty }
    if !binder.placement(ofText: number).pointee.exclusionPaths.isEmpty { return "exclusionPaths" }
    let hasFeatures = binder.runs(ofText: number).contains { run in
      program.faces.indices.contains(Int(run.style.face)) && !program.faces[Int(run.style.face)].features.isEmpty
    }
    return hasFeatures ? "fonts with fontFeatures" : nil
  }

  /// Returns whether the own font of a text, which decides about the line height on Android, states one.
  private func hasLineHeight(text number: Int) -> Bool {
    let style = binder.ownStyle(ofText: number) ?? binder.runs(ofText: number).first?.style
    return style.map { !$0.lineHeight.isNaN } ?? false
  }

  /// Mirrors the frames of nodes that are laid out from right to left.
  private func mirrorFrames(_ variant: Int) {
    let directions = binder.directions(inList: state.variants[variant].layoutDirection)
    guard directions.mayMirror else { return }
    state.frames.mirror(directions, binder.tree, PixelGrid(scale: state.variants[variant].gridScale))
  }

  /// Returns the bounds of the width of the row that was laid out last; nil if the row has a width of its own, or if it is
  /// bound in another way at another width.
  private func widthBounds(_ variant: Int) -> WidthBounds? {
    binder.followsWidthOfList ? solver(variant).pointee.solver.widthBounds() : nil
  }

  /// Prepares for a layout of the bound row in a variant. The texts are prepared again if its platform shapes them in
  /// another way, or if their styles differ.
  private func start(_ number: Int) {
    state.measurer.recordsLines = recordsEverything || state.variants[number].hasLines
    state.pixels = state.variants[number].scale
    let preparation = state.preparations[number]
    let sharesTexts = preparation.sharesTexts(
      with: state.preparation, dependingOnEmojiFonts: state.measurer.dependsOnEmojiFonts)
    state.preparation = preparation
    if !sharesTexts { startMeasuring() }
  }

  /// Lays out the bound row once more and returns its elements.
  func solveForElements(_ variant: Int, _ range: SizeRange) -> [LaidOutElement] {
    start(variant)
    // The measurements that the solver remembers have no leaves.
    state.bindings &+= 1
    state.solvers.remembersLeaves = true
    defer { state.solvers.remembersLeaves = recordsEverything }
    _ = try? solve(variant, range)
    return laidOutElements(variant)
  }

  /// The solver of a variant, and of all others with its rounding.
  func solver(_ variant: Int) -> UnsafeMutablePointer<Solvers.Slot> { state.solvers[variant] }

  private func solve(_ variant: Int, _ range: SizeRange) throws(CellError) -> Size {
    state.frames.removeAll()
    let leaves = LeafMeasurer(
      context: Unmanaged.passUnretained(self).toOpaque(),
      measure: { context, tag, width, height, result in
        guard let context else { return }
        let measured = Unmanaged<JobLayout>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.measureLeaf(tag, width, height)
        }
        result.storeBytes(of: measured, as: LeafMeasurement.self)
      },
      layOut: { context, tag, range, pass, result in
        guard let context else { return }
        let size = Unmanaged<JobLayout>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.binder.layOut(
            tag, range.load(as: SizeRange.self), &pass.assumingMemoryBound(to: CustomLayoutPass.self).pointee)
        }
        result.storeBytes(of: size, as: Size.self)
      })
    state.isUnsolved = false
    do throws(LayoutFailure) {
      let size = try solver(variant).pointee.layout(
        Solvers.Conditions(binding: state.bindings, textScale: state.variants[variant].textScale, pixels: state.pixels),
        binder.tree, range, leaves)
      solver(variant).pointee.solver.appendFrames(to: &state.frames)
      return size
    } catch {
      throw CellError(LayoutFailure.reason).within(contentsOf: binder.path(of: error.element))
    }
  }
}
