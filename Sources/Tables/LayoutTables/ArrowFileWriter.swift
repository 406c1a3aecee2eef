import Buffers
import TableFormats

/// A writer of an Arrow IPC file, batch by batch. Buffers start at multiples of 64 bytes, so that readers can map them.
/// Dictionaries grow while batches are written, and are written last, which the file format allows.
struct ArrowFileWriter {
  private static let alignment = ArrowBody.alignment
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
    let body = ArrowBody(rows: rows, columns)
    let block = try writeMessage(ArrowMetadata.recordBatchMessage(body.layout), bodyLength: body.layout.length)
    try writeBody(body)
    file.beginWriting(from: block.offset)
    batches.append(block)
  }

  /// Writes a dictionary's strings. After it, only further dictionaries or the end of the file may be written.
  mutating func write(dictionary id: Int64, _ names: borrowing NameTable) throws(OutputError) {
    let body = ArrowBody(rows: names.count, [ArrowColumn(offsets: names.offsets, bytes: names.bytes.bytes)])
    let block = try writeMessage(ArrowMetadata.dictionaryMessage(id: id, body.layout), bodyLength: body.layout.length)
    try writeBody(body)
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

  private mutating func writeBody(_ body: ArrowBody) throws(OutputError) {
    for buffer in body.buffers {
      try file.write(buffer)
      try file.pad(to: Self.alignment)
    }
  }

  private func littleEndian(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
}
