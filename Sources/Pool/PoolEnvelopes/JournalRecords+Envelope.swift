import Buffers
import LayoutEngine
import PoolProtocol

extension JournalRecord<OwnedBytes> {
  /// Returns the envelope of the record, which has everything but the parts that follow it, and these parts.
  public func encoded() -> (envelope: [UInt8], parts: [OwnedBytes]) {
    var message = PoolJournalRecord()
    var parts: [OwnedBytes] = []
    switch self {
    case .batch(let version, let batch):
      message.batch = .with {
        ($0.version, $0.format) = (version.program, version.format)
        ($0.program, $0.priority) = (.init(batch.program), batch.priority)
        $0.variants = batch.variants.map(\.message)
        ($0.input, $0.resendsRows, $0.partial) = (batch.input, batch.resendsRows, batch.isPartial)
        ($0.session, $0.owner) = (batch.session, batch.owner)
      }
    case .chunk(let chunk):
      message.chunk = PoolFromClient.Chunk(chunk)
      parts = [chunk.lines]
    case .result(let run):
      message.result = .with {
        ($0.firstRow, $0.rows, $0.inputHash, $0.checksums) = (run.firstRow, run.rows, run.linesHash, run.checksums)
      }
      parts = run.columns
    case .end(let end):
      message.end = .with {
        ($0.rows, $0.inputBytes, $0.inputHash) = (end.rows, end.input.bytes, end.input.hash)
      }
    }
    message.frames = parts.map { UInt64($0.count) }
    return (Envelope.encode(message), parts)
  }
}

extension JournalRecord<JournalRange> {
  /// Returns nil when the bytes are not the envelope of a record, or its parts are not those of such a record.
  ///
  /// - Parameter ranges: Returns the ranges of parts with the given sizes, or nil when they cannot be in the journal.
  public init?(envelope bytes: UnsafeRawBufferPointer, ranges: ([UInt64]) -> [JournalRange]?) {
    guard let message = Envelope.decode(PoolJournalRecord.self, bytes), let record = message.record,
      let parts = ranges(message.frames)
    else { return nil }
    switch record {
    case .batch(let batch):
      var description = BatchDescription(
        program: ProgramID(batch.program), variants: batch.variants.map { Variant($0) },
        priority: batch.priority, input: batch.input.bounded(ProtocolLimits.inputBytes),
        resendsRows: batch.resendsRows, isPartial: batch.partial, session: batch.session)
      description.owner = batch.owner
      self = .batch(JournalVersion(format: batch.format, program: batch.version), description)
    case .chunk(let chunk):
      guard parts.count == 1 else { return nil }
      self = .chunk(RowsChunk(chunk, lines: parts[0]))
    case .result(let result):
      self = .result(
        ResultRun(
          firstRow: result.firstRow, rows: result.rows, columns: parts, checksums: result.checksums,
          linesHash: result.inputHash))
    case .end(let end):
      self = .end(JournalEnd(rows: end.rows, input: InputSummary(bytes: end.inputBytes, hash: end.inputHash)))
    }
  }
}
