import Buffers

/// The schema, the dictionaries and the places of the batches of an Arrow IPC file. Everything that the file states about
/// itself is checked: no column reaches beyond the file.
package struct ArrowFileReader: Sendable {
  package let schema: ArrowSchema
  package let batches: [ArrowBatch]
  private let dictionaries: [Int64: [String]]

  /// Returns a copy of a range of the file's bytes.
  package typealias Read = (Range<Int>) throws(ArrowFormatError) -> OwnedBytes

  private static let magic: [UInt8] = Array("ARROW1".utf8)
  /// The largest number of bytes in the footer.
  private static let maxFooterSize = 256 << 20
  /// The largest number of bytes in the metadata of one message.
  private static let maxMetadataSize = 1 << 20

  /// - Parameters:
  ///   - size: The number of bytes of the file.
  ///   - read: A function that reads ranges of bytes that lie within the file.
  package init(size: Int, _ read: Read) throws(ArrowFormatError) {
    let footer = try MetadataReader(memory: Self.footer(size, read)).root()
    guard let schemaTable = try footer.table(1) else { throw .damaged }
    let schema = try ArrowSchema(schemaTable)
    self.schema = schema

    var dictionaries: [Int64: [String]] = [:]
    for block in try Self.blocks(footer, 2) {
      let message = try Message(block, size, read)
      guard let dictionary = try message.header(.dictionaryBatch).table(1) else { throw .damaged }
      let id = try message.header(.dictionaryBatch).number(0, as: Int64.self)
      let isDelta = try message.header(.dictionaryBatch).number(2, as: UInt8.self) != 0
      guard dictionaries[id] == nil, !isDelta else { throw ArrowFormatError("it has a dictionary in several parts") }
      let batch = try ArrowBatch(dictionary, [ArrowField(name: "", type: .utf8)], body: message.body)
      dictionaries[id] = try Self.strings(batch.columns[0], read)
    }
    self.dictionaries = dictionaries
    var batches: [ArrowBatch] = []
    for block in try Self.blocks(footer, 3) {
      let message = try Message(block, size, read)
      let batch = try ArrowBatch(try message.header(.recordBatch), schema.fields, body: message.body)
      // A search for a record passes over batches without records most easily if there are none.
      if batch.rowCount > 0 { batches.append(batch) }
    }
    self.batches = batches
  }

  private static func footer(_ size: Int, _ read: Read) throws(ArrowFormatError) -> OwnedBytes {
    guard size >= 8, try read(0..<6).withBytes({ $0.elementsEqual(magic) }) else {
      throw ArrowFormatError("it is not an Arrow file")
    }
    let end = size - 10
    guard size >= 24, try read(end + 4..<size).withBytes({ $0.elementsEqual(magic) }) else {
      throw ArrowFormatError("its end is missing")
    }
    let footerSize = Int(try read(end..<end + 4).withBytes { Int32(littleEndian: $0.loadUnaligned(as: Int32.self)) })
    guard footerSize > 0, footerSize <= min(end - 8, maxFooterSize) else { throw .damaged }
    return try read(end - footerSize..<end)
  }

  // MARK: Dictionaries

  /// Returns the strings of a dictionary.
  package func dictionary(_ id: Int64) throws(ArrowFormatError) -> [String] {
    guard let dictionary = dictionaries[id] else { throw ArrowFormatError("its dictionary \(id) is missing") }
    return dictionary
  }

  private static func strings(_ column: StoredColumn, _ read: Read) throws(ArrowFormatError) -> [String] {
    guard column.rowCount > 0 else { return [] }
    let (values, bytes) = (try read(column.values), try read(column.bytes))
    return try values.withBytes { (values) throws(ArrowFormatError) in
      try bytes.withBytes { (bytes) throws(ArrowFormatError) in
        let view = ArrowColumnView(rowCount: column.rowCount, values: values, bytes: bytes)
        return try (0..<column.rowCount).map { (index) throws(ArrowFormatError) in
          guard let bytes = view.string(at: index) else { throw .damaged }
          return String(decoding: bytes, as: UTF8.self)
        }
      }
    }
  }

  // MARK: Messages

  private static func blocks(_ footer: MetadataTable, _ field: Int) throws(ArrowFormatError) -> [ArrowMetadata.Block] {
    // The 32-bit metadata length of a block and its padding are read as one 64-bit number.
    try footer.structs(field, size: 3).map {
      ArrowMetadata.Block(offset: $0[0], metadataLength: $0[1] & 0xffff_ffff, bodyLength: $0[2])
    }
  }

  private struct Message {
    private let table: MetadataTable
    /// The range of the message's body in the file.
    let body: Range<Int>

    init(_ block: ArrowMetadata.Block, _ size: Int, _ read: Read) throws(ArrowFormatError) {
      let count = Int64(size)
      guard block.offset >= 0, block.offset <= count, block.metadataLength > 8, block.bodyLength >= 0,
        block.metadataLength <= min(count - block.offset, Int64(maxMetadataSize)),
        block.bodyLength <= count - block.offset - block.metadataLength
      else { throw .damaged }
      let start = Int(block.offset)
      let end = start + Int(block.metadataLength)
      // A message begins with a continuation marker and the size of its metadata, of four bytes each.
      table = try MetadataReader(memory: read(start + 8..<end)).root()
      body = end..<end + Int(block.bodyLength)
    }

    func header(_ kind: ArrowMetadata.Header) throws(ArrowFormatError) -> MetadataTable {
      guard try table.number(1, as: Int8.self) == kind.rawValue, let header = try table.table(2) else { throw .damaged }
      return header
    }
  }
}

extension ArrowSchema {
  init(_ table: MetadataTable) throws(ArrowFormatError) {
    guard try table.number(0, as: Int16.self) == 0 else { throw ArrowFormatError("its numbers are big-endian") }
    let fields = try table.tables(1).map { (field) throws(ArrowFormatError) in try ArrowField(field) }
    let metadata = try table.tables(2).map { (entry) throws(ArrowFormatError) in
      ArrowMetadataEntry(try entry.string(0), try entry.string(1))
    }
    self.init(fields, metadata: metadata)
  }
}

extension ArrowField {
  init(_ table: MetadataTable) throws(ArrowFormatError) {
    let name = try table.string(0)
    var type: ArrowType
    if let nested = try Self.nestedType(table) {
      type = nested
    } else {
      type = try ArrowType(code: try table.number(2, as: Int8.self), try table.table(3), column: name)
    }
    if let dictionary = try table.table(4) {
      guard type == .utf8 else { throw ArrowFormatError("its column \"\(name)\" has a type that Galley does not use") }
      let index = try dictionary.table(1)
      type = .dictionary(
        id: try dictionary.number(0, as: Int64.self), indexBits: try index?.number(0, as: Int32.self) ?? 32)
    }
    self.init(name: name, type: type, isNullable: try table.number(1, as: UInt8.self) != 0)
  }

  /// Returns the type of a field with other fields: a structure, or a list of structures; nil for other fields.
  private static func nestedType(_ table: MetadataTable) throws(ArrowFormatError) -> ArrowType? {
    switch try table.number(2, as: Int8.self) {
    case 12:
      // The records of a list are not lists themselves, so that damaged metadata cannot nest without end.
      guard let item = try table.tables(5).first, try item.number(2, as: Int8.self) == 13 else { throw .damaged }
      return .list(try ArrowField(item))
    case 13:
      let fields = try table.tables(5).map { (child) throws(ArrowFormatError) in
        guard try child.number(2, as: Int8.self) < 12 else { throw .damaged }
        return try ArrowField(child)
      }
      return .structure(fields)
    default: return nil
    }
  }
}

extension ArrowType {
  /// - Parameters:
  ///   - code: The code of the type in Arrow's union Type.
  ///   - table: The table of the type.
  init(code: Int8, _ table: MetadataTable?, column: String) throws(ArrowFormatError) {
    let bits = code == 2 ? try table?.number(0, as: Int32.self) ?? 0 : 0
    let isSigned = code == 2 ? try table?.number(1, as: UInt8.self) ?? 0 != 0 : false
    let precision = code == 3 ? try table?.number(0, as: Int16.self) ?? 0 : 0
    switch (code, bits, isSigned, precision) {
    case (2, 64, false, _): self = .uint64
    case (2, 32, false, _): self = .uint32
    case (2, 16, false, _): self = .uint16
    case (2, 32, true, _): self = .int32
    case (3, _, _, 1): self = .float32
    case (3, _, _, 2): self = .float64
    case (5, _, _, _): self = .utf8
    case (6, _, _, _): self = .bool
    default: throw ArrowFormatError("its column \"\(column)\" has a type that Galley does not use")
    }
  }
}
