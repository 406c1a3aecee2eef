import PoolProtocol

extension BatchVariant {
  init(_ message: PoolVariant) {
    self.init(width: message.width, textScale: message.textScale, scale: message.scale)
  }

  var message: PoolVariant {
    .with { ($0.width, $0.textScale, $0.scale) = (width, textScale, scale) }
  }
}

extension LinesHeader {
  init(_ chunk: PoolFromClient.Chunk) {
    self.init(
      firstLine: chunk.firstLine, firstRow: chunk.firstRow, rows: chunk.rows, file: chunk.file)
  }
}

extension PoolFromClient.Chunk {
  /// Chunks in messages and in the journal have the same form.
  init(_ header: LinesHeader, end: InputSummary?) {
    self.init()
    (firstLine, firstRow, rows) = (header.firstLine, header.firstRow, header.rows)
    if !header.file.isEmpty { file = header.file }
    if let end { (last, inputBytes, inputHash) = (true, end.bytes, end.hash) }
  }

  var end: InputSummary? { last ? InputSummary(bytes: inputBytes, hash: inputHash) : nil }
}
