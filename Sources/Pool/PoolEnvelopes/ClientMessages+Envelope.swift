import Buffers
import LayoutEngine
import PoolProtocol

extension MessageToCoordinator {
  /// Returns nil when the bytes are not an envelope for a coordinator.
  public init?(envelope bytes: UnsafeRawBufferPointer) {
    guard let envelope = Envelope.unseal(PoolToCoordinator.self, bytes), let sender = envelope.sender else {
      return nil
    }
    switch sender {
    case .worker(let message): self = WorkerMessage(message).map { .worker($0) } ?? .unknown
    case .client(let message): self = ClientMessage(message).map { .client($0) } ?? .unknown
    }
  }
}

extension ClientMessage {
  init?(_ envelope: PoolFromClient) {
    switch envelope.message {
    case .submit(let submit)?:
      guard submit.program.count <= ProtocolLimits.nameBytes else { return nil }
      self = .submit(Submit(submit))
    case .attach(let attach)?:
      self = .attach(
        Attach(
          version: attach.version.bounded(ProtocolLimits.nameBytes), batch: attach.batch,
          name: attach.name.bounded(ProtocolLimits.nameBytes), firstRow: attach.firstRow,
          memory: MemoryReference(attach.memory), session: attach.session, attempt: attach.attempt,
          sendsRows: attach.sendsRows, origin: PeerOrigin(host: attach.host, pid: attach.pid)))
    case .chunk(let chunk)?:
      guard chunk.file.utf8.count <= ProtocolLimits.fileBytes else { return nil }
      let lines = chunk.hasLines ? SharedRange(chunk.lines) : nil
      self = .chunk(
        batch: chunk.batch, RowsChunk(chunk, lines: lines), checksum: chunk.checksum, seenToken: chunk.seen)
    case .taken(let taken)?:
      self =
        taken.complete
        ? .complete(batch: taken.batch)
        : .acknowledge(batch: taken.batch, rows: taken.rows, seenToken: taken.seen)
    case .cancel(let cancel)?:
      if cancel.all {
        self = .cancelAll(batch: cancel.batch)
      } else {
        self =
          cancel.name.isEmpty
          ? .cancel(batch: cancel.batch)
          : .cancelNamed(batch: cancel.batch, name: cancel.name.bounded(ProtocolLimits.nameBytes))
      }
    case .program(let part)?: self = .program(batch: part.batch, offset: part.offset, size: part.size)
    case .status?: self = .status
    case .batches(let request)?: self = .listBatches(after: request.after)
    case nil: return nil
    }
  }

  /// Returns the envelope of the message.
  public func encoded() -> [UInt8] {
    var envelope = PoolToCoordinator()
    switch self {
    case .submit(let submit): envelope.client.submit = submit.message
    case .attach(let attach):
      envelope.client.attach = .with {
        ($0.version, $0.batch, $0.name) = (attach.version, attach.batch, attach.name)
        ($0.firstRow, $0.session, $0.attempt) = (attach.firstRow, attach.session, attach.attempt)
        $0.sendsRows = attach.sendsRows
        ($0.host, $0.pid) = (attach.origin.host, attach.origin.process)
        if let memory = attach.memory.message { $0.memory = memory }
      }
    case .chunk(let batch, let chunk, let checksum, let seenToken):
      var message = PoolFromClient.Chunk(chunk)
      (message.batch, message.checksum, message.seen) = (batch, checksum, seenToken)
      if let lines = chunk.lines { message.lines = lines.message }
      envelope.client.chunk = message
    case .acknowledge(let batch, let rows, let token):
      envelope.client.taken = .with { ($0.batch, $0.rows, $0.seen) = (batch, rows, token) }
    case .complete(let batch): envelope.client.taken = .with { ($0.batch, $0.complete) = (batch, true) }
    case .cancel(let batch): envelope.client.cancel = .with { $0.batch = batch }
    case .cancelNamed(let batch, let name): envelope.client.cancel = .with { ($0.batch, $0.name) = (batch, name) }
    case .program(let batch, let offset, let size):
      envelope.client.program = .with { ($0.batch, $0.offset, $0.size) = (batch, offset, size) }
    case .cancelAll(let batch): envelope.client.cancel = .with { ($0.batch, $0.all) = (batch, true) }
    case .status: envelope.client.status = .init()
    case .listBatches(let name): envelope.client.batches = .with { $0.after = name }
    }
    return Envelope.sealed(Envelope.encode(envelope))
  }
}

extension ClientMessage.Submit {
  fileprivate init(_ message: PoolFromClient.Submit) {
    self.init(
      version: message.version.bounded(ProtocolLimits.nameBytes), batch: message.batch,
      description: BatchDescription(
        program: ProgramID(message.program), variants: message.variants.map { Variant($0) },
        priority: message.priority, input: message.input.bounded(ProtocolLimits.inputBytes),
        resendsRows: message.resendsRows, isPartial: message.partial),
      isDetached: message.detached, memory: MemoryReference(message.memory), session: message.session,
      origin: PeerOrigin(host: message.host, pid: message.pid))
  }

  fileprivate var message: PoolFromClient.Submit {
    .with {
      ($0.version, $0.batch, $0.detached, $0.session) = (version, batch, isDetached, session)
      ($0.host, $0.pid) = (origin.host, origin.process)
      $0.program = .init(description.program)
      $0.variants = description.variants.map(\.message)
      ($0.priority, $0.input, $0.resendsRows) = (description.priority, description.input, description.resendsRows)
      $0.partial = description.isPartial
      if let memory = memory.message { $0.memory = memory }
    }
  }
}

extension MessageToClient {
  /// Returns nil when the bytes are not an envelope for a client.
  public init?(envelope bytes: UnsafeRawBufferPointer) {
    guard let envelope = Envelope.unseal(PoolToClient.self, bytes), let message = envelope.message else { return nil }
    switch message {
    case .accepted(let accepted): self = .accepted(Accepted(accepted))
    case .programWanted(let wanted):
      self = .programWanted(
        batch: wanted.batch,
        ProgramRequest(ProgramID(wanted.program), offset: wanted.offset, count: wanted.size))
    case .unknown(let unknown): self = .unknown(batch: unknown.batch)
    case .stored(let stored):
      self = .stored(batch: stored.batch, rows: stored.rows, isComplete: stored.isComplete)
    case .rows(let rows): self = .rows(batch: rows.batch, [ResultRun(rows)])
    case .runs(let runs): self = .rows(batch: runs.batch, runs.rows.map { ResultRun($0) })
    case .done(let done):
      self = .done(
        batch: done.batch, rows: done.rows,
        input: InputSummary(bytes: done.inputBytes, hash: done.inputHash.bounded(ProtocolLimits.nameBytes)))
    case .failed(let failed):
      self = .failed(
        batch: failed.batch, reason: failed.reason.bounded(ProtocolLimits.reasonBytes, keepsLines: true))
    case .cancelled(let cancelled): self = .cancelled(batch: cancelled.batch, count: cancelled.count)
    case .batches(let list): self = .batches(list.batches.map { PoolStatus.Batch($0) }, hasMore: list.more)
    case .waiting(let waiting):
      self = .waiting(batch: waiting.batch, reason: waiting.reason.bounded(ProtocolLimits.reasonBytes))
    case .status(let status): self = .status(PoolStatus(status))
    case .ping: self = .ping
    }
  }

  /// Returns the envelope of the message.
  public func encoded() -> [UInt8] {
    var envelope = PoolToClient()
    switch self {
    case .accepted(let accepted): envelope.accepted = accepted.message
    case .programWanted(let batch, let request):
      envelope.programWanted = .with {
        ($0.batch, $0.program) = (batch, .init(request.program))
        ($0.offset, $0.size) = (request.offset, request.count)
      }
    case .unknown(let batch): envelope.unknown.batch = batch
    case .stored(let batch, let rows, let isComplete):
      envelope.stored = .with { ($0.batch, $0.rows, $0.isComplete) = (batch, rows, isComplete) }
    case .rows(let batch, let runs):
      if runs.count == 1 {
        envelope.rows = runs[0].message(batch)
      } else {
        envelope.runs = .with { ($0.batch, $0.rows) = (batch, runs.map { $0.message(batch) }) }
      }
    case .done(let batch, let rows, let input):
      envelope.done = .with {
        ($0.batch, $0.rows, $0.inputBytes, $0.inputHash) = (batch, rows, input.bytes, input.hash)
      }
    case .failed(let batch, let reason): envelope.failed = .with { ($0.batch, $0.reason) = (batch, reason) }
    case .cancelled(let batch, let count):
      envelope.cancelled = .with { ($0.batch, $0.count) = (batch, count) }
    case .batches(let batches, let hasMore):
      envelope.batches = .with { ($0.batches, $0.more) = (batches.map(\.message), hasMore) }
    case .waiting(let batch, let reason):
      envelope.waiting = .with { ($0.batch, $0.reason) = (batch, reason) }
    case .status(let status): envelope.status = status.message
    case .ping: envelope.ping = .init()
    }
    return Envelope.sealed(Envelope.encode(envelope))
  }
}

extension MessageToClient.Accepted {
  fileprivate init(_ message: PoolToClient.Accepted) {
    self.init(
      batch: message.batch, window: message.window, name: message.name.bounded(ProtocolLimits.nameBytes),
      storedRows: message.storedRows,
      isComplete: message.isComplete,
      description: BatchDescription(
        program: ProgramID(message.program), variants: message.variants.map { Variant($0) },
        input: message.input.bounded(ProtocolLimits.inputBytes)),
      memory: MemoryReference(message.memory))
  }

  fileprivate var message: PoolToClient.Accepted {
    .with {
      ($0.batch, $0.window, $0.name, $0.storedRows) = (batch, window, name, storedRows)
      ($0.isComplete, $0.program, $0.input) = (isComplete, .init(description.program), description.input)
      $0.variants = description.variants.map(\.message)
      if let memory = memory.message { $0.memory = memory }
    }
  }
}

extension ResultRun<SharedRange?> {
  fileprivate init(_ message: PoolToClient.Rows) {
    self.init(
      firstRow: message.firstRow, rows: message.rows,
      columns: message.hasColumns ? SharedRange(message.columns) : nil, checksums: message.checksums)
  }

  fileprivate func message(_ batch: UInt64) -> PoolToClient.Rows {
    .with {
      ($0.batch, $0.firstRow, $0.rows) = (batch, firstRow, rows)
      if let columns { $0.columns = columns.message }
      $0.checksums = checksums
    }
  }
}
