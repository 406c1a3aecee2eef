import Buffers
import Glibc

/// Advances of shaped segments, so that a word is shaped once however often it occurs.
///
/// An open hash table in two generations: when the young one is full it becomes the old one, and the old one's
/// memory is used again. What is found in the old generation moves to the young, so what is in use stays. Keys are
/// stored whole; nothing is trusted to a hash alone.
struct SegmentCache: ~Copyable {
  struct Key {
    let bytes: ByteString
    /// Face, script and features; see `Shaper`.
    let context: UInt64
    let hash: UInt64

    init(_ bytes: ByteString, context: UInt64) {
      self.bytes = bytes
      self.context = context
      hash = Self.mix(bytes, context)
    }

    /// Eight bytes a step, folded by 128-bit multiplication.
    @inline(__always)
    private static func mix(_ bytes: ByteString, _ context: UInt64) -> UInt64 {
      let raw = UnsafeRawPointer(bytes.start)
      var hash = context ^ 0x9e37_79b9_7f4a_7c15 &* UInt64(truncatingIfNeeded: bytes.count)
      var place = 0
      while place + 8 <= bytes.count {
        hash = fold(hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      var tail: UInt64 = 0
      while place < bytes.count {
        tail = tail << 8 | UInt64(bytes[place])
        place += 1
      }
      return fold(hash ^ tail) | 1
    }

    @inline(__always)
    private static func fold(_ value: UInt64) -> UInt64 {
      let (high, low) = value.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
      return high ^ low
    }
  }

  /// Longer segments are rare and seldom come again.
  static let maxKeyLength = 128

  private var young: Generation
  private var old: Generation

  /// `budget` bytes in all.
  init(budget: Int) {
    // Half a generation for entries, half for their keys.
    let entries = max(1 << 10, previousPowerOfTwo(budget / 4 / MemoryLayout<Entry>.stride))
    young = Generation(entries: entries, keyBytes: max(1 << 14, budget / 4))
    old = Generation(entries: entries, keyBytes: max(1 << 14, budget / 4))
  }

  /// How often a segment was asked for, and how often it was there.
  private(set) var lookups = 0
  private(set) var hits = 0

  mutating func find(_ key: Key) -> ShapedSegment? {
    lookups &+= 1
    if let segment = young.find(key) {
      hits &+= 1
      return segment
    }
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

  struct Entry: BitwiseCopyable {
    /// 0: empty.
    var hash: UInt64 = 0
    var context: UInt64 = 0
    var keyStart: UInt32 = 0
    var keyLength: UInt32 = 0
    // What is short enough to be kept has short advances.
    var advance: Int32 = 0
    var spaceAdvance: Int32 = 0
  }

  private struct Generation: ~Copyable {
    private let entries: UnsafeMutablePointer<Entry>
    private let mask: Int
    private let keys: UnsafeMutablePointer<UInt8>
    private let keyCapacity: Int
    private var keyCount = 0
    private var count = 0

    init(entries: Int, keyBytes: Int) {
      // Zeroed pages cost nothing before they are used; an entry of zeros is empty.
      guard let zeroed = calloc(entries, MemoryLayout<Entry>.stride) else { preconditionFailure("out of memory") }
      self.entries = zeroed.bindMemory(to: Entry.self, capacity: entries)
      mask = entries - 1
      keys = .allocate(capacity: keyBytes)
      keyCapacity = keyBytes
    }

    deinit {
      free(entries)
      keys.deallocate()
    }

    mutating func removeAll() {
      entries.update(repeating: Entry(), count: mask + 1)
      keyCount = 0
      count = 0
    }

    @inline(__always)
    func find(_ key: Key) -> ShapedSegment? {
      var place = Int(truncatingIfNeeded: key.hash) & mask
      while entries[place].hash != 0 {
        let entry = entries + place
        if entry.pointee.hash == key.hash && entry.pointee.context == key.context
          && ByteString(start: keys + Int(entry.pointee.keyStart), count: Int(entry.pointee.keyLength)) == key.bytes
        {
          return ShapedSegment(
            advance: Int(entry.pointee.advance), spaceAdvance: Int(entry.pointee.spaceAdvance))
        }
        place = (place + 1) & mask
      }
      return nil
    }

    /// False when there is no room.
    mutating func insert(_ key: Key, _ segment: ShapedSegment) -> Bool {
      guard count < (mask + 1) / 4 * 3, keyCount + key.bytes.count <= keyCapacity else { return false }
      var place = Int(truncatingIfNeeded: key.hash) & mask
      while entries[place].hash != 0 { place = (place + 1) & mask }
      (keys + keyCount).update(from: key.bytes.start, count: key.bytes.count)
      entries[place] = Entry(
        hash: key.hash, context: key.context, keyStart: UInt32(keyCount), keyLength: UInt32(key.bytes.count),
        advance: Int32(clamping: segment.advance), spaceAdvance: Int32(clamping: segment.spaceAdvance))
      keyCount += key.bytes.count
      count += 1
      return true
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

private func previousPowerOfTwo(_ number: Int) -> Int {
  var power = 1
  while power * 2 <= number { power *= 2 }
  return power
}
