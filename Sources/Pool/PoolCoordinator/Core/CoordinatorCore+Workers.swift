import Buffers
import PoolMemory
import PoolProtocol
import PoolScheduler

/// Registrations, replies and ends of workers.
extension CoordinatorCore {
  private static let distrust =
    "\(maxRefusedReplies) of its replies were damaged or invalid; it is refused for "
    + "\(DistrustedWorkers.time / 60_000_000_000) minutes"
  /// The number of refused replies after which a worker is disconnected and distrusted. A single one can be caused by a
  /// connection or by memory that changes bits.
  static let maxRefusedReplies = 3

  mutating func receive(
    _ message: WorkerMessage, _ parts: [OwnedBytes], from identity: PeerIdentity, _ holder: KeyHolder
  ) {
    // A peer with another key cannot use the connection of this worker.
    let known = state.workersByIdentity[identity].flatMap { $0.holder == holder ? $0 : nil }
    known?.noteMessage(at: now)
    if case .hello(let hello) = message { return register(hello, identity, holder) }
    guard let worker = known else { return }
    switch message {
    case .hello, .alive: break
    case .started(let job): act(on: .jobStarted(worker.id, job.job, attempt: job.attempt))
    case .result(let result): receive(result, parts, from: worker)
    case .programWanted(let request): send(request, to: worker)
    case .tooLarge(let job):
      worker.noteReply(job.job)
      act(on: .jobTooLarge(worker.id, job.job, attempt: job.attempt))
    case .missing(let job, let isInvisible): noteReturn(of: job, isInvisible: isInvisible, by: worker)
    case .failure(let job, let reason): noteProgramFailure(job, reason, by: worker)
    case .goodbye: remove(worker, inGoodOrder: true, because: "it has ended by itself; its log has the reason")
    }
  }

  private mutating func register(_ hello: WorkerMessage.Hello, _ identity: PeerIdentity, _ holder: KeyHolder) {
    guard holder.mayLayOut else {
      log(.warning, "a worker was refused: \(holder.name) is the key of a \(holder.role.rawValue)")
      return refuse(identity, "\(holder.name) is the key of a \(holder.role.rawValue), which may not lay out jobs")
    }
    guard hello.version == Version.current else {
      log(.warning, "a worker of version \(hello.version) was refused: this is version \(Version.current)")
      return refuse(identity, "this coordinator is version \(Version.current), the worker \(hello.version)")
    }
    // The coordinator's own process has a new session after it was ended with its distrusted worker.
    let ownProcess = state.fleet.process(ofSession: hello.session)
    let origin = DistrustedWorkers.Origin(holder, hello.origin)
    if ownProcess == nil, state.distrusted.contains(origin, at: now) { return refuse(identity, Self.distrust) }
    // A worker on a slow connection registers again before it receives the first reply. So does one that no message reaches, so
    // that this is no reason to wait longer for its jobs.
    guard state.workersByIdentity[identity] == nil else { return }
    if let known = state.workers.values.first(where: { $0.hello.session == hello.session && hello.session != 0 }) {
      remove(known, inGoodOrder: true)
    }
    let other = state.workers.values.filter { $0.hello.cells != hello.cells }.min { $0.id < $1.id }
    let worker = WorkerConnection(
      state.nextWorker, identity, holder, hello, ownProcess: ownProcess,
      channel: CoordinatorMemoryChannel(hello.memory, memory), at: now)
    state.nextWorker += 1
    state.workers[worker.id] = worker
    state.workersByIdentity[identity] = worker
    if let ownProcess { state.fleet.noteRegistration(of: ownProcess) }
    log(.info, "\(worker.name) joined")
    if let other {
      log(
        .warning,
        """
        worker \(worker.id) and worker \(other.id) have different executables: the result of a row with a cell class in Swift \
        can depend on which of them lays it out
        """)
    }
    send(.welcome(worker.channel?.offer ?? .none), toWorker: identity)
    act(on: .workerJoined(worker.id, credit: Int(hello.credit)))
  }

  /// Returns the job of a reply, unless the job is over.
  func current(_ job: JobReference, on worker: WorkerConnection) -> OpenJob? {
    state.scheduler.isCurrent(worker.id, job.job, attempt: job.attempt) ? state.jobs[job.job] : nil
  }

  /// Checks a result before it is used.
  private mutating func receive(_ result: WorkerMessage.Result, _ parts: [OwnedBytes], from worker: WorkerConnection) {
    let sentAt = worker.noteReply(result.job.job)?.time
    worker.channel?.confirm(token: result.seenToken)
    // The worker already executes its next job, even if this result is refused.
    if let next = result.next { act(on: .jobStarted(worker.id, next.job, attempt: next.attempt)) }
    // Columns of late results are also mapped, because this releases their memory.
    let columns = result.columns.map { worker.channel?.peer.pieces(of: $0) } ?? parts
    if let job = current(result.job, on: worker) {
      if result.rows != job.chunk.rows, !job.chunk.hasItsRows {
        fail(job.batch.id, Self.wrongClaim)
        return act(on: .jobReturned(worker.id, result.job.job, attempt: result.job.attempt))
      }
      if let flaw = flaw(of: result, columns, job) {
        return refuse(result.job, of: worker, "a result of \(worker.name) is refused: it has \(flaw)")
      }
      if let columns, job.chunk.rows > 0 {
        count(rows: job.chunk.rows, sentAt: sentAt ?? now)
        store(columns, result.checksums, of: job)
      }
      job.batch.hasUsableProgram = true
      worker.noteResult(rows: job.chunk.rows, cacheHitRate: result.cacheHitRate)
      state.fleet.noteSuccess()
    }
    act(
      on: .jobDone(
        worker.id, result.job.job, attempt: result.job.attempt, duration: result.duration,
        columnBytes: columns?.reduce(0) { $0 + $1.count } ?? 0))
  }

  private mutating func count(rows: UInt32, sentAt: UInt64) {
    state.metrics.jobsDone += 1
    state.metrics.rowsDone += UInt64(rows)
    state.metrics.layoutTime.record(now - min(sentAt, now))
  }

  /// Returns the error in a result; nil if it is valid.
  private func flaw(of result: WorkerMessage.Result, _ columns: [OwnedBytes]?, _ job: OpenJob) -> String? {
    guard let columns else { return "columns that are missing in its shared memory" }
    let (rows, variants) = (job.chunk.rows, job.batch.description.variants.count)
    guard result.rows == rows else { return "\(result.rows) rows instead of \(rows)" }
    guard columns.count == variants else { return "\(columns.count) variants instead of \(variants)" }
    guard result.checksums.count == variants else { return "\(result.checksums.count) checksums" }
    for (part, checksum) in zip(columns, result.checksums) {
      guard part.checksum == checksum else { return "columns that differ from their checksum" }
      if let flaw = format.flaw(part, Int(rows)) { return flaw }
    }
    return nil
  }

  /// Refuses a reply and has another worker execute its job. After several refused replies, the worker is disconnected.
  ///
  /// - Parameter reason: The beginning of the message for the log.
  mutating func refuse(_ job: JobReference, of worker: WorkerConnection, _ reason: String) {
    state.metrics.resultsRefused += 1
    let isLast = worker.noteRefusal() >= Self.maxRefusedReplies
    log(.warning, "\(reason); " + (isLast ? "the worker is disconnected" : "the job is executed again"))
    isLast ? reject(worker) : act(on: .resultRefused(worker.id, job.job, attempt: job.attempt))
  }

  /// Disconnects a worker and distrusts it, without counting this against its jobs.
  private mutating func reject(_ worker: WorkerConnection) {
    if worker.ownProcess == nil { state.distrusted.add(.init(worker.holder, worker.hello.origin), at: now) }
    endProcess(of: worker)
    state.metrics.lostWorkers += 1
    remove(worker, inGoodOrder: true)
    refuse(worker.identity, Self.distrust)
  }

  private mutating func refuse(_ identity: PeerIdentity, _ reason: String) {
    send(.refused(reason: reason), toWorker: identity)
  }

  // MARK: Workers that end

  mutating func remove(_ worker: WorkerConnection, inGoodOrder: Bool = false, because reason: String? = nil) {
    guard forget(worker) else { return }
    if !inGoodOrder { state.metrics.lostWorkers += 1 }
    log(.info, "\(worker.name) left" + (reason.map { ": \($0)" } ?? ""))
    act(on: .workerLeft(worker.id, inGoodOrder: inGoodOrder))
  }

  /// Removes a worker. Returns whether it was registered.
  private mutating func forget(_ worker: WorkerConnection) -> Bool {
    guard state.workers.removeValue(forKey: worker.id) != nil else { return false }
    state.workersByIdentity.removeValue(forKey: worker.identity)
    if let process = worker.ownProcess { state.fleet.noteAbsence(of: process, at: runningTime) }
    if let reader = worker.channel?.peer {
      for job in worker.state.sent.compactMap(\.reading) { job.batch.rows.hold(job.chunk.lines, for: reader) }
    }
    return true
  }

  /// Gives up a worker that may be stopped or disconnected. If it replies later, it registers as a new worker.
  mutating func expire(_ id: WorkerID) {
    guard let worker = state.workers[id], forget(worker) else { return }
    state.metrics.lostWorkers += 1
    log(.warning, "\(worker.name) did not finish a job in time; others do it")
    endProcess(of: worker)
  }
}
