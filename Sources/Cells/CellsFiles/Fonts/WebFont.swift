import CCompression
import CFontFiles
import CellTemplates

/// A decoder of the compressed font formats of the web, so that workers receive plain OpenType files.
enum WebFont {
  /// The largest number of bytes of a font, both compressed and decoded.
  static let limit = 64 << 20

  private static let headerBytes = 44
  private static let entryBytes = 20

  enum Format: String {
    case woff = "WOFF"
    case woff2 = "WOFF2"

    /// Returns the format of a file that begins with these bytes, or nil for a plain font.
    init?(_ head: some Sequence<UInt8>) {
      if head.starts(with: "wOFF".utf8) {
        self = .woff
      } else if head.starts(with: "wOF2".utf8) {
        self = .woff2
      } else {
        return nil
      }
    }
  }

  static func decode(_ bytes: [UInt8], _ format: Format) throws(CellError) -> [UInt8] {
    switch format {
    case .woff: try decodeTables(bytes)
    case .woff2: try decodeWOFF2(bytes)
    }
  }

  private static let tooLarge = CellError("has more than \(limit >> 20) MiB when it is decoded")

  private static func decodeWOFF2(_ bytes: [UInt8]) throws(CellError) -> [UInt8] {
    guard galley_woff2_length(bytes, bytes.count) <= limit else { throw tooLarge }
    guard let font = WebFontFile.copied({ galley_woff2_decode(bytes, bytes.count, limit, &$0) }) else {
      throw .damaged("its WOFF2 data cannot be decoded")
    }
    return font
  }

  // MARK: WOFF 1.0

  private struct Entry {
    let tag: UInt32
    let offset: Int
    let compressedLength: Int
    let length: Int
    let checksum: UInt32
  }

  /// Decompresses all tables (W3C, WOFF File Format 1.0) and writes an OpenType directory before them.
  private static func decodeTables(_ bytes: [UInt8]) throws(CellError) -> [UInt8] {
    let entries = try entries(of: bytes)
    var font: [UInt8] = []
    append(uint32(bytes, 4), to: &font)
    let count = entries.count
    let power = count.bitWidth - 1 - count.leadingZeroBitCount
    for number in [count, 16 << power, power, count * 16 - (16 << power)] {
      font += [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
    var start = font.count + 16 * count
    var offsets: [Int] = []
    for entry in entries {
      offsets.append(start)
      start += (entry.length + 3) & ~3
      guard start <= limit else { throw tooLarge }
    }
    for (entry, offset) in zip(entries, offsets) {
      for number in [entry.tag, entry.checksum, UInt32(offset), UInt32(entry.length)] { append(number, to: &font) }
    }
    font.reserveCapacity(start)
    for entry in entries {
      font += try table(entry, bytes)
      while font.count % 4 != 0 { font.append(0) }
    }
    return font
  }

  private static func entries(of bytes: [UInt8]) throws(CellError) -> [Entry] {
    guard bytes.count >= headerBytes else { throw .damaged("its header ends after the end of the file") }
    let count = Int(uint32(bytes, 12) >> 16)
    guard count > 0, headerBytes + count * entryBytes <= bytes.count else {
      throw .damaged("its table directory ends after the end of the file")
    }
    var entries: [Entry] = []
    for number in 0..<count {
      let start = headerBytes + number * entryBytes
      let entry = Entry(
        tag: uint32(bytes, start), offset: Int(uint32(bytes, start + 4)),
        compressedLength: Int(uint32(bytes, start + 8)), length: Int(uint32(bytes, start + 12)),
        checksum: uint32(bytes, start + 16))
      let beyond = entry.offset + entry.compressedLength - bytes.count
      guard beyond <= 0 else {
        throw .damaged("table \"\(FontAxes.name(entry.tag))\" ends \(beyond) bytes after the end of the file")
      }
      guard entries.last.map({ $0.tag < entry.tag }) ?? true else { throw .damaged("its tables are not in order") }
      entries.append(entry)
    }
    return entries
  }

  private static func table(_ entry: Entry, _ bytes: [UInt8]) throws(CellError) -> ArraySlice<UInt8> {
    let stored = bytes[entry.offset..<entry.offset + entry.compressedLength]
    if entry.compressedLength == entry.length { return stored }
    var status = Z_OK
    let table = [UInt8](unsafeUninitializedCapacity: max(entry.length, 1)) { table, count in
      var length = uLongf(entry.length)
      status = stored.withUnsafeBufferPointer {
        uncompress(table.baseAddress, &length, $0.baseAddress, uLong($0.count))
      }
      count = Int(length)
    }
    guard status == Z_OK, table.count == entry.length else {
      throw .damaged("table \"\(FontAxes.name(entry.tag))\" cannot be decompressed")
    }
    return table[...]
  }

  private static func uint32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
  }
}
