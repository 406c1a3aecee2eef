import Buffers
import LayoutEngine
import TableFormats

/// A cache of the frames of cells, so that a cell with the same content as an earlier one is not laid out again.
///
/// A cell that is not in the cache costs a search and a copy of its frames. If no cell was found for a while, the cache is
/// searched only for some of the cells, so that lists without repeated cells are hardly slower.
///
/// The cache has two entries for each of its sets, of which the older one is replaced, so that its memory is bounded.
struct LayoutCache: ~Copyable {
  private static let sets = 2048
  private static let ways = 2
  /// The largest number of frames of a cell that is kept.
  private static let maxFrames = 64
  /// The largest number of lines of a cell that is kept; also that of its runs and that of its spans.
  private static let maxLines = 256
  /// The largest number of bytes of its texts, URLs and kinds.
  private static let maxTextBytes = 8192

  private struct Entry: BitwiseCopyable {
    var key = (low: UInt64(0), high: UInt64(0))
    var size = Size.zero
    var frames: UnsafeMutablePointer<Frame>?
    var count: Int32 = 0
    var capacity: Int32 = 0
    var missing = RowMissingGlyphs()
    var lines: UnsafeMutablePointer<RowLines>?
    var margins = PackedMargins.none
  }

  private let entries: UnsafeMutablePointer<Entry>
  /// The way of each set that was filled last.
  private let newest: UnsafeMutablePointer<UInt8>

  /// The number of cells without a hit after which the cache is searched only for a sample of the cells.
  private static let cellsBeforeSampling = 2048
  /// The sample is the first `sampleSize` of every `samplePeriod` cells.
  private static let samplePeriod = 4096
  private static let sampleSize = 256
  private var cells = 0
  /// The value of `cells` at the last hit.
  private var lastHit = 0
  private(set) var hits = 0

  init() {
    entries = .allocate(capacity: Self.sets * Self.ways)
    entries.initialize(repeating: Entry(), count: Self.sets * Self.ways)
    newest = .allocate(capacity: Self.sets)
    newest.initialize(repeating: 0, count: Self.sets)
  }

  deinit {
    for index in 0..<Self.sets * Self.ways {
      entries[index].frames?.deallocate()
      entries[index].lines?.deinitialize(count: 1)
      entries[index].lines?.deallocate()
    }
    entries.deallocate()
    newest.deallocate()
  }

  /// Counts the next cell, and returns whether the cache should be searched for it.
  mutating func shouldSearch() -> Bool {
    cells += 1
    return cells - lastHit < Self.cellsBeforeSampling || cells % Self.samplePeriod < Self.sampleSize
  }

  /// Copies the frames of a cell to `frames` and its lines to `lines`, and returns its size, missing glyphs and margins, or nil
  /// if the cell is not in the cache.
  mutating func find(
    _ key: LayoutFingerprint, _ frames: inout FlatBuffer<Frame>, _ lines: inout RowLines
  ) -> (size: Size, missing: RowMissingGlyphs, margins: PackedMargins)? {
    let set = entries + Self.set(of: key) * Self.ways
    for way in 0..<Self.ways where set[way].key == (key.low, key.high) && set[way].count > 0 {
      frames.removeAll()
      frames.append(contentsOf: UnsafeBufferPointer(start: set[way].frames, count: Int(set[way].count)))
      if let kept = set[way].lines { lines.replace(with: kept.pointee) } else { lines.removeAll() }
      lastHit = cells
      hits += 1
      return (set[way].size, set[way].missing, set[way].margins)
    }
    return nil
  }

  func insert(
    _ key: LayoutFingerprint, _ size: Size, _ frames: borrowing FlatBuffer<Frame>, _ lines: borrowing RowLines,
    _ missing: RowMissingGlyphs, _ margins: PackedMargins
  ) {
    guard frames.count <= Self.maxFrames,
      max(lines.lines.count, lines.runs.count, lines.spans.count) <= Self.maxLines,
      lines.bytes.count + lines.spanBytes.count <= Self.maxTextBytes
    else { return }
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
    entry.pointee.margins = margins
    entry.pointee.count = Int32(frames.count)
    entry.pointee.frames?.update(from: frames.base, count: frames.count)
    keep(lines, in: entry)
  }

  private func keep(_ lines: borrowing RowLines, in entry: UnsafeMutablePointer<Entry>) {
    if lines.texts.count > 0 && entry.pointee.lines == nil {
      let kept = UnsafeMutablePointer<RowLines>.allocate(capacity: 1)
      kept.initialize(to: RowLines())
      entry.pointee.lines = kept
    }
    entry.pointee.lines?.pointee.replace(with: lines)
  }

  private static func set(of key: LayoutFingerprint) -> Int { Int(truncatingIfNeeded: key.low) & (sets - 1) }
}
