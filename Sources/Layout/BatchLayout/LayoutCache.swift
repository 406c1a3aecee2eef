import Buffers
import LayoutEngine

/// Frames of the cells that were laid out last, so that a cell with the same content is not laid out again. What does not
/// come again costs a look and a copy of its frames.
///
/// Where nothing has come again for a while it only looks now and then, so that it costs next to nothing.
///
/// Two places for each of some thousand sets, the older of which gives way: its memory is bounded.
struct LayoutCache: ~Copyable {
  private static let sets = 2048
  private static let ways = 2
  /// Cells of more frames are not kept.
  private static let maxFrames = 64

  private struct Entry: BitwiseCopyable {
    var key = (low: UInt64(0), high: UInt64(0))
    var size = Size.zero
    var frames: UnsafeMutablePointer<Frame>?
    var count: Int32 = 0
    var capacity: Int32 = 0
    var missing = RowMissingGlyphs()
  }

  private let entries: UnsafeMutablePointer<Entry>
  /// The place of each set that was filled last.
  private let newest: UnsafeMutablePointer<UInt8>

  /// Cells in a row without one that was known after which it looks only now and then; out of how many, at how many.
  private static let patience = 2048
  private static let pause = 4096
  private static let glance = 256
  private var cells = 0
  private var lastHit = 0
  private(set) var hits = 0

  init() {
    entries = .allocate(capacity: Self.sets * Self.ways)
    entries.initialize(repeating: Entry(), count: Self.sets * Self.ways)
    newest = .allocate(capacity: Self.sets)
    newest.initialize(repeating: 0, count: Self.sets)
  }

  deinit {
    for index in 0..<Self.sets * Self.ways { entries[index].frames?.deallocate() }
    entries.deallocate()
    newest.deallocate()
  }

  /// Whether it is worth while to look for the next cell.
  mutating func looks() -> Bool {
    cells += 1
    return cells - lastHit < Self.patience || cells % Self.pause < Self.glance
  }

  /// The size of a cell whose frames are then in `frames` and missing glyphs in `missing`; nil if it is not known.
  mutating func find(
    _ key: LayoutFingerprint, _ frames: inout FlatBuffer<Frame>, _ missing: inout RowMissingGlyphs
  ) -> Size? {
    let set = entries + Self.set(of: key) * Self.ways
    for way in 0..<Self.ways where set[way].key == (key.low, key.high) && set[way].count > 0 {
      frames.removeAll()
      frames.append(contentsOf: UnsafeBufferPointer(start: set[way].frames, count: Int(set[way].count)))
      missing = set[way].missing
      lastHit = cells
      hits += 1
      return set[way].size
    }
    return nil
  }

  func insert(
    _ key: LayoutFingerprint, _ size: Size, _ frames: borrowing FlatBuffer<Frame>, _ missing: RowMissingGlyphs
  ) {
    guard frames.count <= Self.maxFrames else { return }
    let set = Self.set(of: key)
    let way = 1 - Int(newest[set])
    newest[set] = UInt8(way)
    let entry = entries + set * Self.ways + way
    if Int(entry.pointee.capacity) < frames.count {
      entry.pointee.frames?.deallocate()
      let capacity = min((frames.count + 15) & ~15, Self.maxFrames)
      entry.pointee.frames = .allocate(capacity: capacity)
      entry.pointee.capacity = Int32(capacity)
    }
    entry.pointee.key = (key.low, key.high)
    entry.pointee.size = size
    entry.pointee.missing = missing
    entry.pointee.count = Int32(frames.count)
    entry.pointee.frames?.update(from: frames.base, count: frames.count)
  }

  private static func set(of key: LayoutFingerprint) -> Int { Int(truncatingIfNeeded: key.low) & (sets - 1) }
}
