import Buffers
import LayoutEngine

/// A set of solvers, one for each screen scale.
final class Solvers {
  /// The conditions, beside the range, that sizes depend on. While they stay the same, a solver keeps its measurements.
  struct Conditions: Equatable {
    let binding: Int
    let scale: Double
    let textScale: Double
    let pixels: Double
  }

  /// The solver of one scale. The slots are in memory of their own, because an array would be reference counted for each row.
  private struct Slot: ~Copyable {
    let scale: Double
    var solver: LayoutSolver
    var last: Conditions?

    init(_ scale: Double) {
      self.scale = scale
      solver = LayoutSolver(scale: scale)
    }
  }

  private let slots: UnsafeMutableBufferPointer<Slot>

  init(_ scales: [Double]) {
    var different: [Double] = []
    for scale in scales where !different.contains(scale) { different.append(scale) }
    slots = .allocate(capacity: different.count)
    for (index, scale) in different.enumerated() { slots.initializeElement(at: index, to: Slot(scale)) }
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  var remembersLeaves = false {
    didSet { for index in slots.indices { slots[index].solver.remembersLeaves = remembersLeaves } }
  }

  /// Returns the slot of a scale, which is nil for a scale that no variant has.
  private func slot(scale: Double) -> UnsafeMutablePointer<Slot>? {
    for index in slots.indices where slots[index].scale == scale { return slots.baseAddress.map { $0 + index } }
    return nil
  }

  /// Calls `body` with the results of the last layout at this scale.
  func forEachResult(scale: Double, _ body: (ElementResult) -> Void) {
    slot(scale: scale)?.pointee.solver.forEachResult(body)
  }

  /// Returns the range in which a node of the last layout at this scale was measured, or nil if that was not kept.
  func ownRange(of frame: Frame, scale: Double) -> SizeRange? {
    slot(scale: scale)?.pointee.solver.ownRange(of: frame)
  }

  /// Appends the frames of the last layout at this scale, also if it failed.
  func appendFrames(scale: Double, to frames: inout FlatBuffer<Frame>) {
    slot(scale: scale)?.pointee.solver.appendFrames(to: &frames)
  }

  /// Returns the layouts of nodes that the last layout at this scale requested.
  func requests(scale: Double) -> UnsafeBufferPointer<SpecRequest> {
    slot(scale: scale)?.pointee.solver.requests.values ?? UnsafeBufferPointer(start: nil, count: 0)
  }

  /// Returns the bounds of the width of the last layout at this scale.
  func widthBounds(scale: Double) -> WidthBounds? { slot(scale: scale)?.pointee.solver.widthBounds() }

  func layout(
    _ conditions: Conditions, _ tree: borrowing ElementTree, _ range: SizeRange, _ leaves: LeafMeasurer
  ) throws(LayoutFailure) -> Size {
    guard let slot = slot(scale: conditions.scale) else { return .zero }
    let again = slot.pointee.last == conditions
    slot.pointee.last = conditions
    return try slot.pointee.solver.layout(tree, in: range, leaves: leaves, again: again)
  }
}
