import Buffers
import CLinux

/// One generation of a `SegmentCache`: an open hash table that grows with what is in it, up to its budget. An entry is a
/// line of the processor's cache, with the key in it if that is short, as fetching lines is what a lookup costs.
struct SegmentTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    /// 0: empty.
    var hash: UInt64 = 0
    var context: UInt64 = 0
    // What is short enough to be kept has short advances.
    var advance: Int32 = 0
    var spaceAdvance: Int32 = 0
    var keyLength: UInt32 = 0
    /// Where a key lies that has no room here.
    var keyStart: UInt32 = 0
    var key: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static let maxKeyLength = MemoryLayout.size(ofValue: Entry().key)
    static let keyOffset = 32
  }

  private static let initialCapacity = 1 << 10

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private let maxCapacity: Int
  private var count = 0
  private var longKeys = FlatBuffer<UInt8>()
  private let maxLongKeys: Int

  /// `budget` bytes at most, and half as much more while it grows.
  init(budget: Int) {
    // Few keys are long.
    maxLongKeys = max(1 << 14, budget / 16)
    maxCapacity = max(Self.initialCapacity, (budget - maxLongKeys) / MemoryLayout<Entry>.stride)
    capacity = Self.initialCapacity
    entries = Self.allocate(capacity)
  }

  deinit { UnsafeMutableRawPointer(entries).deallocate() }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    let line = 64
    assert(MemoryLayout<Entry>.stride == line)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity * line, alignment: line)
    let entries = memory.bindMemory(to: Entry.self, capacity: capacity)
    entries.initialize(repeating: Entry(), count: capacity)
    return entries
  }

  mutating func removeAll() {
    entries.update(repeating: Entry(), count: capacity)
    longKeys.removeAll()
    count = 0
  }

  @inline(__always)
  func find(_ key: SegmentCache.Key) -> ShapedSegment? {
    var place = home(of: key.hash)
    while entries[place].hash != 0 {
      let entry = entries + place
      if entry.pointee.hash == key.hash && entry.pointee.context == key.context
        && Int(entry.pointee.keyLength) == key.bytes.count && key.bytes.isEqual(toBytesAt: bytes(of: entry))
      {
        return ShapedSegment(advance: Int(entry.pointee.advance), spaceAdvance: Int(entry.pointee.spaceAdvance))
      }
      place = next(place)
    }
    return nil
  }

  /// Has the processor fetch the entry that `find` will look at first.
  @inline(__always)
  func prefetch(_ key: SegmentCache.Key) { galley_prefetch(entries + home(of: key.hash)) }

  /// False when there is no room.
  mutating func insert(_ key: SegmentCache.Key, _ segment: ShapedSegment) -> Bool {
    if count >= capacity / 4 * 3 {
      guard capacity < maxCapacity else { return false }
      grow()
    }
    var entry = Entry(
      hash: key.hash, context: key.context, advance: Int32(clamping: segment.advance),
      spaceAdvance: Int32(clamping: segment.spaceAdvance), keyLength: UInt32(key.bytes.count))
    if key.bytes.count <= Entry.maxKeyLength {
      withUnsafeMutableBytes(of: &entry.key) { $0.copyBytes(from: key.bytes.bytes) }
    } else {
      guard longKeys.count + key.bytes.count <= maxLongKeys else { return false }
      entry.keyStart = UInt32(longKeys.count)
      longKeys.append(contentsOf: key.bytes.bytes)
    }
    insert(entry)
    count += 1
    return true
  }

  private func insert(_ entry: Entry) {
    var place = home(of: entry.hash)
    while entries[place].hash != 0 { place = next(place) }
    entries[place] = entry
  }

  private mutating func grow() {
    let (smaller, size) = (entries, capacity)
    capacity = min(2 * capacity, maxCapacity)
    entries = Self.allocate(capacity)
    for place in 0..<size where smaller[place].hash != 0 { insert(smaller[place]) }
    UnsafeMutableRawPointer(smaller).deallocate()
  }

  /// Where the entry of a hash is if none was in its way.
  @inline(__always)
  private func home(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(truncatingIfNeeded: capacity)).high)
  }

  @inline(__always)
  private func next(_ place: Int) -> Int { place + 1 == capacity ? 0 : place + 1 }

  @inline(__always)
  private func bytes(of entry: UnsafeMutablePointer<Entry>) -> UnsafeRawPointer {
    entry.pointee.keyLength <= UInt32(Entry.maxKeyLength)
      ? UnsafeRawPointer(entry) + Entry.keyOffset : UnsafeRawPointer(longKeys.base + Int(entry.pointee.keyStart))
  }
}
