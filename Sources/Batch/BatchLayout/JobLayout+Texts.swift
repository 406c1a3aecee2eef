import CellTemplates
import LayoutEngine
import TextMeasuring

/// The sizes of leaves, and the texts of a row, which are prepared when they are measured first.
extension JobLayout {
  func measureLeaf(_ element: Int32, _ maxWidth: Double, _ maxHeight: Double) -> LeafMeasurement {
    let index = binder.textNumber(of: element)
    // The element is a node of a cell written in Swift, which calculates its size itself.
    if index < 0 { return binder.measure(element, Size(maxWidth, maxHeight)) }
    if state.preparedTexts[index] < 0 { prepare(index) }
    if binder.hasPlacements {
      let placement = binder.placement(ofText: index)
      if placement.pointee.changesRoom {
        return measurePlaced(index, Size(maxWidth, maxHeight), placement)
      }
    }
    return measureLines(index, maxWidth, maxHeight)
  }

  /// Measures a text that has insets, rectangles beside its lines, or scale factors. Its baselines are those without the insets, as
  /// in Texture.
  @inline(never)
  private func measurePlaced(_ index: Int, _ room: Size, _ placement: UnsafePointer<TextPlacement>) -> LeafMeasurement {
    let inner = placement.pointee.inner(room)
    let exclusions = placement.pointer(to: \.exclusionPaths)
    var measured =
      placement.pointee.pointSizeScaleFactors.isEmpty
      ? measureLines(index, inner.width, inner.height, around: exclusions)
      : measureScaled(index, inner, placement.pointee.pointSizeScaleFactors, around: exclusions)
    measured.size = placement.pointee.outer(measured.size)
    return measured
  }

  /// - Parameter margins: the margins of the text, instead of those of the measurement.
  @inline(__always)
  func measureLines(
    _ index: Int, _ maxWidth: Double, _ maxHeight: Double, _ margins: TextMargins? = nil,
    around exclusions: UnsafePointer<ExclusionPaths>? = nil
  ) -> LeafMeasurement {
    let measured = state.measurer.measure(
      Int(state.preparedTexts[index]), textScale: textScale(ofText: index), maxWidth: maxWidth, maxHeight: maxHeight,
      pixels: state.pixels, around: exclusions)
    return LeafMeasurement(
      size: Size(measured.width, measured.height), ascender: measured.ascender, descender: measured.descender,
      detail: UInt32(UInt16(clamping: measured.lines)) | (measured.isTruncated ? Self.truncatedBit : 0)
        | state.measuredMargins.add(margins ?? measured.margins))
  }

  private func prepare(_ index: Int) {
    let options = self.options(ofText: index)
    if !options.platform.laysOutCSS && refused(inText: index) != nil { state.refusesText = true }
    let prepared = state.measurer.prepare(
      runs(ofText: index), options, textScale: textScale(ofText: index), ownStyle: ownStyle(ofText: index))
    if options.css.language != .none && state.measurer.hasTooManyLanguages { state.refusesText = true }
    state.preparedTexts[index] = Int32(truncatingIfNeeded: prepared)
    state.preparedCount += 1
  }

  /// Returns the options of a text in the variant.
  func options(ofText index: Int) -> TextOptions {
    let (platform, isCalibrated) = (state.preparation.platform, state.preparation.isCalibrated)
    if platform == .texture && !isCalibrated && program.platforms.language == .none {
      return binder.options(ofText: index)
    }
    var options = program.platforms.options(binder.options(ofText: index), for: platform)
    if isCalibrated, let calibration = program.calibrations[platform] {
      let first = binder.runs(ofText: index).first
      calibration.apply(to: &options, font: first?.font, growth: first.map { growth($0.style, ofText: index) } ?? 1)
    }
    return options
  }

  /// Returns the runs of a text in the styles that they have in the variant. The memory is valid until the next text is
  /// prepared.
  func runs(ofText index: Int) -> UnsafeBufferPointer<TextRun> {
    let runs = binder.runs(ofText: index)
    guard let scaling = conversion(ofText: index) else { return runs }
    state.scaledRuns.removeAll()
    for run in runs {
      state.scaledRuns.append(TextRun(text: run.text, style: program.fonts.scales.style(run.style, scaling)))
    }
    return state.scaledRuns.values
  }

  /// Returns the style of a text's own font as it is in the variant, or nil if its first run has it or if it does not matter.
  private func ownStyle(ofText index: Int) -> TextStyle? {
    guard !state.preparation.platform.isBrowser, let style = binder.ownStyle(ofText: index) else { return nil }
    return conversion(ofText: index).map { program.fonts.scales.style(style, $0) } ?? style
  }

  /// Returns the conversion of the styles of a text; nil if all its fonts are multiplied by the text scale. Such a text is
  /// measured as if no font of the file had another scaling.
  private func conversion(ofText index: Int) -> StyleScaling? {
    guard let scaling = state.preparation.scaling else { return nil }
    let scales = program.fonts.scales
    let own = state.preparation.platform.isBrowser ? nil : binder.ownStyle(ofText: index)
    let isOwnMultiplied = own.map { scales.isMultiplied($0, scaling) } ?? true
    return isOwnMultiplied && binder.runs(ofText: index).allSatisfy { scales.isMultiplied($0.style, scaling) }
      ? nil : scaling
  }

  /// Returns the text scale with which a text is measured.
  func textScale(ofText index: Int) -> Double {
    guard let scaling = state.preparation.scaling else { return state.preparation.textScale }
    return conversion(ofText: index) == nil ? scaling.textScale : 1
  }

  /// Returns the factor of the size of a font of a text that `textScale(ofText:)` does not have.
  private func growth(_ style: TextStyle, ofText index: Int) -> Double {
    conversion(ofText: index).map { program.fonts.scales.style(style, $0).size / style.size } ?? 1
  }

  /// Notes the missing characters of all texts, also of those that no layout measured, such as a flexible text in a stack
  /// without room: the row's missing glyphs must not depend on the variants that were laid out before.
  func noteMissingGlyphs() {
    if state.preparedCount < binder.textCount {
      for index in 0..<binder.textCount where state.preparedTexts[index] < 0 { prepare(index) }
    }
    if state.measurer.missingGlyphCount > 0 {
      state.missing = RowMissingGlyphs(&state.measurer)
    } else if state.missing.count > 0 {
      state.missing = RowMissingGlyphs()
    }
  }
}
