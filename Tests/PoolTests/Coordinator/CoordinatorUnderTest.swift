import Buffers
import Hashing
import LayoutEngine
import PoolCoordinatorCore
import PoolMemory
import PoolProtocol
import PoolScheduler

/// A coordinator's core whose events and clock a test controls. It describes each effect as a short text, and omits
/// logs, pings and the removal of programs.
final class CoordinatorUnderTest {
  static let client: PeerIdentity = [1]
  static let worker: PeerIdentity = [2]
  /// Bytes that the format of the core recognizes as malformed columns.
  static let malformed: [UInt8] = [0xff]

  private static let program: ProgramID = [7]
  static let description = BatchDescription(
    program: program, variants: [Variant(width: 390, textScale: 1, scale: 2)], input: "rows")

  private(set) var core: CoordinatorCore
  /// The time of the next event in nanoseconds.
  var now: UInt64 = 1_000_000_000
  /// The milliseconds that the clock is ahead.
  var clockOffset: UInt64 = 0
  /// The batch whose journal was created last.
  private(set) var batch: BatchID = 0
  /// The records that were appended to journals.
  private(set) var records: [JournalRecord<OwnedBytes>] = []
  /// The job that was sent last, and the worker to which it was sent.
  private(set) var job = JobReference(0, attempt: 0)
  private(set) var workerOfJob: PeerIdentity = []
  /// The coordinator's memory that the last worker was offered.
  private(set) var offered = MemoryReference.none
  private(set) var logs: [String] = []
  private var journalBytes = 100
  /// The status that was sent last.
  private(set) var status = PoolStatus()

  /// - Parameter window: The number of bytes of results that may be sent to a client before it acknowledges them, and of
  ///   rows that it may have under way, beside one chunk of 100 bytes.
  init(
    keepsBatches: Bool = true, processes: Int = 0, window: Int? = nil, spoolLimit: Int? = nil, keepTime: UInt64? = nil,
    batchesOfKey: Int = 1_000, memory: any MemorySystem = NoMemory()
  ) {
    var configuration = CoordinatorCore.Configuration()
    configuration.batchesOfKey = batchesOfKey
    (configuration.spoolLimit, configuration.keepTime) = (spoolLimit, keepTime)
    if let window {
      configuration.flowControl.largestWindow = window
      configuration.flowControl.smallestWindow = window
      (configuration.flowControl.firstChunk, configuration.flowControl.largestChunk) = (100, 100)
    }
    configuration.keepsBatches = keepsBatches
    configuration.processes = processes
    configuration.programs = [(Self.program, [OwnedBytes(copying: [1, 2, 3])])]
    let format = LayoutFormat(
      flaw: { columns, _ in columns.withBytes { $0.elementsEqual(Self.malformed) } ? "malformed columns" : nil },
      failedRows: { rows, error in OwnedBytes(copying: Array("rows \(rows): \(error)".utf8)) })
    core = CoordinatorCore(
      configuration, memory: memory, format: format, startedAt: EventTime(monotonic: now, sinceEpoch: 1000))
  }

  func advance(milliseconds: UInt64) { now += milliseconds * 1_000_000 }

  /// Reports an event. Returns descriptions of its effects.
  @discardableResult
  func handle(_ event: CoordinatorEvent) -> [String] {
    var effects: [CoordinatorEffect] = []
    let time = EventTime(monotonic: now, sinceEpoch: 1000 + now / 1_000_000 + clockOffset)
    core.handle(event, at: time, into: &effects)
    return effects.compactMap { describe($0) }
  }

  // MARK: Events

  @discardableResult
  func submit(
    isDetached: Bool = false, resendsRows: Bool = false, isPartial: Bool = false, program: ProgramID? = nil,
    session: UInt64 = 5,
    as client: PeerIdentity = CoordinatorUnderTest.client, by holder: KeyHolder = .withoutKey
  ) -> [String] {
    var description = Self.description
    description.resendsRows = resendsRows
    description.isPartial = isPartial
    if let program { description.program = program }
    return send(
      .submit(
        .init(
          version: Version.current, batch: 1, description: description, isDetached: isDetached, memory: .none,
          session: session)), from: client, by: holder)
  }

  /// Sends a part of the program of the batch.
  func sendProgram(_ part: OwnedBytes, at offset: UInt64 = 0, size: Int? = nil) -> [String] {
    send(.program(batch: 1, offset: offset, size: UInt64(size ?? part.count)), [part])
  }

  /// Submits a batch, and creates its journal if it is kept.
  func open(
    isDetached: Bool = false, resendsRows: Bool = false, isPartial: Bool = false, session: UInt64 = 5,
    as client: PeerIdentity = CoordinatorUnderTest.client, by holder: KeyHolder = .withoutKey
  ) {
    let effects = submit(
      isDetached: isDetached, resendsRows: resendsRows, isPartial: isPartial, session: session, as: client, by: holder)
    if effects.contains("create journal") { handle(.journalCreated(batch, bytes: 100)) }
  }

  /// Registers a worker and submits a batch.
  @discardableResult
  func withBatch(isDetached: Bool = false) -> CoordinatorUnderTest {
    register()
    open(isDetached: isDetached)
    return self
  }

  func attach(
    _ name: String, from row: UInt64 = 0, session: UInt64 = 5, attempt: UInt32 = 1,
    as client: PeerIdentity = CoordinatorUnderTest.client, sendsRows: Bool = false, by holder: KeyHolder = .withoutKey
  ) -> [String] {
    send(
      .attach(
        .init(
          version: Version.current, batch: 1, name: name, firstRow: row, memory: .none, session: session,
          attempt: attempt, sendsRows: sendsRows)), from: client, by: holder)
  }

  @discardableResult
  func sendRows(
    _ rows: Range<UInt64>, isLast: Bool = true, lines: OwnedBytes? = nil, checksum: UInt64? = nil
  ) -> [String] {
    let lines = lines ?? Self.lines(rows)
    return send(Self.chunk(rows, isLast: isLast, checksum: checksum ?? lines.checksum), [lines])
  }

  /// Returns the message that sends rows.
  static func chunk(_ rows: Range<UInt64>, isLast: Bool, checksum: UInt64) -> ClientMessage {
    let chunk = RowsChunk<SharedRange?>(
      nil, firstLine: rows.lowerBound + 1, firstRow: rows.lowerBound, rows: UInt32(rows.count),
      end: isLast ? InputSummary(bytes: 1, hash: "") : nil)
    return .chunk(batch: 1, chunk, checksum: checksum)
  }

  static func lines(_ rows: Range<UInt64>) -> OwnedBytes {
    OwnedBytes(copying: Array(rows.map { "{\"row\":\($0)}\n" }.joined().utf8))
  }

  func list(after name: String = "") -> [String] { send(.listBatches(after: name), from: [9]) }

  func cancel(_ name: String) -> [String] { send(.cancelNamed(batch: 1, name: name), from: [9]) }

  func cancelAll() -> [String] { send(.cancelAll(batch: 1), from: [9]) }

  @discardableResult
  func acknowledge(_ rows: UInt64) -> [String] { send(.acknowledge(batch: 1, rows: rows, seenToken: 0)) }

  /// Reports that the next record is in the journal.
  @discardableResult
  func noteAppended(parts: Int = 1) -> [String] {
    journalBytes += parts * 10
    return handle(
      .appended(batch, (0..<parts).map { 100 * $0..<100 * $0 + 10 }, bytes: journalBytes))
  }

  /// Reports that an operation on the journal failed.
  @discardableResult
  func noteFailure(
    _ operation: JournalOperation, _ reason: String = "no space", canPass: Bool = true
  ) -> [String] {
    handle(.journalFailed(batch, operation, reason: reason, canPass: canPass))
  }

  @discardableResult
  func register(
    process: Int64 = 0, memory: MemoryReference = .none, session: UInt64 = 0, cells: UInt64 = 0, host: String = "",
    as worker: PeerIdentity = CoordinatorUnderTest.worker, by holder: KeyHolder = .withoutKey
  ) -> [String] {
    let hello = WorkerMessage.Hello(
      origin: PeerOrigin(host: host, process: process), credit: 1, memory: memory, session: session, cells: cells)
    return receive(.hello(hello), from: worker, by: holder)
  }

  /// Reports a message of a worker.
  func receive(
    _ message: WorkerMessage, _ parts: [OwnedBytes] = [], from worker: PeerIdentity = CoordinatorUnderTest.worker,
    by holder: KeyHolder = .withoutKey
  ) -> [String] { handle(.message(.worker(message), parts, from: worker, by: holder)) }

  /// Sends a message of a client.
  @discardableResult
  func send(
    _ message: ClientMessage, _ parts: [OwnedBytes] = [], from client: PeerIdentity = CoordinatorUnderTest.client,
    by holder: KeyHolder = .withoutKey
  ) -> [String] { handle(.message(.client(message), parts, from: client, by: holder)) }

  /// Sends the result of the job that was sent last as a message of the worker.
  @discardableResult
  func sendResult(
    rows: UInt32, _ columns: [UInt8] = [1, 2], checksum: UInt64? = nil, seenToken: UInt64 = 0,
    from worker: PeerIdentity = CoordinatorUnderTest.worker, by holder: KeyHolder = .withoutKey
  ) -> [String] {
    let columns = OwnedBytes(copying: columns)
    let result = WorkerMessage.Result(
      job: job, rows: rows, duration: 1000, cacheHitRate: 0, checksums: [checksum ?? columns.checksum],
      seenToken: seenToken)
    return receive(.result(result), [columns], from: worker, by: holder)
  }

  // MARK: Effects

  private func describe(_ effect: CoordinatorEffect) -> String? {
    switch effect {
    case .sendToClient(let message, _, _): return describe(message)
    case .sendToWorker(let message, let parts, let worker):
      if case .job = message { workerOfJob = worker }
      return describe(message, parts)
    case .journal(.createJournal(let batch, _, let program)):
      self.batch = batch
      return program == nil ? "create journal" : "create journal with program"
    case .journal(.append(_, let record, let synchronizes)):
      records.append(record)
      let what =
        switch record {
        case .batch: "batch"
        case .chunk: "rows"
        case .result: "results"
        case .end(let end): "end after \(end.rows) rows"
        }
      return "append \(what)\(synchronizes ? " and synchronize" : "")"
    case .journal(.read(_, let ranges)): return "read \(ranges.count)"
    case .journal(.recoverJournal): return "recover journal"
    case .journal(.removeJournal): return "remove journal"
    case .journal(.setAsideJournal): return "set aside journal"
    case .startProcess: return "start process"
    case .killProcess(let process): return "kill process \(process)"
    case .end: return "end"
    case .log(_, let message):
      logs.append(message)
      return nil
    case .journal(.removePrograms): return nil
    }
  }

  private func describe(_ message: MessageToClient) -> String? {
    switch message {
    case .accepted(let accepted):
      return "accepted with \(accepted.storedRows) rows\(accepted.isComplete ? ", complete" : "")"
    case .programWanted(_, let request): return "program wanted from \(request.offset)"
    case .unknown: return "unknown"
    case .stored(_, let rows, let isComplete): return "stored \(rows) rows\(isComplete ? ", complete" : "")"
    case .rows(_, let runs): return "rows " + runs.map { "\($0.firstRow)+\($0.rows)" }.joined(separator: " ")
    case .done(_, let rows, _): return "done \(rows)"
    case .failed(_, let reason): return "failed: \(reason)"
    case .cancelled(_, let count): return count == 1 ? "cancelled" : "cancelled \(count)"
    case .waiting(_, let reason): return reason.isEmpty ? "goes on" : "waiting: \(reason)"
    case .batches(let batches, let hasMore):
      return "batches: " + batches.map { "\($0.name) \($0.state)" }.joined(separator: ", ") + (hasMore ? ", more" : "")
    case .status(let status):
      self.status = status
      return "status: " + status.batches.map(\.waiting).joined(separator: ", ")
    case .ping: return nil
    }
  }

  private func describe(_ message: MessageToWorker, _ parts: [OwnedBytes]) -> String? {
    switch message {
    case .job(let job):
      self.job = job.reference
      return "job of \(job.chunk.rows) rows\(job.chunk.lines == nil ? "" : " in shared memory")"
    case .program(let part): return "program of \(part.size) bytes from \(part.offset)"
    case .refused(let reason): return "refused: \(reason)"
    case .drain: return "drain"
    case .welcome(let memory):
      offered = memory
      return "welcome"
    case .ping: return nil
    }
  }
}
