/// The rules by which a list asks for its next rows: those of Texture's `ASBatchFetching` (layout-semantics 10). They need
/// no table.
extension PrefetchQuery {
  /// The number of milliseconds in a second.
  private static let millisecondsPerSecond = 1000.0

  /// Returns the points between the viewport's end and that of the content. It is negative if the viewport ends beyond
  /// the content.
  func remaining(contentHeight: Double) -> Double { contentHeight - viewport - offset }

  /// Returns whether the list asks for its next rows.
  func fetchesNextBatch(contentHeight: Double) -> Bool {
    decision(contentHeight: contentHeight)
      ?? (remaining(contentHeight: contentHeight) <= viewport * leadingScreensForBatching)
  }

  /// Returns the seconds until the viewport is at the end of the content, if it keeps its velocity. Texture asks the
  /// delegate of batch fetching with this time (`shouldFetchBatchWithRemainingTime:hint:`) if the distance decides and the
  /// list moves towards the end. Otherwise the result is nil, also if the time is too long to be a number.
  func remainingTime(contentHeight: Double) -> Double? {
    guard let velocity, velocity > 0, decision(contentHeight: contentHeight) == nil else { return nil }
    let time = remaining(contentHeight: contentHeight) / (velocity * Self.millisecondsPerSecond)
    return time.isFinite ? time : nil
  }

  /// Returns the decision that does not depend on the remaining distance, or nil if the distance decides. The order of
  /// the rules matters.
  private func decision(contentHeight: Double) -> Bool? {
    if isFetching { return false }
    guard leadingScreensForBatching > 0, viewport > 0 else { return false }
    if contentHeight < viewport { return true }
    if isHidden { return false }
    return direction == .down ? nil : false
  }
}
