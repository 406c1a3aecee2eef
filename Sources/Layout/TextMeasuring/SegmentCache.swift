import Buffers

/// Advances of shaped segments, so that a word is shaped once however often it occurs.
///
/// A hash table in two generations: when the young one is full it becomes the old one, and the old one's memory is used
/// again. What is found in the old generation moves to the young, so what is in use stays. Keys are stored whole;
/// nothing is trusted to a hash alone.
struct SegmentCache: ~Copyable {
  struct Key: BitwiseCopyable {
    let bytes: ByteString
    /// Face, script and features; see `Shaper`.
    let context: UInt64
    let hash: UInt64

    @inline(__always)
    init(_ bytes: ByteString, context: UInt64) {
      self.bytes = bytes
      self.context = context
      hash = bytes.mixed(with: context) | 1
    }
  }

  /// Longer segments are rare and seldom come again.
  static let maxKeyLength = 128

  private var young: SegmentTable
  private var old: SegmentTable

  /// `budget` bytes in all, also while a table grows.
  init(budget: Int) {
    young = SegmentTable(budget: budget * 2 / 5)
    old = SegmentTable(budget: budget * 2 / 5)
  }

  /// How often a segment was asked for, and how often it was there.
  private(set) var lookups = 0
  private(set) var hits = 0

  /// A key that is going to be looked for, when others have been.
  @inline(__always)
  func prefetch(_ key: Key) { young.prefetch(key) }

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

  mutating func resetStatistics() {
    lookups = 0
    hits = 0
  }

  mutating func insert(_ key: Key, _ segment: ShapedSegment) {
    if !young.insert(key, segment) {
      swap(&young, &old)
      young.removeAll()
      _ = young.insert(key, segment)
    }
  }
}

/// What shaping a segment tells, in font units.
struct ShapedSegment: BitwiseCopyable {
  /// Of all of it.
  var advance = 0
  /// Of the space at its end, if it has one.
  var spaceAdvance = 0
}
