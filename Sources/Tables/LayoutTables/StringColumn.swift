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

  /// A bit for each byte, set where that is not 0.
  mutating func append(contentsOf flags: UnsafeRawBufferPointer) {
    var place = 0
    while place < flags.count {
      if count & 7 == 0, flags.count - place >= 8 {
        let eight = UInt64(littleEndian: flags.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        bytes.append(Self.packed(eight))
        count += 8
        place += 8
      } else {
        append(flags[place] != 0)
        place += 1
      }
    }
  }

  /// Of eight bytes, which are not 0.
  private static func packed(_ bytes: UInt64) -> UInt8 {
    let low: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
    let isSet = ((((bytes & low) &+ low) | bytes) & ~low) >> 7
    // Brings the lowest bit of each byte to the top byte, those of the first lowest.
    return UInt8(truncatingIfNeeded: (isSet &* 0x0102_0408_1020_4080) >> 56)
  }
}
