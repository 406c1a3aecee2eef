/// A file with several fonts that share tables (OpenType specification, "Font Collections"). Browsers load only files with
/// one font.
public struct FontCollection {
  private let bytes: UnsafeRawBufferPointer
  private let offsets: [Int]

  /// The bytes of a table directory before its records, and those of each record.
  private static let headBytes = 12
  private static let recordBytes = 16
  private static let maxFonts = 1024

  /// Returns nil for bytes that are not a collection.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    guard bytes.count >= Self.headBytes, bytes.prefix(4).elementsEqual("ttcf".utf8) else { return nil }
    let count = Self.number(bytes, at: 8)
    guard count <= Self.maxFonts, bytes.count >= Self.headBytes + 4 * count else { return nil }
    offsets = (0..<count).map { Self.number(bytes, at: Self.headBytes + 4 * $0) }
  }

  /// Returns a file that has one of the fonts, or nil if the collection lacks it or is damaged.
  public func file(ofFace face: Int) -> [UInt8]? {
    guard offsets.indices.contains(face), offsets[face] + Self.headBytes <= bytes.count else { return nil }
    let start = offsets[face]
    let count = Self.number(bytes, at: start + 4) >> 16
    let directoryBytes = Self.headBytes + count * Self.recordBytes
    guard start + directoryBytes <= bytes.count else { return nil }
    var file = Array(bytes[start..<start + directoryBytes])
    for table in 0..<count {
      let record = Self.headBytes + table * Self.recordBytes
      let (offset, length) = (Self.number(bytes, at: start + record + 8), Self.number(bytes, at: start + record + 12))
      guard offset + length <= bytes.count else { return nil }
      // A table begins at a multiple of four bytes.
      file += [UInt8](repeating: 0, count: (4 - file.count % 4) % 4)
      for (index, shift) in [24, 16, 8, 0].enumerated() {
        file[record + 8 + index] = UInt8(truncatingIfNeeded: file.count >> shift)
      }
      file += bytes[offset..<offset + length]
    }
    return file
  }

  /// Returns a number of 32 bits.
  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
