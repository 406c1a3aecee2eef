import Buffers
import LayoutEngine

/// A set of solvers, one for all variants with the same rounding.
final class Solvers {
  /// The conditions, beside the range, that sizes depend on. While they stay the same, a solver keeps its measurements.
  struct Conditions: Equatable {
    let binding: Int
    let textScale: Double
    let pixels: Double
  }

  /// The solver of variants with the same rounding.
  struct Slot: ~Copyable {
    private let scale: Double
    private let lineTolerance: Double
    var solver: LayoutSolver
    private var last: Conditions?

    fileprivate init(_ variant: Variant) {
      scale = variant.gridScale
      lineTolerance = variant.platform.lineTolerance
      solver = LayoutSolver(scale: scale, lineTolerance: lineTolerance)
    }

    fileprivate func fits(_ variant: Variant) -> Bool {
      variant.gridScale == scale && variant.platform.lineTolerance == lineTolerance
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
  private var count = 0
  /// The index of the slot of each variant.
  private var slotOfVariant = FlatBuffer<Int>()

  init(_ variants: [Variant]) {
    slots = .allocate(capacity: variants.count)
    for variant in variants {
      let known = (0..<count).first { slots[$0].fits(variant) }
      if known == nil {
        (slots + count).initialize(to: Slot(variant))
        count += 1
      }
      slotOfVariant.append(known ?? count - 1)
    }
  }

  deinit {
    slots.deinitialize(count: count)
    slots.deallocate()
  }

  var remembersLeaves = false {
    didSet { for index in 0..<count { slots[index].solver.remembersLeaves = remembersLeaves } }
  }

  /// Returns the slot of the variant with an index.
  subscript(variant: Int) -> UnsafeMutablePointer<Slot> { slots + slotOfVariant[variant] }
}
