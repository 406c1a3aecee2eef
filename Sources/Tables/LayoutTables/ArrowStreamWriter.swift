import TableFormats

/// A writer of an Arrow IPC stream, message by message. Each message is handed over as a whole, so that a reader on a pipe
/// receives a record batch at once.
struct ArrowStreamWriter {
  /// A function that writes buffers one after the other.
  typealias Sink = ([UnsafeRawBufferPointer]) throws -> Void

  private static let zeros = [UInt8](repeating: 0, count: Int(ArrowBody.alignment))
  private let sink: Sink

  init(_ schema: ArrowSchema, to sink: @escaping Sink) throws {
    self.sink = sink
    try write(ArrowMetadata.schemaMessage(schema), [])
  }

  func write(rows: Int, _ columns: [ArrowColumn]) throws {
    let body = ArrowBody(rows: rows, columns)
    try write(ArrowMetadata.recordBatchMessage(body), body.buffers)
  }

  /// Writes the mark by which a reader recognizes that the stream is whole.
  func finish() throws {
    try ArrowMetadata.end.withUnsafeBytes { try sink([$0]) }
  }

  private func write(_ metadata: [UInt8], _ buffers: [UnsafeRawBufferPointer]) throws {
    try Self.zeros.withUnsafeBytes { zeros in
      try ArrowMetadata.head(metadata).withUnsafeBytes { head in
        var parts = [head]
        for buffer in buffers where buffer.count > 0 {
          parts.append(buffer)
          let missing = Int(ArrowBody.padded(Int64(buffer.count))) - buffer.count
          if missing > 0 { parts.append(UnsafeRawBufferPointer(rebasing: zeros[..<missing])) }
        }
        try sink(parts)
      }
    }
  }
}
