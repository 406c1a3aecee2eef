/// Measures what the engine cannot: texts, and specs of the owner's own. Plain functions and their context instead of
/// a protocol, so that a layout pass makes no existential call and counts no references.
public struct LeafMeasurer {
  /// Writes the content size, in points, of the leaf with this tag when it has at most this much room, and its
  /// baselines.
  public typealias Measure =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ tag: Int32, _ maxWidth: Double, _ maxHeight: Double,
      _ result: UnsafeMutableRawPointer
    ) -> Void

  /// Lays out the custom spec with this tag in a `SizeRange` with the help of a `CustomLayoutPass`, and writes its
  /// `Size`.
  public typealias LayOut =
    @convention(c) (
      _ context: UnsafeMutableRawPointer?, _ tag: Int32, _ range: UnsafeRawPointer, _ pass: UnsafeMutableRawPointer,
      _ result: UnsafeMutableRawPointer
    ) -> Void

  let context: UnsafeMutableRawPointer?
  let measure: Measure
  let layOut: LayOut

  /// `context` must outlive every pass that uses the measurer. `measure` stores a `LeafMeasurement` at `result`,
  /// `layOut` a `Size`.
  public init(
    context: UnsafeMutableRawPointer?, measure: @escaping Measure,
    layOut: @escaping LayOut = { _, _, _, _, result in result.storeBytes(of: .zero, as: Size.self) }
  ) {
    self.context = context
    self.measure = measure
    self.layOut = layOut
  }

  /// For cells without texts: every text is empty.
  public static var empty: LeafMeasurer {
    LeafMeasurer(context: nil) { _, _, _, _, result in
      result.storeBytes(of: LeafMeasurement(size: .zero), as: LeafMeasurement.self)
    }
  }
}

@frozen
public struct LeafMeasurement: BitwiseCopyable, Sendable {
  public var size: Size
  /// First baseline below the top, in points.
  public var ascender: Double
  /// Last baseline relative to the bottom, in points; negative above it.
  public var descender: Double
  /// The owner's own word about the content, kept for `Frame.detail`.
  public var detail: UInt32

  @inlinable
  public init(size: Size, ascender: Double = 0, descender: Double = 0, detail: UInt32 = 0) {
    self.size = size
    self.ascender = ascender
    self.descender = descender
    self.detail = detail
  }
}
