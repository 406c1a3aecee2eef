import ArrowFormat
import Buffers

/// A column of a record batch that will be written. It refers to the buffers of its owner, which must not change until
/// then.
struct ArrowColumn {
  let nullCount: Int
  let buffers: [UnsafeRawBufferPointer]

  private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Makes a column of numbers, booleans or dictionary indices. `validity` has a bit for each value that is set if it
  /// is not null.
  init(_ values: UnsafeRawBufferPointer, validity: UnsafeRawBufferPointer? = nil, nullCount: Int = 0) {
    self.nullCount = nullCount
    buffers = [nullCount > 0 ? validity ?? Self.none : Self.none, values]
  }

  /// Makes a column of strings from their offsets and bytes. `validity` has a bit for each string that is set if it is
  /// not null.
  init(
    offsets: UnsafeRawBufferPointer, bytes: UnsafeRawBufferPointer, validity: UnsafeRawBufferPointer? = nil,
    nullCount: Int = 0
  ) {
    self.nullCount = nullCount
    buffers = [nullCount > 0 ? validity ?? Self.none : Self.none, offsets, bytes]
  }
}

/// A writer of an Arrow IPC file, batch by batch. Buffers start at multiples of 64 bytes, so that readers can map them.
/// Dictionaries grow while batches are written, and are written last, which the file format allows.
struct ArrowFileWriter {
  private static let alignment: Int64 = 64
  private static let magic: [UInt8] = Array("ARROW1".utf8)

  private let file: OutputFile
  private let schema: ArrowSchema
  private var batches: [ArrowMetadata.Block] = []
  private var dictionaries: [ArrowMetadata.Block] = []

  init(creating path: String, _ schema: ArrowSchema) throws(OutputError) {
    file = try OutputFile(creating: path)
    self.schema = schema
    try file.write(Self.magic + [0, 0])
    _ = try writeMessage(ArrowMetadata.schemaMessage(schema))
  }

  /// The number of bytes written so far.
  var size: Int64 { file.offset }

  /// The checksum of the bytes written so far.
  var checksum: UInt64 { file.checksum }

  mutating func write(rows: Int, _ columns: [ArrowColumn]) throws(OutputError) {
    let body = Self.body(rows: rows, columns)
    let block = try writeMessage(ArrowMetadata.recordBatchMessage(body), bodyLength: body.length)
    try writeBody(columns)
    file.beginWriting(from: block.offset)
    batches.append(block)
  }

  /// Writes a dictionary's strings. After it, only further dictionaries or the end of the file may be written.
  mutating func write(dictionary id: Int64, _ names: borrowing NameTable) throws(OutputError) {
    let column = [ArrowColumn(offsets: names.offsets, bytes: names.bytes.bytes)]
    let body = Self.body(rows: names.count, column)
    let block = try writeMessage(ArrowMetadata.dictionaryMessage(id: id, body), bodyLength: body.length)
    try writeBody(column)
    dictionaries.append(block)
  }

  mutating func finish() throws(OutputError) {
    try file.write([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
    let footer = ArrowMetadata.footer(schema, dictionaries: dictionaries, batches: batches)
    try file.write(footer)
    try file.write(littleEndian(Int32(footer.count)) + Self.magic)
    try file.synchronize()
  }

  /// Writes a message's metadata, padded so that its body starts aligned.
  private mutating func writeMessage(
    _ metadata: [UInt8], bodyLength: Int64 = 0
  ) throws(OutputError) -> ArrowMetadata.Block {
    let start = file.offset
    let end = start + 8 + Int64(metadata.count)
    let padded = (end + Self.alignment - 1) / Self.alignment * Self.alignment
    try file.write([0xff, 0xff, 0xff, 0xff] + littleEndian(Int32(padded - start - 8)) + metadata)
    try file.pad(to: Self.alignment)
    return ArrowMetadata.Block(offset: start, metadataLength: padded - start, bodyLength: bodyLength)
  }

  private mutating func writeBody(_ columns: [ArrowColumn]) throws(OutputError) {
    for column in columns {
      for buffer in column.buffers {
        try file.write(buffer)
        try file.pad(to: Self.alignment)
      }
    }
  }

  private static func body(rows: Int, _ columns: [ArrowColumn]) -> ArrowMetadata.Body {
    var body = ArrowMetadata.Body(rows: rows)
    for column in columns {
      body.nodes.append([Int64(rows), Int64(column.nullCount)])
      for buffer in column.buffers {
        body.buffers.append([body.length, Int64(buffer.count)])
        body.length += (Int64(buffer.count) + alignment - 1) / alignment * alignment
      }
    }
    return body
  }

  private func littleEndian(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
