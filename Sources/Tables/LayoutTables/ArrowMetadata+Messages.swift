import Buffers
import TableFormats

/// The messages of Arrow files and streams. Each begins with a mark and the size of its metadata.
extension ArrowMetadata {
  /// The format version, MetadataVersion.V5 of Arrow's Schema.fbs.
  private static let version = MetadataBuilder.Field.int16(4)

  private static let mark: [UInt8] = [0xff, 0xff, 0xff, 0xff]
  /// What is behind the last message: a mark without metadata.
  static let end = mark + [0, 0, 0, 0]

  /// Returns what a message has before its body: the mark, and its metadata with the padding after which the body is aligned.
  ///
  /// - Parameter offset: The offset of the message in its file.
  static func head(_ metadata: [UInt8], at offset: Int64 = 0) -> [UInt8] {
    let prefixSize = mark.count + MemoryLayout<Int32>.size
    let size = Int(ArrowBody.padded(offset + Int64(prefixSize + metadata.count)) - offset)
    var head = mark
    head.append(littleEndian: Int32(size - prefixSize))
    head += metadata
    return head + repeatElement(0, count: size - head.count)
  }

  static func schemaMessage(_ schema: ArrowSchema) -> [UInt8] {
    message(.schema, bodyLength: 0) { self.schema(schema, &$0) }
  }

  static func recordBatchMessage(_ body: ArrowBody) -> [UInt8] {
    message(.recordBatch, bodyLength: body.length) { recordBatch(body, &$0) }
  }

  static func dictionaryMessage(id: Int64, _ body: ArrowBody) -> [UInt8] {
    message(.dictionaryBatch, bodyLength: body.length) { builder in
      let batch = recordBatch(body, &builder)
      return builder.table([.int64(id), .offset(batch)])
    }
  }

  static func footer(_ schema: ArrowSchema, dictionaries: [Block], batches: [Block]) -> [UInt8] {
    var builder = MetadataBuilder()
    let schema = self.schema(schema, &builder)
    // The 32-bit metadata length of a block and its padding are written as one 64-bit number.
    let blocks = [dictionaries, batches].map { blocks in
      builder.vector(ofStructs: blocks.map { [$0.offset, $0.metadataLength, $0.bodyLength] })
    }
    let footer = builder.table([version, .offset(schema), .offset(blocks[0]), .offset(blocks[1])])
    return builder.finish(footer)
  }

  /// - Parameter content: A function that builds the content of the message, and returns its offset.
  private static func message(
    _ header: Header, bodyLength: Int64, _ content: (inout MetadataBuilder) -> Int
  ) -> [UInt8] {
    var builder = MetadataBuilder()
    let offset = content(&builder)
    let message = builder.table([version, .int8(header.rawValue), .offset(offset), .int64(bodyLength)])
    return builder.finish(message)
  }

  private static func recordBatch(_ body: ArrowBody, _ builder: inout MetadataBuilder) -> Int {
    let buffers = builder.vector(ofStructs: body.ranges)
    let nodes = builder.vector(ofStructs: body.nodes)
    return builder.table([.int64(Int64(body.rows)), .offset(nodes), .offset(buffers)])
  }

  private static func schema(_ schema: ArrowSchema, _ builder: inout MetadataBuilder) -> Int {
    let entries = schema.metadata.map { entry in
      let (key, value) = (builder.string(entry.key), builder.string(entry.value))
      return builder.table([.offset(key), .offset(value)])
    }
    let metadata = entries.isEmpty ? [] : [MetadataBuilder.Field.offset(builder.vector(of: entries))]
    let offsets = schema.fields.map { field($0, &builder) }
    let vector = builder.vector(of: offsets)
    return builder.table([.int16(0), .offset(vector)] + metadata)
  }

  private static func field(_ field: ArrowField, _ builder: inout MetadataBuilder) -> Int {
    let name = builder.string(field.name)
    let fields = field.type.children.map { self.field($0, &builder) }
    let children = builder.vector(of: fields)
    var dictionary = MetadataBuilder.Field.absent
    if case .dictionary(let id, let bits) = field.type {
      let index = integer(bits: bits, signed: true, &builder)
      dictionary = .offset(builder.table([.int64(id), .offset(index)]))
    }
    let (code, type) = type(field.type, &builder)
    return builder.table([
      .offset(name), .int8(field.isNullable ? 1 : 0), .int8(code), .offset(type), dictionary, .offset(children),
    ])
  }

  /// Returns the code of a type in Arrow's union Type, and the offset of its table.
  private static func type(_ type: ArrowType, _ builder: inout MetadataBuilder) -> (Int8, Int) {
    switch type {
    case .uint64: (2, integer(bits: 64, signed: false, &builder))
    case .int64: (2, integer(bits: 64, signed: true, &builder))
    case .uint32: (2, integer(bits: 32, signed: false, &builder))
    case .uint16: (2, integer(bits: 16, signed: false, &builder))
    case .int32: (2, integer(bits: 32, signed: true, &builder))
    case .float32: (3, builder.table([.int16(1)]))
    case .float64: (3, builder.table([.int16(2)]))
    case .utf8, .dictionary: (5, builder.table([]))
    case .bool: (6, builder.table([]))
    case .list: (12, builder.table([]))
    case .structure: (13, builder.table([]))
    }
  }

  private static func integer(bits: Int32, signed: Bool, _ builder: inout MetadataBuilder) -> Int {
    builder.table([.int32(bits), .int8(signed ? 1 : 0)])
  }
}

extension ArrowType {
  /// The fields of a list or of a structure; other types have none.
  fileprivate var children: [ArrowField] {
    switch self {
    case .list(let field): [field]
    case .structure(let fields): fields
    default: []
    }
  }
}
