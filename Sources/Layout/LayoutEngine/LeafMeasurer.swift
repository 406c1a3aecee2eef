/// The functions that measure what the engine cannot: texts, and the custom specs of the engine's owner.
///
/// These are C functions with a context instead of a protocol, so that a layout pass calls no witness table and counts no
/// references.
///
///     let leaves = LeafMeasurer(context: nil) { _, tag, maxWidth, _, result in
///       let size = Size(min(maxWidth, 120), 20)
///       result.storeBytes(of: LeafMeasurement(size: size), as: LeafMeasurement.self)
///     }
public struct LeafMeasurer {
  /// A function that measures the leaf with a tag in a box of at most `maxWidth` by `maxHeight` points, each of which can
  /// be infinite, and stores a `LeafMeasurement` at `result`.
  public typealias Measure =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ tag: Int32, _ maxWidth: Double, _ maxHeight: Double,
      _ result: UnsafeMutableRawPointer
    ) -> Void

  /// A function that lays out the custom spec with a tag in the `SizeRange` at `range`, with the `CustomLayoutPass` at
  /// `pass`, and stores the spec's `Size` at `result`.
  public typealias LayOut =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ tag: Int32, _ range: UnsafeRawPointer, _ pass: UnsafeMutableRawPointer,
      _ result: UnsafeMutableRawPointer
    ) -> Void

  let context: UnsafeMutableRawPointer?
  let measure: Measure
  let layOut: LayOut

  /// Creates a measurer from its functions.
  ///
  /// - Parameters:
  ///   - context: the pointer that the functions receive. What it points to must outlive every layout with the measurer.
  ///   - measure: the function that measures texts. The same box must always have the same result.
  ///   - layOut: the function that lays out custom specs; without it, these have no size.
  public init(
    context: UnsafeMutableRawPointer?, measure: @escaping Measure,
    layOut: @escaping LayOut = { _, _, _, _, result in result.storeBytes(of: .zero, as: Size.self) }
  ) {
    self.context = context
    self.measure = measure
    self.layOut = layOut
  }

  /// The measurer for cells without texts and custom specs: all of them are empty.
  public static var empty: LeafMeasurer {
    LeafMeasurer(context: nil) { _, _, _, _, result in
      result.storeBytes(of: LeafMeasurement(size: .zero), as: LeafMeasurement.self)
    }
  }
}

/// The size and the baselines of a measured leaf.
@frozen
public struct LeafMeasurement: BitwiseCopyable, Sendable {
  /// The size of the content, in points.
  public var size: Size
  /// The distance from the top to the first baseline, in points.
  public var ascender: Double
  /// The position of the last baseline relative to the bottom, in points; negative if it is above the bottom.
  public var descender: Double
  /// A value of the owner about the content, which becomes `Frame.detail`.
  public var detail: UInt32

  /// Creates a measurement from a size and baselines in points.
  @inlinable
  public init(size: Size, ascender: Double = 0, descender: Double = 0, detail: UInt32 = 0) {
    self.size = size
    self.ascender = ascender
    self.descender = descender
    self.detail = detail
  }
}
