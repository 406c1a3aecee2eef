import Buffers

/// `JobColumns` as they arrive: checked once, then read where they lie.
///
/// They come from another process, so nothing in them is believed: lengths, numbers of names and parents are all
/// checked against each other before anything is merged.
public struct JobTable {
  static let headerSize = 10 * 8

  static func padded(_ count: Int) -> Int { (count + 7) & ~7 }

  public let rowCount: Int
  let frameCount: Int
  let nameCount: Int
  let resourceCount: Int

  let width: Column<Float>
  let height: Column<Float>
  let framesOfRow: Column<UInt32>
  let cell: Column<UInt32>
  let idLength: Column<UInt32>
  let errorLength: Column<UInt32>
  let missingGlyphs: Column<UInt16>
  let missingRow: Column<UInt32>
  let missingLength: Column<UInt32>
  let node: Column<UInt32>
  let type: Column<UInt8>
  let parent: Column<Int32>
  let x: Column<Float>
  let y: Column<Float>
  let frameWidth: Column<Float>
  let frameHeight: Column<Float>
  let lines: Column<UInt16>
  let truncated: Column<UInt8>
  let resourceRow: Column<UInt32>
  let resourceFrame: Column<UInt32>
  let urlLength: Column<UInt32>
  let nameLength: Column<UInt32>
  let idBytes: ByteString
  let errorBytes: ByteString
  let nameBytes: ByteString
  let urlBytes: ByteString
  let missingBytes: ByteString

  /// What in a result does not fit together.
  public struct Malformed: Error, Equatable {
    public let reason: String
  }

  /// - Parameter bytes: must stay in place as long as the table is used.
  public init(_ bytes: UnsafeRawBufferPointer, rows expectedRows: Int, typeCount: Int) throws(Malformed) {
    guard let base = bytes.baseAddress, bytes.count >= Self.headerSize else { throw Malformed(reason: "no header") }
    func count(_ place: Int) throws(Malformed) -> Int {
      let count = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
      guard count <= UInt64(bytes.count) else { throw Malformed(reason: "a count beyond its end") }
      return Int(count)
    }
    var cutter = ColumnCutter(bytes: bytes, offset: Self.headerSize)
    rowCount = try count(0)
    frameCount = try count(1)
    nameCount = try count(2)
    resourceCount = try count(3)
    width = try cutter.column(rowCount)
    height = try cutter.column(rowCount)
    framesOfRow = try cutter.column(rowCount)
    cell = try cutter.column(rowCount)
    idLength = try cutter.column(rowCount)
    errorLength = try cutter.column(rowCount)
    missingGlyphs = try cutter.column(rowCount)
    missingRow = try cutter.column(count(8))
    missingLength = try cutter.column(count(8))
    node = try cutter.column(frameCount)
    type = try cutter.column(frameCount)
    parent = try cutter.column(frameCount)
    x = try cutter.column(frameCount)
    y = try cutter.column(frameCount)
    frameWidth = try cutter.column(frameCount)
    frameHeight = try cutter.column(frameCount)
    lines = try cutter.column(frameCount)
    truncated = try cutter.column(frameCount)
    resourceRow = try cutter.column(resourceCount)
    resourceFrame = try cutter.column(resourceCount)
    urlLength = try cutter.column(resourceCount)
    nameLength = try cutter.column(nameCount)
    idBytes = try cutter.bytes(count(4))
    errorBytes = try cutter.bytes(count(5))
    nameBytes = try cutter.bytes(count(6))
    urlBytes = try cutter.bytes(count(7))
    missingBytes = try cutter.bytes(count(9))
    guard cutter.offset == bytes.count else { throw Malformed(reason: "bytes after its end") }
    guard rowCount == expectedRows else { throw Malformed(reason: "\(rowCount) rows instead of \(expectedRows)") }
    try check(typeCount: typeCount)
  }

  private func check(typeCount: Int) throws(Malformed) {
    guard idLength.sum == idBytes.count, errorLength.sum == errorBytes.count, nameLength.sum == nameBytes.count,
      urlLength.sum == urlBytes.count, missingLength.sum == missingBytes.count
    else { throw Malformed(reason: "lengths that do not add up") }
    guard framesOfRow.sum == frameCount else { throw Malformed(reason: "frames of no row") }
    guard cell.all({ $0 < UInt32(nameCount) }), node.all({ $0 < UInt32(nameCount) }) else {
      throw Malformed(reason: "a name that is not there")
    }
    guard type.all({ Int($0) < typeCount }) else { throw Malformed(reason: "an unknown type") }
    guard resourceRow.all({ Int($0) < rowCount }), resourceFrame.all({ Int($0) < frameCount }) else {
      throw Malformed(reason: "a resource of no frame")
    }
    guard missingRow.all({ Int($0) < rowCount && missingGlyphs[Int($0)] > 0 }) else {
      throw Malformed(reason: "missing glyphs of no row")
    }
    var first = 0
    var parentsComeFirst = true
    for row in 0..<rowCount {
      let count = Int(framesOfRow[row])
      for frame in 0..<count {
        // From -1, which is none, to the frame before.
        let isBefore = UInt32(bitPattern: parent[first + frame] &+ 1) <= UInt32(truncatingIfNeeded: frame)
        parentsComeFirst = isBefore && parentsComeFirst
      }
      first += count
    }
    guard parentsComeFirst else { throw Malformed(reason: "a frame whose parent does not come before it") }
  }
}

/// A run of numbers that need not be aligned.
struct Column<Number: BitwiseCopyable> {
  let start: UnsafeRawPointer
  let count: Int

  @inline(__always)
  subscript(index: Int) -> Number {
    start.loadUnaligned(fromByteOffset: index * MemoryLayout<Number>.stride, as: Number.self)
  }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: count * MemoryLayout<Number>.stride)
  }

  func slice(_ from: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: start + from * MemoryLayout<Number>.stride, count: count * MemoryLayout<Number>.stride)
  }

  @inline(__always)
  func all(_ holds: (Number) -> Bool) -> Bool {
    var all = true
    for index in 0..<count { all = holds(self[index]) && all }
    return all
  }
}

extension Column where Number == UInt32 {
  var sum: Int {
    var sum = 0
    for index in 0..<count { sum += Int(self[index]) }
    return sum
  }
}

/// Cuts columns off a message, never past its end.
private struct ColumnCutter {
  let bytes: UnsafeRawBufferPointer
  var offset: Int

  mutating func column<Number: BitwiseCopyable>(_ count: Int) throws(JobTable.Malformed) -> Column<Number> {
    let start = try take(count * MemoryLayout<Number>.stride)
    return Column(start: start, count: count)
  }

  mutating func bytes(_ count: Int) throws(JobTable.Malformed) -> ByteString {
    ByteString(start: try take(count).assumingMemoryBound(to: UInt8.self), count: count)
  }

  private mutating func take(_ count: Int) throws(JobTable.Malformed) -> UnsafeRawPointer {
    guard let base = bytes.baseAddress, JobTable.padded(count) <= bytes.count - offset else {
      throw JobTable.Malformed(reason: "a column beyond its end")
    }
    defer { offset += JobTable.padded(count) }
    return base + offset
  }
}
