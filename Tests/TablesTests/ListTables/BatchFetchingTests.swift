import Foundation
import GalleyTestSupport
import SeededRandom
import Testing

@testable import ListTables

/// Tests of the rules by which a list asks for its next rows, which need no table.
@Suite struct BatchFetchingTests {
  /// The facts that Texture's ASBatchFetchingTests.mm gives for lists whose layout does not flip its coordinates.
  private struct Fact: Decodable {
    let test, scrollDirection: String
    let viewport, contentHeight, offset, leadingScreens: Double
    let rightToLeft: Bool
    let scrollable: String?
    let fetching: Bool?
    let expect: Bool

    var axis: ListAxis { scrollable == nil ? .vertical : rightToLeft ? .rightToLeft : .horizontal }
  }

  @Test func batchesAreFetchedWhenTextureFetchesThem() throws {
    let facts = try Fixtures.lines("batch-fetching.jsonl").map { try JSONDecoder().decode(Fact.self, from: $0) }
    #expect(facts.count == 37)
    for fact in facts {
      let query = PrefetchQuery(
        offset: fact.offset, viewport: fact.viewport, direction: ScrollDirection(rawValue: fact.scrollDirection),
        leadingScreensForBatching: fact.leadingScreens, isFetching: fact.fetching ?? false)
      let batch = BatchFetching(query, fact.axis, contentLength: fact.contentHeight)
      #expect(batch.fetchesNextBatch == fact.expect, "\(fact)")
    }
  }

  @Test func theRulesOfBatchFetchingHaveAnOrder() {
    func fetches(_ query: PrefetchQuery, content: Double) -> Bool {
      BatchFetching(query, .vertical, contentLength: content).fetchesNextBatch
    }
    // A batch in flight, no leading screens, and no viewport, precede everything.
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, isFetching: true), content: 5))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, leadingScreensForBatching: 0), content: 5))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, leadingScreensForBatching: -1), content: 5))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 0), content: 0))
    // Content that is shorter than the viewport precedes the visibility of the list and the direction.
    #expect(fetches(PrefetchQuery(offset: 0, viewport: 10, isHidden: true), content: 9))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, isHidden: true), content: 10))
    #expect(fetches(PrefetchQuery(offset: 0, viewport: 10, direction: .up), content: 9))
    #expect(!fetches(PrefetchQuery(offset: 0, viewport: 10, direction: .up), content: 10))
    // Two viewports remain, and a point more.
    #expect(fetches(PrefetchQuery(offset: 70, viewport: 10), content: 100))
    #expect(!fetches(PrefetchQuery(offset: 69, viewport: 10), content: 100))
    #expect(fetches(PrefetchQuery(offset: 500, viewport: 10), content: 100))
  }

  /// The lengths in tables are floats of 32 bits.
  @Test func contentThatDiffersFromTheViewportByARoundingIsAsLongAsIt() {
    let screen = 1080 / 2.625
    let page = Double(Float(screen))
    #expect(page < screen)
    let query = PrefetchQuery(offset: 0, viewport: screen, direction: .up)
    #expect(!BatchFetching(query, .vertical, contentLength: page).fetchesNextBatch)
    // Two viewports remain after the second page of four.
    let wide = 1220 / 3.1
    let pages = 4 * Double(Float(wide))
    #expect(pages > 4 * wide)
    #expect(
      BatchFetching(PrefetchQuery(offset: wide, viewport: wide), .vertical, contentLength: pages).fetchesNextBatch)
  }

  @Test func theRemainingTimeIsThatOfTheRemainingPoints() {
    func time(_ velocity: Double?, offset: Double = 50, _ change: (inout PrefetchQuery) -> Void = { _ in }) -> Double? {
      var query = PrefetchQuery(offset: offset, viewport: 10, velocity: velocity)
      change(&query)
      return BatchFetching(query, .vertical, contentLength: 100).remainingTime
    }
    // 40 points remain; a point per millisecond is 1000 points per second.
    #expect(time(1) == 0.04)
    #expect(time(0.5) == 0.08)
    // Beyond the end the time is negative, as it is in Texture.
    #expect(time(1, offset: 100) == -0.01)
    #expect(time(nil) == nil && time(0) == nil && time(-1) == nil)
    #expect(time(.leastNonzeroMagnitude) == nil)
    // Where another rule than the distance decides, Texture does not ask the delegate.
    #expect(time(1) { $0.isFetching = true } == nil)
    #expect(time(1) { $0.isHidden = true } == nil)
    #expect(time(1) { $0.direction = .up } == nil)
    #expect(time(1) { $0.viewport = 101 } == nil)
    #expect(time(1) { $0.leadingScreensForBatching = 0 } == nil)
  }

  @Test(arguments: ListAxis.allCases)
  func theDecisionEqualsThatOfASBatchFetching(axis: ListAxis) {
    var random = SplitMix(seed: 10)
    var counts = (fetches: 0, times: 0)
    for _ in 0..<3000 {
      let viewport = Double(random.below(4)) * 10
      let content = Double(random.below(12)) * 10
      let query = PrefetchQuery(
        offset: Double(random.below(16)) * 10 - 20, viewport: viewport,
        direction: random.below(3) == 0 ? axis.directions[1] : axis.directions[0],
        leadingScreensForBatching: Double(random.below(4)) - 0.5, isFetching: random.below(5) == 0,
        isHidden: random.below(5) == 0, velocity: random.below(2) == 0 ? nil : Double(random.below(5)) / 2 - 0.5)
      // Texture applies the transform of an inverted view to the direction before it decides.
      let direction = axis == .inverted ? query.direction?.opposite : query.direction
      var askedTime: Double?
      let fetches = TextureBatchFetching(
        isFetching: query.isFetching, scrollDirection: direction,
        isHorizontal: [.horizontal, .rightToLeft].contains(axis), isRightToLeft: axis == .rightToLeft, length: viewport,
        contentLength: content, targetOffset: query.offset, leadingScreens: query.leadingScreensForBatching,
        isVisible: !query.isHidden, velocity: query.velocity ?? 0
      ).shouldFetch { askedTime = $0 }
      let batch = BatchFetching(query, axis, contentLength: content)
      #expect(batch.fetchesNextBatch == fetches && batch.remainingTime == askedTime, "\(query) \(content)")
      counts.fetches += fetches ? 1 : 0
      counts.times += askedTime == nil ? 0 : 1
    }
    #expect(counts.fetches > 200 && counts.times > 100, "\(counts)")
  }
}

/// The function ASDisplayShouldFetchBatchForContext of Texture, step by step.
private struct TextureBatchFetching {
  let isFetching: Bool
  let scrollDirection: ScrollDirection?
  let isHorizontal, isRightToLeft: Bool
  /// The length of the bounds and of the content in the direction in which the list can be scrolled.
  let length, contentLength: Double
  let targetOffset: Double
  let leadingScreens: Double
  let isVisible: Bool
  let velocity: Double

  /// Returns the decision.
  ///
  /// - Parameter delegate: A function that is called with the remaining time in seconds if Texture asks its delegate. This
  ///   delegate returns the hint that it gets.
  func shouldFetch(_ delegate: (Double) -> Void) -> Bool {
    if isFetching { return false }
    if leadingScreens <= 0 || length <= 0 { return false }
    if contentLength < length { return true }
    if !isVisible { return false }
    let isTowardsHead = scrollDirection == .up || scrollDirection == (isRightToLeft ? .right : .left)
    if isTowardsHead { return false }
    let isMirrored = isRightToLeft && isHorizontal
    let remaining = isMirrored ? targetOffset : contentLength - length - targetOffset
    if velocity > 0 { delegate(remaining / (velocity * 1000)) }
    return remaining <= length * leadingScreens
  }
}
