import Buffers
import CellTemplates

// The message of an error in a font file continues a sentence that begins with the name of the file. Its path is the key of the
// font to which it belongs, or empty for the file.

extension CellError {
  static func damaged(_ reason: String) -> CellError { CellError("is damaged: \(reason)") }
}

/// A face of an OpenType file with a valid table directory (the chapter "Font file" of the OpenType specification).
///
/// HarfBuzz ignores tables that it cannot use, so that it would measure a damaged font differently without an error.
struct OpenTypeFace {
  struct Table {
    let tag: String
    let checksum: UInt32
    let offset: Int
    let length: Int

    /// The tag without the spaces at its end.
    var name: String { String(tag.prefix { $0 != " " }) }
  }

  private static let collection: UInt32 = 0x7474_6366  // ttcf
  /// The versions of TrueType, CFF, and Apple's TrueType.
  private static let versions: [UInt32] = [0x0001_0000, 0x4f54_544f, 0x7472_7565]
  /// The tables that layout needs, and their smallest lengths.
  private static let required = [("cmap", 4), ("head", 54), ("hhea", 36), ("hmtx", 4), ("maxp", 6)]
  /// The groups of tables of which one must be present, because it has the glyphs.
  private static let glyphData = [
    ["glyf", "loca"], ["CFF "], ["CFF2"], ["CBDT", "CBLC"], ["EBDT", "EBLC"], ["sbix"], ["SVG "],
  ]

  let isInCollection: Bool
  /// The bytes of the table directory.
  let directory: ByteString
  let tables: [Table]
  let file: ByteString

  /// Reads and checks the directory of a face.
  init(_ file: ByteString, index: Int) throws(CellError) {
    self.file = file
    guard file.count >= 12 else { throw CellError("is not a font file: it has only \(file.count) bytes") }
    isInCollection = file.uint32(at: 0) == Self.collection
    let start = isInCollection ? try Self.offset(ofFace: index, in: file) : 0
    guard isInCollection || index == 0 else { throw CellError("has only one face, number 0", path: ["faceIndex"]) }
    guard start <= file.count - 12 else { throw .damaged("face \(index) begins after the end of the file") }
    guard Self.versions.contains(file.uint32(at: start)) else {
      let problem = "it begins neither as OpenType or TrueType nor as WOFF"
      throw isInCollection
        ? .damaged("face \(index) has an unknown format") : CellError("is not a font file: \(problem)")
    }
    (directory, tables) = try Self.readTables(file, at: start)
    try checkTables()
  }

  private static func offset(ofFace index: Int, in file: ByteString) throws(CellError) -> Int {
    let count = Int(file.uint32(at: 8))
    guard count <= (file.count - 12) / 4 else { throw .damaged("its list of faces ends after the end of the file") }
    guard index < count else {
      throw CellError("has \(count) faces, of which the last has number \(count - 1)", path: ["faceIndex"])
    }
    return Int(file.uint32(at: 12 + 4 * index))
  }

  private static func readTables(
    _ file: ByteString, at start: Int
  ) throws(CellError) -> (directory: ByteString, tables: [Table]) {
    let count = Int(file.uint16(at: start + 4))
    let end = start + 12 + 16 * count
    guard end <= file.count else {
      throw .damaged("its table directory ends \(end - file.count) bytes after the end of the file")
    }
    var tables: [Table] = []
    var tags: Set<String> = []
    for entry in stride(from: start + 12, to: end, by: 16) {
      let table = Table(
        tag: file.slice(entry, entry + 4).string, checksum: file.uint32(at: entry + 4),
        offset: Int(file.uint32(at: entry + 8)), length: Int(file.uint32(at: entry + 12)))
      let beyond = table.offset + table.length - file.count
      guard beyond <= 0 else {
        throw .damaged("table \"\(table.name)\" ends \(beyond) bytes after the end of the file")
      }
      guard tags.insert(table.tag).inserted else { throw .damaged("it has the table \"\(table.tag)\" twice") }
      tables.append(table)
    }
    return (file.slice(start, end), tables)
  }

  /// Checks that all tables are present that layout reads.
  private func checkTables() throws(CellError) {
    for (tag, least) in Self.required {
      guard let table = table(tag) else { throw .damaged("it lacks the table \"\(tag)\", which layout needs") }
      guard table.length >= least else {
        throw .damaged("table \"\(tag)\" has only \(table.length) of at least \(least) bytes")
      }
    }
    guard Self.glyphData.contains(where: { $0.allSatisfy { table($0) != nil } }) else {
      throw .damaged("it has no glyphs: neither of the tables glyf and loca, CFF, CFF2 nor bitmaps")
    }
    guard let head = table("head"), let hhea = table("hhea"), let hmtx = table("hmtx") else { return }
    let unitsPerEm = file.uint16(at: head.offset + 18)
    guard (16...16_384).contains(unitsPerEm) else { throw .damaged("its em has \(unitsPerEm) units, not 16 to 16384") }
    let advances = Int(file.uint16(at: hhea.offset + 34)) * 4
    guard advances <= hmtx.length else {
      throw .damaged("table \"hmtx\" has only \(hmtx.length) of at least \(advances) bytes")
    }
  }

  func table(_ tag: String) -> Table? { tables.first { $0.tag == tag } }

  // MARK: Checksums

  /// The checksum of a whole font, including head.checkSumAdjustment (table "head" of the specification).
  private static let wholeSum: UInt32 = 0xb1b0_afba
  /// The offset in head of the adjustment, which is not part of the table's own checksum.
  private static let adjustment = 8

  /// Checks the checksum of every table. Some collections count the adjustment in that of head.
  func checkTableSums() throws(CellError) {
    for table in tables {
      var sum = Self.sum(file.slice(table.offset, table.offset + table.length))
      if table.tag == "head", sum != table.checksum || !isInCollection {
        sum &-= file.uint32(at: table.offset + Self.adjustment)
      }
      guard sum == table.checksum else { throw .damaged("the checksum of table \"\(table.name)\" is wrong") }
    }
  }

  /// Checks the checksum of the whole file, including its directory. A face in a collection does not have one.
  func checkFileSum() throws(CellError) {
    guard !isInCollection, Self.sum(file) != Self.wholeSum else { return }
    throw .damaged(
      "the checksum of the whole file is wrong; "
        + "if a program has changed the font on purpose, write it anew: "
        + "python3 -c \"from fontTools.ttLib import TTFont; TTFont('OLD').save('NEW')\"")
  }

  /// Returns the sum of the words of four bytes, of which the last one is padded with zeros.
  static func sum(_ bytes: ByteString) -> UInt32 {
    var sum: UInt32 = 0
    let raw = UnsafeRawBufferPointer(bytes.bytes)
    let whole = raw.count & ~3
    var index = 0
    while index < whole {
      sum &+= UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt32.self))
      index &+= 4
    }
    for (index, byte) in raw[whole...].enumerated() { sum &+= UInt32(byte) << UInt32(24 - 8 * index) }
    return sum
  }

  // MARK: Variations

  /// An axis along which a variable font varies.
  struct Axis: Equatable {
    let tag: String
    let range: ClosedRange<Double>
    /// The value of a face that states none.
    let initial: Double
  }

  /// The axes of a variable font (table fvar). Another font has none.
  var axes: [Axis] {
    guard let table = table("fvar"), table.length >= 16 else { return [] }
    let fvar = file.slice(table.offset, table.offset + table.length)
    let (start, count, size) = (Int(fvar.uint16(at: 4)), Int(fvar.uint16(at: 8)), Int(fvar.uint16(at: 10)))
    guard size >= 20, start + count * size <= fvar.count else { return [] }
    return (0..<count).compactMap { number in
      let axis = start + number * size
      let (minimum, maximum) = (fvar.fixed(at: axis + 4), fvar.fixed(at: axis + 12))
      guard minimum <= maximum else { return nil }
      return Axis(
        tag: fvar.slice(axis, axis + 4).string, range: minimum...maximum, initial: fvar.fixed(at: axis + 8))
    }
  }
}

extension ByteString {
  func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) << 8 | UInt16(self[offset + 1]) }

  fileprivate func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) << 16 | UInt32(uint16(at: offset + 2))
  }

  /// Returns a fixed-point number with 16 fraction bits.
  fileprivate func fixed(at offset: Int) -> Double { Double(Int32(bitPattern: uint32(at: offset))) / 65_536 }
}
