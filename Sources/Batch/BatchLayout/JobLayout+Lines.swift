import Buffers
import CellTemplates
import LayoutEngine
import LayoutTables
import TextMeasuring

/// The lines of the texts of a row, for variants that have lines.
extension JobLayout {
  /// Fills the lines of all texts that have a frame once more, in the ranges in which they were filled for their frames.
  func noteLines(_ variant: Int) {
    state.lines.removeAll()
    guard state.variants[variant].hasLines else { return }
    state.textRooms.removeAll()
    state.textRooms.extend(by: binder.textCount).initialize(repeating: .zero, count: binder.textCount)
    state.solvers.forEachResult(scale: state.variants[variant].gridScale) { result in
      let number = binder.textNumber(of: result.element)
      if number >= 0, let range = result.ownRange { state.textRooms[number] = range.max }
    }
    state.measurer.recordsLines = true
    defer { state.measurer.recordsLines = recordsEverything }
    for index in 1..<max(frames.count, 1) { noteLines(of: frames[index], at: index - 1) }
  }

  private func noteLines(of frame: Frame, at index: Int) {
    let number = binder.textNumber(of: frame.element)
    guard number >= 0 else { return }
    let room = state.textRooms[number]
    let measured = measureLeaf(frame.element, room.width, room.height)
    let drawn = binder.drawnParts(ofText: number)
    state.lines.append(
      Int(state.preparedTexts[number]), drawn.runs, truncation: drawn.truncation, frame: index,
      width: frame.rect.size.width, textScale: state.textScale,
      truncatedTo: measured.detail & Self.truncatedBit != 0 ? room.width : nil, &state.measurer)
  }

  /// Appends the lines of the row whose frames are in `frames` to the columns of its job.
  func appendLines(to box: JobColumnsBox, firstFrame: Int) {
    let names = program.fonts.names
    state.lines.append(to: box.job.columns, firstFrame: firstFrame) { font in
      var name = names.indices.contains(Int(font)) ? names[Int(font)] : ""
      return name.withUTF8 { box.job.number(ofName: ByteString(UnsafeRawBufferPointer($0))) }
    }
  }
}
