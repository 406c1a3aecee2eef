/// The metadata of an Arrow file: FlatBuffers that describe its schema and its batches.
package enum ArrowMetadata {
  /// The code of a message's content in Arrow's union MessageHeader.
  package enum Header: Int8 {
    case schema = 1
    case dictionaryBatch = 2
    case recordBatch = 3
  }

  /// The position of a message in the file.
  package struct Block: Sendable {
    package var offset: Int64
    package var metadataLength: Int64
    package var bodyLength: Int64

    package init(offset: Int64, metadataLength: Int64, bodyLength: Int64) {
      self.offset = offset
      self.metadataLength = metadataLength
      self.bodyLength = bodyLength
    }
  }
}
