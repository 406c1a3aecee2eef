import Buffers
import CellTemplates
import LayoutEngine

extension JobLayout {
  /// Throws an error for a node that shows something fetched and has a size of 0.
  func checkFetchedSizes(_ variant: Int, _ range: SizeRange) throws(CellError) {
    for index in 1..<max(state.frames.count, 1) {
      let size = state.frames.base[index].rect.size
      if size.width == 0 || size.height == 0, binder.type(of: state.frames[index].element).needsSize {
        throw missingSize(of: state.frames[index], at: index, variant, range)
      }
    }
  }

  private func missingSize(of frame: Frame, at index: Int, _ variant: Int, _ range: SizeRange) -> CellError {
    CellError(
      "\(binder.type(of: frame.element).name) \"\(name(of: frame, at: index - 1).excerpt)\" ends without a size "
        + "(\(frame.rect.size.width) x \(frame.rect.size.height)): \(lossOfSize(of: frame, variant, range))"
    ).within(contentsOf: binder.path(of: frame.element))
  }

  /// Returns which of width and height is 0, and which element caused that. The row is bad, so that it may be laid out
  /// once more to find the cause.
  private func lossOfSize(of frame: Frame, _ variant: Int, _ range: SizeRange) -> String {
    if program.generation == .first, [.networkImage, .multiplexImage].contains(binder.type(of: frame.element)) {
      return "it is 0 by 0 in AsyncDisplayKit 1.9 without a size of its own; give its style a preferredFrameSize, or "
        + "put it into a ratio"
    }
    let elements = recordsEverything ? laidOutElements(variant) : solveForElements(variant, range)
    guard let image = elements.firstIndex(where: { $0.result.element == frame.element }) else {
      return "it has none of its own before it is fetched; give it style: {width, height}"
    }
    let axes: [LengthAxis] = [.width, .height]
    return axes.filter { $0.length(frame.rect.size) == 0 }.map { lossOfLength($0, image, elements) }
      .joined(separator: "; ")
  }

  private func lossOfLength(_ axis: LengthAxis, _ image: Int, _ elements: [LaidOutElement]) -> String {
    let result = elements[image].result
    let loss = "its \(axis.name) is 0: "
    guard let asked = result.constrainedSize, let own = result.ownRange else {
      return loss + "it has no part in the layout of \(around(image, elements))"
    }
    let high = axis.length(own.max)
    if high == 0 {
      if axis.length(asked.max) > 0 { return loss + "its own style says so" }
      return loss + nothingLeft(axis, image, elements)
    }
    let interval = "\(shortText(axis.length(own.min))) to \(shortText(high))"
    if high.isFinite {
      return loss + "it would fill \(shortText(high)) pt if its \(axis.other.name) were bounded too, but that is "
        + "\(shortText(axis.other.length(own.min))) to \(shortText(axis.other.length(own.max))); give its style "
        + "a \(axis.name)"
    }
    return loss + "it is asked for \(interval) by \(around(image, elements)), where it has none of its own before it "
      + "is fetched; give its style a \(axis.name), or put it into a ratio with a bounded \(axis.other.name)"
  }

  /// Returns the error for a node whose nearest ancestor with room leaves none of it.
  private func nothingLeft(_ axis: LengthAxis, _ image: Int, _ elements: [LaidOutElement]) -> String {
    var index = elements[image].parent
    while index >= 0 {
      if let range = elements[index].result.ownRange, axis.length(range.max) > 0 {
        let room = axis.length(range.max)
        let what = room.isFinite ? "its \(shortText(room)) pt" : "its room"
        return "\(article(elements[index])) leaves it nothing of \(what); give its style a \(axis.name) that "
          + "nothing takes away, or the others around it less"
      }
      index = elements[index].parent
    }
    return "the cell itself is asked for 0; give the row a constrainedSize with a larger max"
  }

  private func around(_ image: Int, _ elements: [LaidOutElement]) -> String {
    let parent = elements[image].parent
    return parent < 0 ? "the cell" : article(elements[parent])
  }

  private func article(_ element: LaidOutElement) -> String {
    "the \(element.type.name) above (\(element.id.isEmpty ? CellError.format(element.path) : "\"\(element.id.excerpt)\""))"
  }
}
