import Buffers

/// A cache of the advances of shaped segments, so that a word is shaped once however often it occurs.
///
/// The cache is a hash table in two generations. When the young generation is full it becomes the old one, and the memory of
/// the old one is used again. A segment that is found in the old generation is copied to the young one, so that the segments
/// in use stay. Complete keys are compared, not only hashes.
struct SegmentCache: ~Copyable {
  /// The characters of a segment with the way in which it is shaped.
  struct Key: BitwiseCopyable {
    let bytes: ByteString
    /// The face, script, direction and features; see `ShapingContext.number`.
    let context: UInt64
    let hash: UInt64

    @inline(__always)
    init(_ bytes: ByteString, context: UInt64) {
      self.bytes = bytes
      self.context = context
      hash = bytes.mixed(with: context) | 1
    }
  }

  /// The length in bytes of the longest key that is kept. Longer segments are rare and seldom occur again.
  static let maxKeyLength = 256

  private var young: SegmentTable
  private var old: SegmentTable

  /// Creates a cache that takes at most `budget` bytes, also while a table grows.
  init(budget: Int) {
    young = SegmentTable(budget: budget * 2 / 5)
    old = SegmentTable(budget: budget * 2 / 5)
  }

  /// The number of segments that were looked up.
  private(set) var lookups = 0
  /// The number of segments that were found.
  private(set) var hits = 0

  /// Returns the advances of a segment, or nil if it is not in the cache.
  @inline(__always)
  mutating func find(_ key: Key) -> ShapedSegment? {
    lookups &+= 1
    if let segment = young.find(key) {
      hits &+= 1
      return segment
    }
    return findOld(key)
  }

  @inline(never)
  private mutating func findOld(_ key: Key) -> ShapedSegment? {
    guard let segment = old.find(key) else { return nil }
    hits &+= 1
    insert(key, segment)
    return segment
  }

  /// Sets the counts of lookups to zero.
  mutating func resetStatistics() {
    lookups = 0
    hits = 0
  }

  /// Removes all segments.
  mutating func removeAll() {
    young.removeAll()
    old.removeAll()
  }

  /// Adds the advances of a segment.
  mutating func insert(_ key: Key, _ segment: ShapedSegment) {
    if !young.insert(key, segment) {
      swap(&young, &old)
      young.removeAll()
      _ = young.insert(key, segment)
    }
  }
}

/// The advances of a shaped segment, in font units, or in 1/60 point if they are rounded.
struct ShapedSegment: BitwiseCopyable {
  /// The advance of the segment with its space.
  var advance = 0
  /// The advance of the space at its end; 0 if it has none.
  var spaceAdvance = 0
}
