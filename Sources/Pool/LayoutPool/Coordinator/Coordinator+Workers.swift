import BatchLayout
import CellTemplates
import Glibc
import LayoutTables
import PoolMessages
import ZeroMQ

/// The side of the workers: who is there, what they are sent, and what they answer.
extension Coordinator {
  func receive(_ message: PoolFromWorker, _ bulk: [Frame], from identity: [UInt8]) throws(ZeroMQError) {
    if case .hello(let hello)? = message.message { return try welcome(hello, identity) }
    guard let worker = workersByIdentity[identity] else { return }
    switch message.message {
    case .started(let started)?:
      try act(on: .jobStarted(worker.id, started.job, attempt: started.attempt))
    case .result(let result)?: try take(result, bulk, from: worker)
    case .missing(let missing)?:
      if let job = job(missing.job, missing.attempt, on: worker) {
        worker.noteMissing(job.batch.programID, of: missing.job, unseen: missing.unseen)
      }
      worker.noteRead(missing.job)
      try act(on: .jobReturned(worker.id, missing.job, attempt: missing.attempt))
    case .failure(let failure)?:
      worker.noteRead(failure.job)
      if let job = job(failure.job, failure.attempt, on: worker) { try fail(job.batch.id, failure.reason) }
      try act(on: .jobReturned(worker.id, failure.job, attempt: failure.attempt))
    case .goodbye?: try remove(worker, inGoodOrder: true)
    case .hello?, nil: break
    }
  }

  private func welcome(_ hello: PoolFromWorker.Hello, _ identity: [UInt8]) throws(ZeroMQError) {
    guard hello.version == Version.current else {
      log.warning("a worker of version \(hello.version) was refused: this is version \(Version.current)")
      return try refuse(identity, "this coordinator is version \(Version.current), the worker \(hello.version)")
    }
    guard !untrusted.contains(identity) else { return try refuse(identity, Self.distrust) }
    if let known = workersByIdentity[identity] { try remove(known) }
    let worker = WorkerPeer(nextWorker, identity: identity, pid: hello.pid, lane: CoordinatorLane(hello.memory))
    nextWorker += 1
    workers[worker.id] = worker
    workersByIdentity[identity] = worker
    log.info("worker \(worker.id) (process \(hello.pid)) joined")
    if let memory = worker.lane?.offer {
      var reply = PoolToWorker()
      reply.welcome.memory = memory
      _ = try send(reply, [], to: identity)
    }
    try act(on: .workerJoined(worker.id, credit: min(max(Int(hello.credit), 1), ReadyWorkers.maxCredit)))
  }

  /// The job that a worker speaks of, if its answer is still asked.
  private func job(_ id: JobID, _ attempt: UInt32, on worker: WorkerPeer) -> OpenJob? {
    scheduler.isCurrent(worker.id, id, attempt: attempt) ? jobs[id] : nil
  }

  /// A worker's word is checked before it counts.
  private func take(_ result: PoolFromWorker.Result, _ bulk: [Frame], from worker: WorkerPeer) throws(ZeroMQError) {
    worker.noteRead(result.job)
    worker.lane?.note(seen: result.seen)
    // Whatever becomes of this one, it is at the next by now.
    if result.nextJob != 0 { try act(on: .jobStarted(worker.id, result.nextJob, attempt: result.nextAttempt)) }
    // Also of a result that comes too late, as it gives their room back to the worker.
    let columns = result.hasColumns ? worker.lane?.columns(result.columns) : bulk
    if let job = job(result.job, result.attempt, on: worker) {
      if result.rows != job.bytes.rows, !(try hasItsRows(job)) {
        return try act(on: .jobReturned(worker.id, result.job, attempt: result.attempt))
      }
      if let flaw = Self.flaw(of: result, columns, job) {
        log.warning("worker \(worker.id) answered a job with what is no result (\(flaw)); it is disconnected")
        return try turnAway(worker)
      }
      guard let columns, try store(columns, of: job) else {
        return try act(on: .jobReturned(worker.id, result.job, attempt: result.attempt))
      }
      worker.rows += UInt64(job.bytes.rows)
      worker.cacheHitRate = result.cacheHitRate
      throughput.add(rows: job.bytes.rows)
      fleet?.noteSuccess()
    }
    try act(on: .jobDone(worker.id, result.job, attempt: result.attempt, duration: result.duration))
  }

  /// Whether a job has the rows that its client claimed; the batch ends if not, or if that cannot be seen.
  private func hasItsRows(_ job: OpenJob) throws(ZeroMQError) -> Bool {
    var reason = Self.wrongClaim
    do throws(JournalError) {
      if try job.bytes.hasItsRows() { return true }
    } catch {
      reason = error.description
    }
    try fail(job.batch.id, reason)
    return false
  }

  /// Whatever else it says is not listened to: one that comes back again and again would have good rows blamed.
  private func turnAway(_ worker: WorkerPeer) throws(ZeroMQError) {
    if untrusted.count == Self.maxUntrusted { untrusted.removeAll() }
    untrusted.insert(worker.identity)
    fleet?.kill(pid: worker.pid)
    try remove(worker)
    try refuse(worker.identity, Self.distrust)
  }

  private static let distrust = "it answered a job with what is no result"

  private func refuse(_ identity: [UInt8], _ reason: String) throws(ZeroMQError) {
    var reply = PoolToWorker()
    reply.refused.reason = reason
    _ = try send(reply, [], to: identity)
  }

  /// What is wrong with a result, if anything is.
  private static func flaw(of result: PoolFromWorker.Result, _ columns: [Frame]?, _ job: OpenJob) -> String? {
    guard let columns else { return "columns that are not there" }
    let (rows, variants) = (job.bytes.rows, job.batch.variants.count)
    guard result.rows == rows else { return "\(result.rows) rows instead of \(rows)" }
    guard columns.count == variants else { return "\(columns.count) variants instead of \(variants)" }
    do throws(JobTable.Malformed) {
      for frame in columns {
        _ = try JobTable(frame.bytes, rows: Int(rows), typeCount: ElementType.names.count)
      }
      return nil
    } catch {
      return error.reason
    }
  }

  func sendJob(_ id: JobID, _ attempt: UInt32, to worker: WorkerID) throws(ZeroMQError) {
    guard let peer = workers[worker], let job = job(id, attempt, on: peer) else {
      return try act(on: .jobReturned(worker, id, attempt: attempt))
    }
    let (bytes, batch) = (job.bytes, job.batch)
    var message = PoolToWorker.Job()
    message.job = id
    message.attempt = attempt
    message.firstLine = bytes.firstLine
    message.firstRow = bytes.firstRow
    message.rows = bytes.rows
    if !bytes.file.isEmpty { message.file = bytes.file }
    message.deadline = UInt32(clamping: scheduler.deadline(of: id) / 1_000_000_000)
    var bulk: [Frame] = []
    if !peer.has(program: batch.programID) {
      if peer.lane?.showsPrograms == true, let place = programs.place(of: batch.programID) {
        message.programBytes = place
      } else if let program = programs[batch.programID] {
        bulk.append(program.share())
      }
      peer.note(program: batch.programID, with: id)
    }
    if let shown = bytes.shown(in: peer.lane) {
      message.lines = shown
      peer.noteReading(id, job)
    } else {
      let lines: Frame
      do throws(JournalError) { lines = try bytes.load() } catch {
        try fail(batch.id, error.description)
        return try act(on: .jobReturned(worker, id, attempt: attempt))
      }
      if let left = peer.lane?.leave(lines) { message.lines = left } else { bulk.append(lines) }
    }
    var envelope = PoolToWorker()
    envelope.job = message
    if try send(envelope, after: batch.jobHead, bulk, to: peer.identity) != .sent { try remove(peer) }
  }

  /// Stands in for the results of a row that no worker survives.
  func failRow(_ id: JobID) throws(ZeroMQError) {
    guard let job = jobs[id], batches[job.batch.id] != nil else { return }
    let line: UInt64
    do throws(JournalError) { line = try job.bytes.firstLineWithRow() } catch {
      return try fail(job.batch.id, error.description)
    }
    guard try hasItsRows(job) else { return }
    let place = JobLayout.Job.position(file: job.bytes.file, line: line)
    log.warning("\(place) killed \(Scheduler.maxTries) workers; it is given up")
    let columns = job.batch.variants.map { _ in
      var columns = JobColumns()
      columns.appendBadRow(
        id: String(job.bytes.firstRow),
        error: "\(place): laying it out ended \(Scheduler.maxTries) worker processes, one after the other")
      return Frame(columns)
    }
    _ = try store(columns, of: job)
  }

  func split(_ id: JobID) throws(ZeroMQError) {
    guard let job = jobs[id], scheduler.isSplitting(id) else { return }
    var halves: (JobBytes, JobBytes)?
    var reason = Self.wrongClaim
    do throws(JournalError) { halves = try job.bytes.halved() } catch { reason = error.description }
    guard let (first, second) = halves else { return try fail(job.batch.id, reason) }
    let next = scheduler.nextJobID
    jobs[next] = OpenJob(first, of: job.batch)
    jobs[next + 1] = OpenJob(second, of: job.batch)
    try act(on: .jobSplit(id, first.slice, second.slice))
  }

  // MARK: Workers that go

  func removeWorker(pid: pid_t) throws(ZeroMQError) {
    if let worker = workers.values.first(where: { $0.pid == Int64(pid) }) { try remove(worker) }
  }

  func remove(_ worker: WorkerPeer, inGoodOrder: Bool = false) throws(ZeroMQError) {
    guard forget(worker) else { return }
    log.info("worker \(worker.id) (process \(worker.pid)) left")
    try act(on: .workerLeft(worker.id, inGoodOrder: inGoodOrder))
  }

  /// Whether it was known.
  private func forget(_ worker: WorkerPeer) -> Bool {
    guard workers.removeValue(forKey: worker.id) != nil else { return false }
    workersByIdentity.removeValue(forKey: worker.identity)
    if let memory = worker.lane?.peers {
      for (_, job) in worker.reading { job.batch.strays.append((job.bytes, memory)) }
    }
    return true
  }

  /// It may be stopped or cut off; if it comes back it says hello as a new one.
  func expire(_ id: WorkerID) {
    guard let worker = workers[id], forget(worker) else { return }
    log.warning("worker \(worker.id) (process \(worker.pid)) did not finish a job in time; others do it")
    fleet?.kill(pid: worker.pid)
  }
}
