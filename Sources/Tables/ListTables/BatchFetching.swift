/// The decision whether a list asks for its next rows, by the rules of Texture's `ASBatchFetching` (layout-semantics 10). It
/// needs no table.
struct BatchFetching {
  private static let millisecondsPerSecond = 1000.0

  /// The points between the viewport's end and that of the content. The number is negative if the viewport ends beyond the
  /// content.
  let remaining: Double
  private let query: PrefetchQuery
  /// The decision that does not depend on the remaining distance, or nil if the distance decides.
  private let decision: Bool?

  /// - Parameter contentLength: The length of the content in points along the axis of the list.
  @inline(__always)
  init(_ query: PrefetchQuery, _ axis: ListAxis, contentLength: Double) {
    self.query = query
    // The end of a list from right to left is at its left, from where offsets count.
    remaining = axis == .rightToLeft ? query.offset : contentLength - query.viewport - query.offset
    decision = Self.decision(query, axis, contentLength: contentLength)
  }

  /// Whether the list asks for its next rows.
  var fetchesNextBatch: Bool {
    decision ?? (remaining - query.tolerance <= query.viewport * query.leadingScreensForBatching)
  }

  /// The seconds until the viewport is at the end of the content, if it keeps its velocity. Texture asks the delegate of
  /// batch fetching with this time (`shouldFetchBatchWithRemainingTime:hint:`) if the distance decides and the list moves
  /// towards the end. Otherwise the result is nil, also if the time is too long to be a number.
  var remainingTime: Double? {
    guard let velocity = query.velocity, velocity > 0, decision == nil else { return nil }
    let time = remaining / (velocity * Self.millisecondsPerSecond)
    return time.isFinite ? time : nil
  }

  /// The order of the rules matters.
  private static func decision(_ query: PrefetchQuery, _ axis: ListAxis, contentLength: Double) -> Bool? {
    if query.isFetching { return false }
    guard query.leadingScreensForBatching > 0, query.viewport > 0 else { return false }
    if contentLength < query.viewport - query.tolerance { return true }
    if query.isHidden { return false }
    return axis.isBackward(query.direction) ? false : nil
  }
}
