import BatchLayout
import Buffers
import CellModels
import Glibc
import LayoutTables
import PoolMessages
import ZeroMQ

/// The socket loop around the `Scheduler`: takes chunks of rows from clients, hands jobs to workers, and returns
/// results in row order. It reads neither rows nor results.
public final class Coordinator {
  /// Bytes of rows that a client may have under way, divided by the number of variants.
  static let window = 16 << 20
  /// Bytes of a frame.
  public static let maxMessageSize: Int64 = 1 << 30
  /// Between looks at the clock and at the children, in milliseconds.
  private static let tick = 20
  /// Milliseconds that last messages may take after the end.
  private static let farewell: Int32 = 500
  /// Between pings, in ticks.
  private static let pingEvery = 12

  /// Where it listens.
  public let endpoints: [String]
  private let socket: Socket
  private var scheduler: Scheduler
  private var isDraining = false
  private var fleet: WorkerFleet?
  private var workers: [WorkerID: WorkerPeer] = [:]
  private var workersByIdentity: [[UInt8]: WorkerID] = [:]
  private var batches: [BatchID: BatchState] = [:]
  private var jobs: [JobID: JobBytes] = [:]
  private var results: [JobID: [Frame]] = [:]
  private var nextID: UInt64 = 1
  private let log: Log

  private struct WorkerPeer {
    let identity: [UInt8]
    let pid: Int64
    var programs: Set<[UInt8]> = []
    var rows: UInt64 = 0
  }

  private struct BatchState {
    let client: [UInt8]
    /// The client's own number.
    let number: UInt64
    let programID: [UInt8]
    let program: Frame
    let variants: [PoolVariant]
    var nextRow: UInt64 = 0
    var isComplete = false
    var bytesOfJobs: [JobID: Int] = [:]
  }

  /// - Parameters:
  ///   - endpoints: where clients and workers connect.
  ///   - door: lets peers in at the tcp endpoints; without it everybody gets in.
  ///   - fleet: worker processes of the coordinator's own, if any.
  ///   - jobDeadline: seconds that a job may take at least before its worker is given up.
  public init(
    _ context: Context, endpoints: [String], door: Door? = nil, fleet: WorkerFleet?, jobDeadline: UInt32 = 10, log: Log
  ) throws(ZeroMQError) {
    scheduler = Scheduler(patience: jobDeadline)
    socket = try Socket(.router, context)
    try socket.setHighWaterMarks(send: 0, receive: 0)
    try socket.setHeartbeat(interval: 1000, timeout: 5000)
    try socket.setMaxMessageSize(Self.maxMessageSize)
    self.endpoints = try socket.listen(at: endpoints, context, door: door)
    self.fleet = fleet
    self.log = log
  }

  /// Runs until `shouldStop` says so; then takes no new batches, and finishes the open ones if it `drains`.
  public func run(drains: Bool = false, shouldStop: () -> Bool) throws(ZeroMQError) {
    var ticks = 0
    fleet?.start()
    defer { fleet?.stop() }
    while true {
      if shouldStop() {
        if !isDraining && drains { log.info("finishing \(batches.count) batches, taking no others") }
        isDraining = true
        if !drains || batches.isEmpty { break }
      }
      _ = try socket.wait(milliseconds: Self.tick)
      while let parts = try socket.receive() { try receive(parts) }
      for pid in fleet?.reap() ?? [] { try removeWorker(pid: pid) }
      if let reason = fleet?.failure {
        try failBatches(reason)
        fleet?.failure = nil
      }
      ticks += 1
      if ticks % Self.pingEvery == 0 {
        try ping()
        try act(on: .tick(now: Self.nanoseconds()))
      }
    }
    try failBatches("the coordinator was told to stop")
    // What was said last is still on its way.
    try socket.setLinger(Self.farewell)
  }

  // MARK: Receiving

  private func receive(_ parts: [Frame]) throws(ZeroMQError) {
    guard parts.count >= 2, parts.count <= Envelope.maxParts,
      let envelope = Envelope.decode(PoolToCoordinator.self, parts[1].bytes)
    else { return log.warning("a peer sent something that is no message; ignored") }
    let identity = [UInt8](parts[0].bytes)
    let bulk = Array(parts.dropFirst(2))
    switch envelope.sender {
    case .worker(let message)?: try receive(message, bulk, from: identity)
    case .client(let message)?: try receive(message, bulk, from: identity)
    case nil: log.warning("a peer sent an empty message; ignored")
    }
  }

  private func receive(_ message: PoolFromWorker, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    if case .hello(let hello)? = message.message { return try welcome(hello, identity) }
    guard let worker = workersByIdentity[identity] else { return }
    switch message.message {
    case .started(let started)?:
      try act(on: .jobStarted(worker, started.job, attempt: started.attempt))
    case .result(let result)?: try take(result, bulk, from: worker)
    case .missing(let missing)?:
      if let batch = scheduler.batch(of: missing.job), let program = batches[batch]?.programID {
        workers[worker]?.programs.remove(program)
      }
      try act(on: .jobReturned(worker, missing.job, attempt: missing.attempt))
    case .failure(let failure)?:
      guard scheduler.isCurrent(worker, failure.job, attempt: failure.attempt),
        let batch = scheduler.batch(of: failure.job)
      else { return }
      try fail(batch, failure.reason)
    case .goodbye?: try remove(worker)
    case .hello?, nil: break
    }
  }

  private func welcome(_ hello: PoolFromWorker.Hello, _ identity: [UInt8]) throws(ZeroMQError) {
    guard hello.version == Version.current else {
      var reply = PoolToWorker()
      reply.refused.reason = "this coordinator is version \(Version.current), the worker \(hello.version)"
      log.warning("a worker of version \(hello.version) was refused: this is version \(Version.current)")
      _ = try send(reply, [], to: identity)
      return
    }
    if let known = workersByIdentity[identity] { try remove(known) }
    let worker = nextID
    nextID += 1
    workers[worker] = WorkerPeer(identity: identity, pid: hello.pid)
    workersByIdentity[identity] = worker
    log.info("worker \(worker) (process \(hello.pid)) joined")
    try act(on: .workerJoined(worker, credit: min(max(Int(hello.credit), 1), 8)))
  }

  /// A worker's word is checked before it counts.
  private func take(_ result: PoolFromWorker.Result, _ bulk: [Frame], from worker: WorkerID) throws(ZeroMQError) {
    guard scheduler.isCurrent(worker, result.job, attempt: result.attempt),
      let slice = scheduler.slice(of: result.job), let batch = scheduler.batch(of: result.job),
      let variants = batches[batch]?.variants.count
    else { return }
    guard result.rows == slice.rows, bulk.count == variants else {
      log.warning("worker \(worker) answered a job with something else; it is disconnected")
      fleet?.kill(pid: workers[worker]?.pid ?? 0)
      return try remove(worker)
    }
    results[result.job] = bulk
    workers[worker]?.rows += UInt64(slice.rows)
    fleet?.noteSuccess()
    try act(on: .jobDone(worker, result.job, attempt: result.attempt, duration: result.duration))
  }

  private func receive(_ message: PoolFromClient, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    switch message.message {
    case .submit(let submit)?: try open(submit, bulk, from: identity)
    case .chunk(let chunk)?: try add(chunk, bulk, from: identity)
    case .cancel(let cancel)?:
      if let batch = batch(cancel.batch, of: identity) { try close(batch) }
    case .status?: try sendStatus(to: identity)
    case nil: break
    }
  }

  private func open(_ submit: PoolFromClient.Submit, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    guard submit.version == Version.current else {
      return try refuse(
        submit.batch, "this coordinator is version \(Version.current), the client \(submit.version)", identity)
    }
    guard !isDraining else {
      return try refuse(submit.batch, "the coordinator is about to stop and takes no new batches", identity)
    }
    fleet?.tryAgain()
    guard bulk.count == 1, !submit.variants.isEmpty, submit.variants.count <= Variant.limit,
      submit.variants.allSatisfy({ $0.variant.isValid })
    else { return try refuse(submit.batch, "the batch has no program or no sensible variants", identity) }
    // Named here and not by the client: workers take two programs of one name for the same.
    let programID = SHA256.hash(bulk[0].bytes)
    let batch = nextID
    nextID += 1
    batches[batch] = BatchState(
      client: identity, number: submit.batch, programID: programID, program: bulk[0],
      variants: submit.variants)
    try act(on: .batchOpened(batch))
    var reply = PoolToClient()
    reply.accepted.batch = submit.batch
    reply.accepted.window = UInt64(Self.window / submit.variants.count)
    reply.accepted.program = .init(programID)
    _ = try send(reply, [], to: identity)
  }

  private func add(_ chunk: PoolFromClient.Chunk, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    guard let batch = batch(chunk.batch, of: identity), let state = batches[batch] else { return }
    guard bulk.count == 1, !state.isComplete, chunk.firstRow == state.nextRow,
      let cut = JobBytes.cut(
        bulk[0], firstLine: chunk.firstLine, firstRow: chunk.firstRow, rows: chunk.rows,
        jobBytes: scheduler.jobBytes(of: batch))
    else { return try fail(batch, "the rows of the batch came out of order") }
    // A run of blank lines at the end belongs to no job.
    let withRows = cut.filter { $0.rows > 0 }
    batches[batch]?.nextRow += UInt64(chunk.rows)
    batches[batch]?.isComplete = chunk.last
    for (offset, job) in withRows.enumerated() { jobs[scheduler.nextJobID + UInt64(offset)] = job }
    try act(on: .jobsAdded(batch, withRows.map(\.slice), isLast: chunk.last))
  }

  private func batch(_ number: UInt64, of identity: [UInt8]) -> BatchID? {
    batches.first { $0.value.number == number && $0.value.client == identity }?.key
  }

  // MARK: Acting

  private func act(on event: SchedulerEvent) throws(ZeroMQError) {
    for action in scheduler.handle(event) {
      switch action {
      case .send(let job, let attempt, let worker): try sendJob(job, attempt, to: worker)
      case .deliver(let batch, let job): try deliver(job, of: batch)
      case .failRow(let batch, let job): failRow(job, of: batch)
      case .split(let job): try split(job)
      case .expire(let worker): expire(worker)
      case .forget(let job):
        jobs.removeValue(forKey: job)
        results.removeValue(forKey: job)
      case .batchDone(let batch, let rows):
        guard let state = batches.removeValue(forKey: batch) else { continue }
        var reply = PoolToClient()
        reply.done.batch = state.number
        reply.done.rows = rows
        _ = try send(reply, [], to: state.client)
      }
    }
  }

  private func sendJob(_ job: JobID, _ attempt: UInt32, to worker: WorkerID) throws(ZeroMQError) {
    guard let bytes = jobs[job], let batch = scheduler.batch(of: job), let state = batches[batch],
      let peer = workers[worker]
    else { return }
    var message = PoolToWorker()
    message.job.job = job
    message.job.attempt = attempt
    message.job.program = .init(state.programID)
    message.job.carriesProgram = !peer.programs.contains(state.programID)
    message.job.variants = state.variants
    message.job.firstLine = bytes.firstLine
    message.job.firstRow = bytes.firstRow
    message.job.rows = bytes.rows
    message.job.deadline = UInt32(clamping: scheduler.deadline(of: job) / 1_000_000_000)
    let bulk = message.job.carriesProgram ? [state.program.share(), bytes.frame] : [bytes.frame]
    workers[worker]?.programs.insert(state.programID)
    if try send(message, bulk, to: peer.identity) != .sent { try remove(worker) }
  }

  private func deliver(_ job: JobID, of batch: BatchID) throws(ZeroMQError) {
    guard let state = batches[batch], let bytes = jobs[job], let columns = results[job] else { return }
    var message = PoolToClient()
    message.rows.batch = state.number
    message.rows.firstRow = bytes.firstRow
    message.rows.rows = bytes.rows
    if try send(message, columns, to: state.client) == .unreachable { try close(batch) }
  }

  /// Stands in for the results of a row that no worker survives.
  private func failRow(_ job: JobID, of batch: BatchID) {
    guard let bytes = jobs[job], let state = batches[batch] else { return }
    let line = bytes.firstLineWithRow
    log.warning("line \(line) killed \(Scheduler.maxTries) workers; it is given up")
    results[job] = state.variants.map { _ in
      var columns = JobColumns()
      columns.appendBadRow(
        id: String(bytes.firstRow),
        error: "line \(line): laying it out ended \(Scheduler.maxTries) worker processes, one after the other")
      return Frame(size: columns.encodedSize) { columns.write(to: $0) }
    }
  }

  private func split(_ job: JobID) throws(ZeroMQError) {
    guard let (first, second) = jobs[job]?.halved() else { return }
    let next = scheduler.nextJobID
    jobs[next] = first
    jobs[next + 1] = second
    try act(on: .jobSplit(job, first.slice, second.slice))
  }

  // MARK: Peers that go

  private func removeWorker(pid: pid_t) throws(ZeroMQError) {
    if let worker = workers.first(where: { $0.value.pid == Int64(pid) })?.key { try remove(worker) }
  }

  /// It may be stopped or cut off; if it comes back it says hello as a new one.
  private func expire(_ worker: WorkerID) {
    guard let peer = workers.removeValue(forKey: worker) else { return }
    workersByIdentity.removeValue(forKey: peer.identity)
    log.warning("worker \(worker) (process \(peer.pid)) did not finish a job in time; others do it")
    fleet?.kill(pid: peer.pid)
  }

  private static func nanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }

  private func remove(_ worker: WorkerID) throws(ZeroMQError) {
    guard let peer = workers.removeValue(forKey: worker) else { return }
    workersByIdentity.removeValue(forKey: peer.identity)
    log.info("worker \(worker) (process \(peer.pid)) left")
    try act(on: .workerLeft(worker))
  }

  private func ping() throws(ZeroMQError) {
    var message = PoolToWorker()
    message.ping = .init()
    for (worker, peer) in workers where try send(message, [], to: peer.identity) == .unreachable { try remove(worker) }
    var word = PoolToClient()
    word.ping = .init()
    for (id, batch) in batches where try send(word, [], to: batch.client) == .unreachable { try close(id) }
  }

  private func close(_ batch: BatchID) throws(ZeroMQError) {
    batches.removeValue(forKey: batch)
    try act(on: .batchCancelled(batch))
  }

  private func fail(_ batch: BatchID, _ reason: String) throws(ZeroMQError) {
    guard let state = batches[batch] else { return }
    try refuse(state.number, reason, state.client)
    try close(batch)
  }

  private func failBatches(_ reason: String) throws(ZeroMQError) {
    for batch in batches.keys { try fail(batch, reason) }
  }

  private func refuse(_ number: UInt64, _ reason: String, _ client: [UInt8]) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.failed.batch = number
    reply.failed.reason = reason
    _ = try send(reply, [], to: client)
  }

  // MARK: Sending

  private func send(_ message: PoolToWorker, _ bulk: [Frame], to identity: [UInt8]) throws(ZeroMQError) -> Socket.Sent {
    try socket.send([Frame(copying: identity), Frame(copying: Envelope.encode(message))] + bulk)
  }

  private func send(_ message: PoolToClient, _ bulk: [Frame], to identity: [UInt8]) throws(ZeroMQError) -> Socket.Sent {
    try socket.send([Frame(copying: identity), Frame(copying: Envelope.encode(message))] + bulk)
  }

  private func sendStatus(to identity: [UInt8]) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.status.version = Version.current
    reply.status.workers = workers.sorted { $0.key < $1.key }.map { id, peer in
      var status = PoolToClient.WorkerStatus()
      status.name = "worker \(id)"
      status.pid = peer.pid
      status.jobs = UInt32(scheduler.workers[id]?.jobs.count ?? 0)
      status.rows = peer.rows
      return status
    }
    reply.status.batches = scheduler.batches.sorted { $0.key < $1.key }.map { id, batch in
      var status = PoolToClient.BatchStatus()
      status.batch = id
      status.rowsDone = batch.nextRow
      status.rowsReceived = batch.addedRows
      status.queued = UInt32(batch.queue.count - batch.firstQueued)
      status.running = UInt32(scheduler.jobs.values.filter { $0.batch == id && $0.isRunning }.count)
      status.retries = UInt32(batch.retries)
      if status.running == 0 && status.queued > 0 {
        status.waiting = workers.isEmpty ? "no worker is connected" : "all workers are busy with other batches"
      }
      return status
    }
    _ = try send(reply, [], to: identity)
  }
}

extension Scheduler.Job {
  var isRunning: Bool {
    if case .running = state { return true }
    return false
  }
}

extension PoolVariant {
  var variant: Variant { Variant(width: width, textScale: textScale, scale: scale) }

  init(_ variant: Variant) {
    self.init()
    width = variant.width
    textScale = variant.textScale
    scale = variant.scale
  }
}
