import Buffers
import LayoutEngine
import PoolProtocol

/// The envelope of a journal's record: everything but the bulk bytes, which follow it.
public enum JournalEnvelope: Sendable {
  case batch(JournalVersion, BatchDescription)
  case chunk(LinesHeader, end: InputSummary?)
  case result(firstRow: UInt64, rows: UInt32, linesHash: UInt64, checksums: [UInt64])
  case end(JournalEnd)

  /// Returns the envelope of a record with its bulk parts.
  public static func encode(_ record: JournalRecord) -> (envelope: [UInt8], parts: [OwnedBytes]) {
    var message = PoolJournalRecord()
    var parts: [OwnedBytes] = []
    switch record {
    case .batch(let version, let batch):
      message.batch = .with {
        ($0.version, $0.format) = (version.program, version.format)
        ($0.program, $0.priority) = (.init(batch.program), batch.priority)
        $0.variants = batch.variants.map(\.message)
        ($0.input, $0.resendsRows) = (batch.input, batch.resendsRows)
        ($0.session, $0.owner) = (batch.session, batch.owner)
      }
    case .chunk(let header, let end, let lines):
      message.chunk = PoolFromClient.Chunk(header, end: end)
      parts = [lines]
    case .result(let firstRow, let rows, let hash, let checksums, let columns):
      message.result = .with {
        ($0.firstRow, $0.rows, $0.inputHash, $0.checksums) = (firstRow, rows, hash, checksums)
      }
      parts = columns
    case .end(let end):
      message.end = .with {
        ($0.rows, $0.inputBytes, $0.inputHash) = (end.rows, end.input.bytes, end.input.hash)
      }
    }
    message.frames = parts.map { UInt64($0.count) }
    return (Envelope.encode(message), parts)
  }

  /// Returns nil when the bytes are not the envelope of a record.
  public static func decode(_ bytes: UnsafeRawBufferPointer) -> (envelope: JournalEnvelope, partSizes: [UInt64])? {
    guard let message = Envelope.decode(PoolJournalRecord.self, bytes), let record = message.record else { return nil }
    switch record {
    case .batch(let batch):
      var description = BatchDescription(
        program: ProgramID(batch.program), variants: batch.variants.map { Variant($0) },
        priority: batch.priority, input: batch.input.bounded(ProtocolLimits.inputBytes),
        resendsRows: batch.resendsRows, session: batch.session)
      description.owner = batch.owner
      let version = JournalVersion(format: batch.format, program: batch.version)
      return (.batch(version, description), message.frames)
    case .chunk(let chunk): return (.chunk(LinesHeader(chunk), end: chunk.end), message.frames)
    case .result(let result):
      return (
        .result(
          firstRow: result.firstRow, rows: result.rows, linesHash: result.inputHash, checksums: result.checksums),
        message.frames
      )
    case .end(let end):
      let input = InputSummary(bytes: end.inputBytes, hash: end.inputHash)
      return (.end(JournalEnd(rows: end.rows, input: input)), message.frames)
    }
  }
}
