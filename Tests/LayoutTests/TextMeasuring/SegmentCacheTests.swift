import Buffers
import GalleyTestSupport
import SeededRandom
import Testing

@testable import TextMeasuring

/// The cache of shaped segments.
@Suite struct SegmentCacheTests {
  /// Compares the cache with a dictionary that keeps all segments: what the cache finds is correct, and a segment is found
  /// right after it was inserted.
  @Test func foundSegmentsAreThoseInsertedLast() {
    var random = SplitMix(seed: 3)
    var cache = SegmentCache(budget: 1 << 20)
    var inserted: [String: Int] = [:]
    var found = 0
    for number in 0..<60_000 {
      // Short and long keys, some of which occur again.
      let word = String(repeating: "w", count: Int(random.next() % 60)) + String(random.next() % 500)
      let known = withKey(word) { cache.find($0) }
      if let known {
        #expect(known.advance == inserted[word] && known.spaceAdvance == -known.advance)
        found += 1
      } else {
        inserted[word] = number
        withKey(word) { cache.insert($0, ShapedSegment(advance: number, spaceAdvance: -number)) }
        #expect(withKey(word) { cache.find($0) }?.advance == number)
      }
    }
    #expect(found > 1000)
  }

  @Test func segmentsInUseOutlastOthers() {
    var cache = SegmentCache(budget: 1 << 20)
    withKey("the") { cache.insert($0, ShapedSegment(advance: 7)) }
    for number in 0..<100_000 {
      withKey("once \(number)") { cache.insert($0, ShapedSegment(advance: number)) }
      if number % 1000 == 0 { #expect(withKey("the") { cache.find($0) }?.advance == 7) }
    }
    #expect(withKey("once 0") { cache.find($0) } == nil)
  }

  @Test func segmentsOfDifferentContextsAreDifferent() {
    var cache = SegmentCache(budget: 1 << 16)
    withKey("word", context: 1) { cache.insert($0, ShapedSegment(advance: 1)) }
    #expect(withKey("word", context: 2) { cache.find($0) } == nil)
  }

  private func withKey<Result>(_ word: String, context: UInt64 = 0, _ body: (SegmentCache.Key) -> Result) -> Result {
    Array(word.utf8).withUnsafeBytes { body(SegmentCache.Key(ByteString($0), context: context)) }
  }
}
