import Buffers
import LayoutEngine
import PoolProtocol
import Testing

@testable import PoolEnvelopes

/// Tests of the encoding and decoding of messages as envelopes.
@Suite struct EnvelopeTests {
  private static let memory = MemoryReference(process: 1, descriptor: 2, token: 3)
  private static let range = SharedRange(memory: memory, offset: 4, count: 5, slot: 6, mark: 7, pieces: [2, 3])
  private static let description = BatchDescription(
    program: [1, 2],
    variants: [
      Variant(width: 390, textScale: 1.5, scale: 2),
      Variant(width: 390, scale: 2.625, platform: .android, textSize: .accessibility1),
    ],
    priority: -3, input: "rows", resendsRows: true, isPartial: true)
  private static let batch: PoolStatus.Batch = {
    var batch = PoolStatus.Batch()
    (batch.name, batch.input, batch.state, batch.waiting) = ("abc", "rows", "paused", "why")
    (batch.age, batch.journalBytes, batch.rowsDone, batch.rowsReceived) = (1, 2, 3, 4)
    return batch
  }()
  private static let job = JobReference(1 << 40, attempt: 2)
  private static let chunk = RowsChunk<SharedRange?>(nil, firstLine: 1, firstRow: 2, rows: 3, file: "a.jsonl")
  private static let lastChunk = RowsChunk<SharedRange?>(
    range, firstLine: 1, firstRow: 2, rows: 3, file: "a.jsonl", end: InputSummary(bytes: 4, hash: "h"))

  static let clientMessages: [ClientMessage] = [
    .submit(
      .init(
        version: "1", batch: 2, description: description, isDetached: true, memory: memory, session: 9,
        origin: PeerOrigin(host: "host", process: 7))),
    .attach(
      .init(
        version: "1", batch: 2, name: "abc", firstRow: 3, memory: memory, session: 4, attempt: 5, sendsRows: true,
        origin: PeerOrigin(host: "host", process: 7))),
    .attach(
      .init(
        version: "1", batch: 2, name: "abc", firstRow: 0, memory: .none, session: 0, attempt: 0, sendsRows: false)),
    .chunk(batch: 1, lastChunk, checksum: 4, seenToken: 3), .chunk(batch: 1, chunk, checksum: 5),
    .acknowledge(batch: 1, rows: 2, seenToken: 3),
    .complete(batch: 1),
    .cancel(batch: 1), .cancelNamed(batch: 1, name: "abc"), .cancelAll(batch: 1), .status,
    .listBatches(after: "abc"), .program(batch: 1, offset: 2, size: 3),
  ]

  static let workerMessages: [WorkerMessage] = [
    .hello(
      .init(
        version: "1", origin: PeerOrigin(host: "host", process: 2), credit: 3, memory: memory, session: 4, cells: 5)),
    .started(job),
    .programWanted(ProgramRequest([1, 2], offset: 3, count: 4, isInvisible: true)), .tooLarge(job),
    .result(
      .init(job: job, rows: 1, duration: 2, cacheHitRate: 0.5, next: JobReference(3, attempt: 1), columns: range)),
    .result(.init(job: job, rows: 1, duration: 2, cacheHitRate: 0.5, checksums: [6, 7], seenToken: 4)), .alive,
    .missing(job, isInvisible: true), .missing(job, isInvisible: false), .failure(job, reason: "why"), .goodbye,
  ]

  static let messagesToClients: [MessageToClient] = [
    .programWanted(batch: 1, ProgramRequest([1, 2], offset: 3, count: 4)), .unknown(batch: 1),
    .stored(batch: 1, rows: 2, isComplete: true),
    .rows(batch: 1, [ResultRun<SharedRange?>(firstRow: 2, rows: 3, columns: range, checksums: [8])]),
    .rows(batch: 1, [ResultRun(firstRow: 2, rows: 3, columns: nil, checksums: [8, 9])]),
    .rows(
      batch: 1,
      [
        ResultRun<SharedRange?>(firstRow: 2, rows: 3, columns: range, checksums: [8]),
        ResultRun<SharedRange?>(firstRow: 5, rows: 1, columns: range, checksums: [9]),
      ]),
    .done(batch: 1, rows: 2, input: InputSummary(bytes: 3, hash: "h")), .failed(batch: 1, reason: "why"),
    .cancelled(batch: 1, count: 2), .waiting(batch: 1, reason: "why"), .batches([batch], hasMore: true), .ping,
  ]

  static let messagesToWorkers: [MessageToWorker] = [
    .refused(reason: "why"), .drain, .ping, .welcome(memory), .welcome(.none),
    .program(.init([1, 2], size: 3, offset: 4)), .program(.init([1, 2], size: 3, shared: range)),
    .program(.init([1, 2], size: 3, shared: range, files: [.init(process: 4, descriptor: 5, inode: 6, count: 7)])),
  ]

  @Test(arguments: clientMessages) func messagesOfClientsAreDecodedAsTheyWereEncoded(message: ClientMessage) {
    let decoded = message.encoded().withUnsafeBytes { MessageToCoordinator(envelope: $0) }
    #expect("\(decoded as Any)" == "\(MessageToCoordinator?.some(.client(message)) as Any)")
  }

  @Test(arguments: workerMessages) func messagesOfWorkersAreDecodedAsTheyWereEncoded(message: WorkerMessage) {
    let decoded = message.encoded().withUnsafeBytes { MessageToCoordinator(envelope: $0) }
    #expect("\(decoded as Any)" == "\(MessageToCoordinator?.some(.worker(message)) as Any)")
  }

  /// A failure ends a batch, so that no link that changes a bit may make one, also of a message without a checksum.
  @Test(arguments: workerMessages) func noChangedBitMakesAFailureOfAnotherMessage(message: WorkerMessage) {
    if case .failure = message { return }
    // The checksum is the last field, with a tag of two bytes.
    let bytes = Array(message.encoded().dropLast(10))
    let unchanged = bytes.withUnsafeBytes { MessageToCoordinator(envelope: $0) }
    #expect("\(unchanged as Any)" == "\(MessageToCoordinator?.some(.worker(message)) as Any)")
    for bit in 0..<8 * bytes.count {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let decoded = changed.withUnsafeBytes { MessageToCoordinator(envelope: $0) }
      if case .worker(.failure(_, let reason))? = decoded {
        Issue.record("bit \(bit) of \(message) makes a failure: \(reason)")
      }
    }
  }

  @Test(arguments: messagesToClients) func messagesToClientsAreDecodedAsTheyWereEncoded(message: MessageToClient) {
    let decoded = message.encoded().withUnsafeBytes { MessageToClient(envelope: $0) }
    #expect("\(decoded as Any)" == "\(MessageToClient?.some(message) as Any)")
  }

  @Test(arguments: messagesToWorkers) func messagesToWorkersAreDecodedAsTheyWereEncoded(message: MessageToWorker) {
    let decoded = message.encoded().withUnsafeBytes { MessageToWorker(envelope: $0) }
    #expect("\(decoded as Any)" == "\(MessageToWorker?.some(message) as Any)")
  }

  @Test func anAcceptedBatchIsDecodedWithoutTheFieldsThatOnlyItsClientSets() {
    var description = Self.description
    let accepted = MessageToClient.accepted(
      .init(
        batch: 1, window: 2, name: "abc", storedRows: 3, isComplete: true, description: description,
        memory: Self.memory))
    guard case .accepted(let decoded)? = accepted.encoded().withUnsafeBytes({ MessageToClient(envelope: $0) }) else {
      Issue.record("it is not decoded")
      return
    }
    (description.priority, description.resendsRows, description.isPartial) = (0, false, false)
    #expect(decoded.description == description)
    #expect(decoded.batch == 1 && decoded.window == 2 && decoded.name == "abc" && decoded.storedRows == 3)
    #expect(decoded.isComplete && decoded.memory == Self.memory)
  }

  /// The encoding of a job consists of two envelopes. The first one is the same for all jobs of a batch.
  @Test func jobsOfABatchAreDecodedWithTheirSetup() {
    let setup = JobSetup(program: [1, 2], variants: Self.description.variants)
    for number in 1...2 as ClosedRange<UInt64> {
      let reference = JobReference(number, attempt: 1)
      let job = MessageToWorker.Job(
        reference, setup: setup, chunk: Self.chunk.moved(to: Self.range), deadline: 10, checksum: 9)
      let bytes = MessageToWorker.job(job).encoded()
      guard case .job(let decoded)? = bytes.withUnsafeBytes({ MessageToWorker(envelope: $0) }) else {
        Issue.record("it is not decoded")
        continue
      }
      #expect(decoded.reference == reference && decoded.chunk == Self.chunk.moved(to: Self.range))
      #expect(decoded.deadline == 10 && decoded.checksum == 9)
      #expect(decoded.setup.program == [1, 2] && decoded.setup.variants == Self.description.variants)
    }
  }

  /// A link or a memory that changes a bit of a job could otherwise change its widths.
  @Test func aChangedBitOfAnEnvelopeIsFound() {
    func check<Message>(_ envelope: [UInt8], _ decode: (UnsafeRawBufferPointer) -> Message?) {
      let message = envelope.withUnsafeBytes(decode).map { "\($0)" }
      for bit in 0..<envelope.count * 8 {
        var changed = envelope
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        guard let decoded = changed.withUnsafeBytes(decode) else { continue }
        // Without the number of its field, the checksum is an unknown field.
        #expect("\(decoded)" == message, "bit \(bit)")
      }
    }
    for message in Self.clientMessages { check(message.encoded()) { MessageToCoordinator(envelope: $0) } }
    for message in Self.workerMessages { check(message.encoded()) { MessageToCoordinator(envelope: $0) } }
    for message in Self.messagesToClients { check(message.encoded()) { MessageToClient(envelope: $0) } }
    let setup = JobSetup(program: [1, 2], variants: Self.description.variants)
    let job = MessageToWorker.Job(Self.job, setup: setup, chunk: Self.chunk, deadline: 10, checksum: 9)
    for message in Self.messagesToWorkers + [.job(job)] { check(message.encoded()) { MessageToWorker(envelope: $0) } }
  }

  @Test func theOwnerOfABatchIsDecodedFromItsJournal() {
    var description = Self.description
    description.owner = "ann"
    let bytes = JournalRecord<OwnedBytes>.batch(.current, description).encoded().envelope
    let record = bytes.withUnsafeBytes { JournalRecord(envelope: $0) { $0.isEmpty ? [] : nil } }
    guard case .batch(.current, let decoded)? = record else {
      Issue.record("it is not decoded")
      return
    }
    #expect(decoded == description)
  }

  @Test func aStatusIsDecodedAsItWasEncoded() {
    var status = PoolStatus()
    (status.pid, status.rowsPerSecond, status.memory, status.host) = (1, 2.5, 3, "host")
    (status.workerCount, status.batchCount, status.clientCount) = (1, 2, 3)
    var worker = PoolStatus.Worker()
    (worker.name, worker.pid, worker.jobs, worker.rows, worker.cacheHitRate) = ("worker 1", 2, 3, 4, 0.5)
    var batch = PoolStatus.Batch()
    (batch.name, batch.input, batch.priority, batch.waiting) = ("abc", "rows", -1, "why")
    (batch.rowsReceived, batch.rowsDone, batch.rowsRecovered) = (6, 5, 4)
    (batch.queued, batch.running, batch.retries) = (3, 2, 1)
    (worker.host, worker.key, batch.owner) = ("a", "b", "c")
    var client = PoolStatus.Client()
    (client.host, client.pid, client.key, client.batch) = ("d", 8, "e", "abc")
    (status.workers, status.batches, status.clients) = ([worker], [batch], [client])
    status.batchCount = 7
    status.metrics = Self.metrics
    #expect(Self.decoded(MessageToClient.status(status).encoded()) == status)
  }

  private static let metrics: PoolMetrics = {
    var metrics = PoolMetrics()
    (metrics.uptime, metrics.batchesAccepted, metrics.batchesRecovered) = (0.5, 1, 2)
    (metrics.batchesDone, metrics.batchesFailed, metrics.batchesCancelled) = (3, 4, 5)
    (metrics.jobsDone, metrics.rowsDone, metrics.retries, metrics.lostWorkers) = (6, 7, 8, 9)
    (metrics.rowBytesReceived, metrics.resultBytesSent) = (10, 11)
    metrics.queueTime.record(1)
    metrics.layoutTime.record(2_000_000)
    metrics.batchTime.record(100_000_000_000)
    return metrics
  }()

  private static func decoded(_ bytes: [UInt8]) -> PoolStatus? {
    guard case .status(let status)? = bytes.withUnsafeBytes({ MessageToClient(envelope: $0) }) else { return nil }
    return status
  }

  @Test func aStatusWithoutMetricsHasNoCounts() {
    #expect(Self.decoded(MessageToClient.status(PoolStatus()).encoded())?.metrics == PoolMetrics())
  }

  @Test func metricsOutOfBoundsAreReplaced() {
    var message = PoolToClient.Status()
    message.metrics.uptime = .nan
    message.metrics.jobsDone = .max
    message.metrics.queueTime.counts = [UInt64](repeating: 1, count: 10_000)
    message.metrics.layoutTime.counts = [UInt64](repeating: .max, count: TimeHistogram.bounds.count + 1)
    let metrics = PoolStatus(message).metrics
    #expect(metrics.uptime == 0 && metrics.jobsDone == .max)
    #expect(metrics.queueTime == TimeHistogram())
    #expect(metrics.layoutTime.count == .max)
  }
}
