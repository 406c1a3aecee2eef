import Buffers

/// A column of bits, packed as in Arrow: the first bit is the lowest of its byte.
struct BitColumn: ~Copyable {
  private(set) var bytes = FlatBuffer<UInt8>()
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

  /// Appends a bit for each byte, which is set if the byte has a bit of the mask.
  mutating func append(contentsOf flags: UnsafeRawBufferPointer, _ mask: UInt8) {
    let masks = UInt64(mask) &* 0x0101_0101_0101_0101
    var index = 0
    while index < flags.count {
      if count & 7 == 0, flags.count - index >= 8 {
        let eight = UInt64(littleEndian: flags.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        bytes.append(Self.packed(eight & masks))
        count += 8
        index += 8
      } else {
        append(flags[index] & mask != 0)
        index += 1
      }
    }
  }

  /// Returns one bit for each of eight bytes, which is set if the byte is not 0.
  private static func packed(_ bytes: UInt64) -> UInt8 {
    let low: UInt64 = 0x7f7f_7f7f_7f7f_7f7f
    let isSet = ((((bytes & low) &+ low) | bytes) & ~low) >> 7
    // The product has the lowest bit of each byte in its top byte, that of the first byte lowest.
    return UInt8(truncatingIfNeeded: (isSet &* 0x0102_0408_1020_4080) >> 56)
  }
}
