import Buffers
import LayoutEngine
import PoolProtocol

extension WorkerMessage {
  init?(_ envelope: PoolFromWorker) {
    switch envelope.message {
    case .hello(let hello)?:
      self = .hello(
        Hello(
          version: hello.version.bounded(ProtocolLimits.nameBytes),
          origin: PeerOrigin(host: hello.host, pid: hello.pid), credit: hello.credit,
          memory: MemoryReference(hello.memory), session: hello.session, cells: hello.cells))
    case .started(let started)?: self = .started(JobReference(started.job, attempt: started.attempt))
    case .result(let result)?: self = .result(Result(result))
    case .programWanted(let wanted)?:
      self = .programWanted(
        ProgramRequest(
          ProgramID(wanted.program), offset: wanted.offset, count: wanted.size, isInvisible: wanted.unseen))
    case .tooLarge(let job)?: self = .tooLarge(JobReference(job.job, attempt: job.attempt))
    case .missing(let missing)?:
      self = .missing(JobReference(missing.job, attempt: missing.attempt), isInvisible: missing.unseen)
    case .failure(let failure)?:
      // Workers always state the reason of a failure, which ends the batch. A failure without a reason is another message with
      // changed bits.
      guard !failure.reason.isEmpty else { return nil }
      self = .failure(
        JobReference(failure.job, attempt: failure.attempt),
        reason: failure.reason.bounded(ProtocolLimits.reasonBytes, keepsLines: true))
    case .goodbye?: self = .goodbye
    case .alive?: self = .alive
    case nil: return nil
    }
  }

  /// Returns the envelope of the message.
  public func encoded() -> [UInt8] {
    var envelope = PoolToCoordinator()
    switch self {
    case .hello(let hello):
      envelope.worker.hello = .with {
        ($0.version, $0.credit, $0.session, $0.cells) = (hello.version, hello.credit, hello.session, hello.cells)
        ($0.host, $0.pid) = (hello.origin.host, hello.origin.process)
        if let memory = hello.memory.message { $0.memory = memory }
      }
    case .started(let job): envelope.worker.started = .with { ($0.job, $0.attempt) = (job.job, job.attempt) }
    case .result(let result): envelope.worker.result = result.message
    case .programWanted(let request):
      envelope.worker.programWanted = .with {
        $0.program = .init(request.program)
        ($0.offset, $0.size, $0.unseen) = (request.offset, request.count, request.isInvisible)
      }
    case .tooLarge(let job): envelope.worker.tooLarge = .with { ($0.job, $0.attempt) = (job.job, job.attempt) }
    case .missing(let job, let isInvisible):
      envelope.worker.missing = .with { ($0.job, $0.attempt, $0.unseen) = (job.job, job.attempt, isInvisible) }
    case .failure(let job, let reason):
      envelope.worker.failure = .with { ($0.job, $0.attempt, $0.reason) = (job.job, job.attempt, reason) }
    case .goodbye: envelope.worker.goodbye = .init()
    case .alive: envelope.worker.alive = .init()
    }
    return Envelope.sealed(Envelope.encode(envelope))
  }
}

extension WorkerMessage.Result {
  fileprivate init(_ message: PoolFromWorker.Result) {
    self.init(
      job: JobReference(message.job, attempt: message.attempt), rows: message.rows, duration: message.duration,
      cacheHitRate: message.cacheHitRate.bounded(in: 0...1),
      next: message.nextJob == 0 ? nil : JobReference(message.nextJob, attempt: message.nextAttempt),
      columns: message.hasColumns ? SharedRange(message.columns) : nil, checksums: message.checksums,
      seenToken: message.seen)
  }

  fileprivate var message: PoolFromWorker.Result {
    .with {
      ($0.job, $0.attempt, $0.rows, $0.duration) = (job.job, job.attempt, rows, duration)
      ($0.cacheHitRate, $0.seen) = (cacheHitRate, seenToken)
      if let next { ($0.nextJob, $0.nextAttempt) = (next.job, next.attempt) }
      if let columns { $0.columns = columns.message }
      $0.checksums = checksums
    }
  }
}

extension MessageToWorker {
  /// Returns nil when the bytes are not an envelope for a worker.
  public init?(envelope bytes: UnsafeRawBufferPointer) {
    guard let envelope = Envelope.unseal(PoolToWorker.self, bytes) else { return nil }
    switch envelope.message {
    case .job(let job)?: self = .job(Job(job))
    case .refused(let refused)?: self = .refused(reason: refused.reason.bounded(ProtocolLimits.reasonBytes))
    case .drain?: self = .drain
    case .ping?, nil: self = .ping
    case .welcome(let welcome)?: self = .welcome(MemoryReference(welcome.memory))
    case .program(let part)?:
      self = .program(
        ProgramPart(
          ProgramID(part.program), size: part.size, offset: part.offset,
          shared: part.hasBytes ? SharedRange(part.bytes) : nil, files: part.files.map { SharedFile($0) }))
    }
  }

  /// Returns the envelope of the message.
  public func encoded() -> [UInt8] {
    var envelope = PoolToWorker()
    switch self {
    case .job(let job):
      envelope.job = job.message
      // Protobuf decodes two concatenated envelopes as one merged envelope.
      return Envelope.sealed(job.setup.envelope + Envelope.encode(envelope))
    case .refused(let reason): envelope.refused.reason = reason
    case .drain: envelope.drain = .init()
    case .ping: envelope.ping = .init()
    case .welcome(let memory): envelope.welcome.memory = memory.message ?? .init()
    case .program(let part):
      envelope.program = .with {
        ($0.program, $0.size, $0.offset) = (.init(part.program), part.size, part.offset)
        if let shared = part.shared { $0.bytes = shared.message }
        $0.files = part.files.map(\.message)
      }
    }
    return Envelope.sealed(Envelope.encode(envelope))
  }
}

extension MessageToWorker.Job {
  fileprivate init(_ message: PoolToWorker.Job) {
    self.init(
      JobReference(message.job, attempt: message.attempt),
      setup: JobSetup(program: ProgramID(message.program), variants: message.variants.map { Variant($0) }),
      chunk: RowsChunk(
        message.hasLines ? SharedRange(message.lines) : nil, firstLine: message.firstLine, firstRow: message.firstRow,
        rows: message.rows, file: message.file),
      deadline: message.deadline, checksum: message.checksum)
  }

  /// The job without its setup.
  fileprivate var message: PoolToWorker.Job {
    .with {
      ($0.job, $0.attempt, $0.deadline) = (reference.job, reference.attempt, deadline)
      ($0.firstLine, $0.firstRow, $0.rows) = (chunk.firstLine, chunk.firstRow, chunk.rows)
      if !chunk.file.isEmpty { $0.file = chunk.file }
      if let lines = chunk.lines { $0.lines = lines.message }
      $0.checksum = checksum
    }
  }
}

extension JobSetup {
  /// The part of the envelope that all jobs of a batch have in common.
  fileprivate var envelope: [UInt8] {
    encoded { setup in
      var envelope = PoolToWorker()
      envelope.job.program = .init(setup.program)
      envelope.job.variants = setup.variants.map(\.message)
      return Envelope.encode(envelope)
    }
  }
}
