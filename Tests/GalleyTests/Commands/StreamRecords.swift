import Buffers
import Foundation

@testable import TableFormats

/// A record of the stream of `--output -`, without its frames and resources.
struct StreamRecord: Equatable {
  let row: Int64
  let id: String
  let height: Float
}

/// The buffers of the first columns in a record batch: variant, row, id, cell, width and height, strings with three of them.
private enum StreamBuffer {
  static let rows = 4
  static let idOffsets = 6
  static let idBytes = 7
  static let heights = 14
}

/// Returns the records of a stream in their order.
func streamRecords(_ stream: Data) throws -> [StreamRecord] {
  try Array(stream).withUnsafeBytes { bytes in
    var records: [StreamRecord] = []
    var start = 0
    // A message begins with a continuation marker and the size of its metadata, of four bytes each. The last has no metadata.
    while start + 8 <= bytes.count {
      let metadataSize = Int(bytes.loadUnaligned(fromByteOffset: start + 4, as: Int32.self))
      guard metadataSize > 0 else { break }
      let metadata = UnsafeRawBufferPointer(rebasing: bytes[start + 8..<start + 8 + metadataSize])
      let message = try MetadataReader(
        memory: OwnedBytes(copying: metadata)
      ).root()
      let body = start + 8 + metadataSize
      start = body + Int(try message.number(3, as: Int64.self))
      guard try message.number(1, as: Int8.self) == ArrowMetadata.Header.recordBatch.rawValue,
        let batch = try message.table(2)
      else { continue }
      let buffers = try batch.structs(2, size: 2).map { body + Int($0[0]) }
      for index in 0..<Int(try batch.number(0, as: Int64.self)) {
        records.append(record(index, bytes, buffers))
      }
    }
    return records
  }
}

private func record(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ buffers: [Int]) -> StreamRecord {
  func number<Number: BitwiseCopyable>(_ buffer: Int, _ index: Int, as type: Number.Type) -> Number {
    bytes.loadUnaligned(fromByteOffset: buffers[buffer] + index * MemoryLayout<Number>.size, as: type)
  }
  let begin = Int(number(StreamBuffer.idOffsets, index, as: Int32.self))
  let end = Int(number(StreamBuffer.idOffsets, index + 1, as: Int32.self))
  let id = bytes[buffers[StreamBuffer.idBytes] + begin..<buffers[StreamBuffer.idBytes] + end]
  return StreamRecord(
    row: number(StreamBuffer.rows, index, as: Int64.self), id: String(decoding: id, as: UTF8.self),
    height: number(StreamBuffer.heights, index, as: Float.self))
}
