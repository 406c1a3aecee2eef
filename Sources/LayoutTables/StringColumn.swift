import Buffers

/// A column of strings while a batch of it fills.
struct StringColumn: ~Copyable {
  var offsets = FlatBuffer<Int32>(capacity: 1024)
  var bytes = FlatBuffer<UInt8>(capacity: 4096)

  /// Bytes after which a batch ends early: offsets are 32-bit numbers. Rows come one after the other, so this does
  /// not depend on how they were split into jobs.
  static let maxBytes = 256 << 20

  var isFull: Bool { bytes.count >= Self.maxBytes }

  init() { offsets.append(0) }

  mutating func removeAll() {
    offsets.truncate(to: 1)
    bytes.removeAll()
  }

  mutating func append(_ string: ByteString) {
    bytes.append(contentsOf: string.bytes)
    offsets.append(Int32(truncatingIfNeeded: bytes.count))
  }

  var column: ArrowColumn { ArrowColumn(offsets: offsets.bytes, bytes: bytes.bytes) }
}

/// Bits packed as Arrow has them, the first lowest.
struct BitColumn: ~Copyable {
  private(set) var bytes = FlatBuffer<UInt8>(capacity: 1024)
  private(set) var count = 0

  mutating func removeAll() {
    bytes.removeAll()
    count = 0
  }

  @inline(__always)
  mutating func append(_ bit: Bool) {
    if count & 7 == 0 { bytes.append(0) }
    if bit { bytes.base[count >> 3] |= 1 << UInt8(count & 7) }
    count += 1
  }
}
