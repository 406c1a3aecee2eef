/// The queries of a scroll whose positions are known.
///
/// As in `ASRangeController`, the first mode is minimum, and it is full after the user has begun to scroll; the direction
/// is the last one in which the offset changed (layout-semantics 9). At first it is that towards the last row, from right to
/// left too, where `ASRangeController` begins with right.
package struct ScrollQueries {
  private let axis: ListAxis
  private let viewport: Double
  private let display, preload: TuningParameters?
  private var lastOffset: Double?
  private var direction: ScrollDirection?
  private var mode = RangeMode.minimum

  /// - Parameters:
  ///   - viewport: The length of the viewport along the axis of the list in points.
  ///   - display: The extent of the display range in mode full, if it is not Texture's.
  ///   - preload: Likewise, of the preload range.
  package init(_ axis: ListAxis, viewport: Double, display: TuningParameters?, preload: TuningParameters?) {
    self.axis = axis
    self.viewport = viewport
    self.display = display
    self.preload = preload
  }

  /// Returns the query of the next position.
  package mutating func query(at offset: Double) -> PrefetchQuery {
    if let lastOffset, offset != lastOffset {
      direction = offset > lastOffset ? axis.positiveDirection : axis.positiveDirection.opposite
      mode = .full
    }
    lastOffset = offset
    return PrefetchQuery(
      offset: offset, viewport: viewport, direction: direction, mode: mode, display: mode == .full ? display : nil,
      preload: mode == .full ? preload : nil)
  }
}
