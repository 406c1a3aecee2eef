/// The intervals of offsets in which rows are visible, displayed and preloaded, by the rules of ranges (layout-semantics 9).
/// They need no table. The offsets count from the first row, also in a list from right to left. Both ends of an interval are
/// moved inwards by the tolerance of the query.
struct RangeIntervals {
  typealias Interval = (lower: Double, upper: Double)

  /// The interval in which rows are visible.
  let visible: Interval
  /// The interval in which rows are displayed, or nil if none are.
  let display: Interval?
  /// The interval in which rows are preloaded, or nil if none are.
  let preload: Interval?

  /// - Parameter contentLength: The length of the content in points along the axis of the list.
  @inline(__always)
  init(_ query: PrefetchQuery, _ axis: ListAxis, contentLength: Double) {
    let isBackward = axis.isBackward(query.direction)
    // Offsets of a list from right to left count from its last row.
    let start = axis == .rightToLeft ? contentLength - query.viewport - query.offset : query.offset
    let end = start + query.viewport
    let tolerance = query.tolerance
    visible = (start + tolerance, end - tolerance)
    guard query.mode != .lowMemory else {
      display = nil
      preload = nil
      return
    }
    /// Returns the viewport, extended on both sides. Texture uses one set of rows for two ranges whose parameters are
    /// equal or zero; their intervals are equal here too.
    func extended(_ parameters: TuningParameters) -> Interval {
      let ahead = query.viewport * parameters.leading
      let behind = query.viewport * parameters.trailing
      let (before, after) = isBackward ? (ahead, behind) : (behind, ahead)
      return (start - before + tolerance, end + after - tolerance)
    }
    display = extended(query.display ?? query.mode.display)
    preload = extended(query.preload ?? query.mode.preload)
  }
}
