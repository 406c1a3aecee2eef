import Buffers
import LayoutEngine
import PoolProtocol

extension Variant {
  init(_ message: PoolVariant) {
    // No valid variant has a zero, which stands for values that are no numbers.
    let range = 0...ProtocolLimits.variantLimit
    let platform = message.platform.isEmpty ? .texture : Platform(name: message.platform)
    let textSize = TextSize(name: message.textSize)
    let direction = message.layoutDirection.isEmpty ? .ltr : LayoutDirection(name: message.layoutDirection)
    let isKnown = platform != nil && (message.textSize.isEmpty || textSize != nil) && direction != nil
    self.init(
      width: isKnown ? message.width.bounded(in: range) : 0, textScale: message.textScale.bounded(in: range),
      scale: message.scale.bounded(in: range), platform: platform ?? .texture, textSize: textSize,
      layoutDirection: direction ?? .ltr, hasLines: message.lines)
  }

  var message: PoolVariant {
    .with {
      ($0.width, $0.textScale, $0.scale, $0.lines) = (width, textScale, scale, hasLines)
      if platform != .texture { $0.platform = platform.name }
      if let textSize { $0.textSize = textSize.name }
      if layoutDirection != .ltr { $0.layoutDirection = layoutDirection.name }
    }
  }
}

/// Chunks in messages and in the journal have the same form.
extension RowsChunk {
  init(_ message: PoolFromClient.Chunk, lines: Content) {
    self.init(
      lines, firstLine: message.firstLine, firstRow: message.firstRow, rows: message.rows, file: message.file,
      end: message.last
        ? InputSummary(bytes: message.inputBytes, hash: message.inputHash.bounded(ProtocolLimits.nameBytes)) : nil)
  }
}

extension PoolFromClient.Chunk {
  init<Content>(_ chunk: RowsChunk<Content>) {
    self.init()
    (firstLine, firstRow, rows) = (chunk.firstLine, chunk.firstRow, chunk.rows)
    if !chunk.file.isEmpty { file = chunk.file }
    if let end = chunk.end { (last, inputBytes, inputHash) = (true, end.bytes, end.hash) }
  }
}
