import Buffers

/// A generation of a `SegmentCache`: an open hash table that grows with its entries, up to its budget.
///
/// An entry is as large as a line of the processor's cache and contains its key if that is short, because most of the time of
/// a lookup is spent on loading such lines.
struct SegmentTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    /// The hash of the key; 0 for an empty entry.
    var hash: UInt64 = 0
    var context: UInt64 = 0
    // Keys are short, so that their advances fit in 32 bits.
    var advance: Int32 = 0
    var spaceAdvance: Int32 = 0
    var keyLength: UInt32 = 0
    /// The offset in `longKeys` of a key that is longer than `key`.
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

  /// Creates a table that takes at most `budget` bytes, and half as many more while it grows.
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

  /// Returns the advances of a key, or nil if it is not in the table.
  @inline(__always)
  func find(_ key: SegmentCache.Key) -> ShapedSegment? {
    var index = home(of: key.hash)
    while entries[index].hash != 0 {
      let entry = entries + index
      if entry.pointee.hash == key.hash && entry.pointee.context == key.context
        && Int(entry.pointee.keyLength) == key.bytes.count && key.bytes.isEqual(toBytesAt: bytes(of: entry))
      {
        return ShapedSegment(advance: Int(entry.pointee.advance), spaceAdvance: Int(entry.pointee.spaceAdvance))
      }
      index = next(index)
    }
    return nil
  }

  /// Adds an entry. Returns false if the table is full.
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
    var index = home(of: entry.hash)
    while entries[index].hash != 0 { index = next(index) }
    entries[index] = entry
  }

  private mutating func grow() {
    let (smaller, size) = (entries, capacity)
    capacity = min(2 * capacity, maxCapacity)
    entries = Self.allocate(capacity)
    for index in 0..<size where smaller[index].hash != 0 { insert(smaller[index]) }
    UnsafeMutableRawPointer(smaller).deallocate()
  }

  /// Returns the index of the entry of a hash, if no other entry was there before.
  @inline(__always)
  private func home(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(truncatingIfNeeded: capacity)).high)
  }

  @inline(__always)
  private func next(_ index: Int) -> Int { index + 1 == capacity ? 0 : index + 1 }

  @inline(__always)
  private func bytes(of entry: UnsafeMutablePointer<Entry>) -> UnsafeRawPointer {
    entry.pointee.keyLength <= UInt32(Entry.maxKeyLength)
      ? UnsafeRawPointer(entry) + Entry.keyOffset : UnsafeRawPointer(longKeys.base + Int(entry.pointee.keyStart))
  }
}
