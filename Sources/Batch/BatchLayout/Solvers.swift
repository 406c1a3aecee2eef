import Buffers
import LayoutEngine

/// A set of solvers, one for each screen scale.
final class Solvers {
  /// The conditions, beside the range, that sizes depend on. While they stay the same, a solver keeps its measurements.
  struct Conditions: Equatable {
    let binding: Int
    let textScale: Double
    let pixels: Double
  }

  /// The solver of one scale.
  struct Slot: ~Copyable {
    fileprivate let scale: Double
    var solver: LayoutSolver
    private var last: Conditions?

    fileprivate init(_ scale: Double) {
      self.scale = scale
      solver = LayoutSolver(scale: scale)
    }

    mutating func layout(
      _ conditions: Conditions, _ tree: borrowing ElementTree, _ range: SizeRange, _ leaves: LeafMeasurer
    ) throws(LayoutFailure) -> Size {
      let again = last == conditions
      last = conditions
      return try solver.layout(tree, in: range, leaves: leaves, again: again)
    }
  }

  /// The slots are in memory of their own, because an array would be reference counted for each row.
  private let slots: UnsafeMutablePointer<Slot>
  private let count: Int

  init(_ scales: [Double]) {
    var different: [Double] = []
    for scale in scales where !different.contains(scale) { different.append(scale) }
    count = different.count
    slots = .allocate(capacity: count)
    for (index, scale) in different.enumerated() { (slots + index).initialize(to: Slot(scale)) }
  }

  deinit {
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  var remembersLeaves = false {
    didSet { for index in 0..<count { slots[index].solver.remembersLeaves = remembersLeaves } }
  }

  /// Returns the slot of a scale, which is one of those that the set was made for.
  subscript(scale: Double) -> UnsafeMutablePointer<Slot> {
    for index in 0..<count where slots[index].scale == scale { return slots + index }
    preconditionFailure("no variant has the scale \(scale)")
  }
}
