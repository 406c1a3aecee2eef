import Buffers
import CellTemplates
import LayoutEngine
import TextMeasuring

/// The lines of the texts of a row, for variants that have lines.
extension JobLayout {
  /// Notes the lines that all texts with a frame have in the ranges in which they were filled for their frames.
  func noteLines(_ variant: Int) {
    state.lines.removeAll()
    guard state.variants[variant].hasLines else { return }
    for index in 1..<max(state.frames.count, 1) { noteLines(of: state.frames[index], at: index - 1, variant) }
  }

  /// Returns the largest size of a node of the row that was laid out last, in which the lines of a text are filled.
  func room(of frame: Frame, _ variant: Int) -> Size {
    solver(variant).pointee.solver.ownRange(of: frame)?.max ?? .zero
  }

  private func noteLines(of frame: Frame, at index: Int, _ variant: Int) {
    let number = binder.textNumber(of: frame.element)
    guard number >= 0 else { return }
    let placement = binder.placement(ofText: number)
    let outer = room(of: frame, variant)
    let room = placement.pointee.inner(outer)
    // A flexible text of a stack without room is not measured, and has no lines.
    let hasLines = UInt16(truncatingIfNeeded: frame.detail) > 0
    let isScaled = !placement.pointee.pointSizeScaleFactors.isEmpty
    if hasLines,
      isScaled
        || !state.measurer.findLines(
          of: Int(state.preparedTexts[number]), textScale: textScale(ofText: number), maxWidth: room.width,
          maxHeight: room.height)
    {
      _ = measureLeaf(frame.element, outer.width, outer.height)
    }
    let prepared = Int(state.preparedTexts[number])
    let drawn = binder.drawnParts(ofText: number)
    state.lines.append(
      prepared, drawn.runs, binder.spans(ofText: number), truncation: drawn.truncation, frame: index,
      width: frame.rect.size.width, placement, textScale: textScale(ofText: number),
      factor: isScaled ? factor(ofText: number) : 1,
      hasLines: hasLines, truncatedTo: frame.detail & Self.truncatedBit != 0 ? room.width : nil, &state.measurer)
  }
}
