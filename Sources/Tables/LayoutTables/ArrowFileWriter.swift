import Buffers
import TableFormats

/// A writer of an Arrow IPC file, batch by batch. Buffers start at multiples of 64 bytes, so that readers can map them.
/// Dictionaries grow while batches are written, and are written last, which the file format allows.
struct ArrowFileWriter {
  private static let magic: [UInt8] = Array("ARROW1".utf8)

  private let file: OutputFile
  private let schema: ArrowSchema
  private var batches: [ArrowMetadata.Block] = []
  private var dictionaries: [ArrowMetadata.Block] = []

  init(creating path: String, _ schema: ArrowSchema) throws(OutputError) {
    file = try OutputFile(creating: path)
    self.schema = schema
    try file.write(Self.magic + [0, 0])
    _ = try write(ArrowMetadata.schemaMessage(schema))
  }

  /// The number of bytes written so far.
  var size: Int64 { file.offset }

  /// The checksum of the bytes written so far.
  var checksum: UInt64 { file.checksum }

  mutating func write(rows: Int, _ columns: [ArrowColumn]) throws(OutputError) {
    let body = ArrowBody(rows: rows, columns)
    let block = try write(ArrowMetadata.recordBatchMessage(body), body.buffers)
    file.beginWriting(from: block.offset)
    batches.append(block)
  }

  /// Writes a dictionary's strings. After it, only further dictionaries or the end of the file may be written.
  mutating func write(dictionary id: Int64, _ names: borrowing NameTable) throws(OutputError) {
    let body = ArrowBody(rows: names.count, [ArrowColumn(names.offsets, names.bytes.bytes)])
    dictionaries.append(try write(ArrowMetadata.dictionaryMessage(id: id, body), body.buffers))
  }

  /// Ends the file.
  ///
  /// - Parameter metadata: Metadata of the schema that are known only now. They are in the footer, whose schema readers of files use,
  ///   and not in the schema at the beginning.
  mutating func finish(metadata: [ArrowMetadataEntry]) throws(OutputError) {
    let schema = ArrowSchema(schema.fields, metadata: schema.metadata + metadata)
    let footer = ArrowMetadata.footer(schema, dictionaries: dictionaries, batches: batches)
    var end = ArrowMetadata.end + footer
    end.append(littleEndian: Int32(footer.count))
    try file.write(end + Self.magic)
    try file.synchronize()
  }

  /// Writes a message and returns its position.
  private func write(
    _ metadata: [UInt8], _ body: [UnsafeRawBufferPointer] = []
  ) throws(OutputError) -> ArrowMetadata.Block {
    let start = file.offset
    try file.write(ArrowMetadata.head(metadata, at: start))
    let bodyStart = file.offset
    for buffer in body {
      try file.write(buffer)
      try file.pad(to: ArrowBody.alignment)
    }
    return ArrowMetadata.Block(
      offset: start, metadataLength: bodyStart - start, bodyLength: file.offset - bodyStart)
  }
}
