import Buffers
import LayoutEngine

/// A solver for each screen scale.
final class Solvers {
  /// What sizes depend on beside the range: while it stays the same, a solver remembers what it measured.
  struct Question: Equatable {
    let binding: Int
    let scale: Double
    let textScale: Double
  }

  private final class Box {
    let scale: Double
    @exclusivity(unchecked) var solver: LayoutSolver
    var last: Question?

    init(_ scale: Double) {
      self.scale = scale
      solver = LayoutSolver(scale: scale)
    }
  }

  private var boxes: [Box] = []

  var remembersLeaves = false {
    didSet { for box in boxes { box.solver.remembersLeaves = remembersLeaves } }
  }

  /// The results of the first scale's last layout.
  func forEachResult(_ body: (ElementResult) -> Void) { boxes.first?.solver.forEachResult(body) }

  /// What the last layout at this scale asked of nodes.
  func requests(scale: Double) -> UnsafeBufferPointer<SpecRequest> {
    for box in boxes where box.scale == scale { return box.solver.requests.values }
    return UnsafeBufferPointer(start: nil, count: 0)
  }

  init(_ scales: [Double]) {
    for scale in scales where !boxes.contains(where: { $0.scale == scale }) { boxes.append(Box(scale)) }
  }

  func layout(
    _ question: Question, _ tree: borrowing ElementTree, _ range: SizeRange, _ leaves: LeafMeasurer,
    _ frames: inout FlatBuffer<Frame>
  ) throws(LayoutFailure) -> Size {
    for box in boxes where box.scale == question.scale {
      let again = box.last == question
      box.last = question
      return try box.solver.layout(tree, in: range, leaves: leaves, again: again, frames: &frames)
    }
    return .zero
  }
}
