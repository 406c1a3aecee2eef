import CellModels
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
      try act(on: .jobStarted(worker, started.job, attempt: started.attempt))
    case .result(let result)?: try take(result, bulk, from: worker)
    case .missing(let missing)?:
      workers[worker]?.reading.removeValue(forKey: missing.job)
      if scheduler.isCurrent(worker, missing.job, attempt: missing.attempt),
        let batch = scheduler.batch(of: missing.job), let program = batches[batch]?.programID
      {
        if missing.lines {
          workers[worker]?.lane?.noteUnseen()
        } else {
          workers[worker]?.programs.removeAll { $0 == program }
        }
      }
      try act(on: .jobReturned(worker, missing.job, attempt: missing.attempt))
    case .failure(let failure)?:
      workers[worker]?.reading.removeValue(forKey: failure.job)
      if scheduler.isCurrent(worker, failure.job, attempt: failure.attempt),
        let batch = scheduler.batch(of: failure.job)
      {
        try fail(batch, failure.reason)
      }
      try act(on: .jobReturned(worker, failure.job, attempt: failure.attempt))
    case .goodbye?: try remove(worker)
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
    let worker = nextWorker
    nextWorker += 1
    workers[worker] = WorkerPeer(identity: identity, pid: hello.pid, lane: CoordinatorLane(hello.memory))
    workersByIdentity[identity] = worker
    log.info("worker \(worker) (process \(hello.pid)) joined")
    try act(on: .workerJoined(worker, credit: min(max(Int(hello.credit), 1), ReadyWorkers.maxCredit)))
  }

  /// A worker's word is checked before it counts.
  private func take(_ result: PoolFromWorker.Result, _ bulk: [Frame], from worker: WorkerID) throws(ZeroMQError) {
    workers[worker]?.reading.removeValue(forKey: result.job)
    let lane = workers[worker]?.lane
    lane?.note(seen: result.seen)
    // Also of a result that comes too late, as it gives their room back to the worker.
    let left = result.columns.compactMap { lane?.frame($0) }
    let columns = result.columns.isEmpty ? bulk : left
    if scheduler.isCurrent(worker, result.job, attempt: result.attempt), let slice = scheduler.slice(of: result.job),
      let batch = scheduler.batch(of: result.job).flatMap({ batches[$0] })
    {
      if result.rows != slice.rows, !(try hasItsRows(result.job, batch)) {
        return try act(on: .jobReturned(worker, result.job, attempt: result.attempt))
      }
      if let flaw = Self.flaw(of: result, columns, slice, variants: batch.variants.count) {
        log.warning("worker \(worker) answered a job with what is no result (\(flaw)); it is disconnected")
        return try turnAway(worker)
      }
      guard try store(columns, of: result.job, batch) else {
        return try act(on: .jobReturned(worker, result.job, attempt: result.attempt))
      }
      workers[worker]?.rows += UInt64(slice.rows)
      workers[worker]?.cacheHitRate = result.cacheHitRate
      throughput.add(rows: slice.rows)
      fleet?.noteSuccess()
    }
    try act(on: .jobDone(worker, result.job, attempt: result.attempt, duration: result.duration))
    if result.hasNext { try act(on: .jobStarted(worker, result.next.job, attempt: result.next.attempt)) }
  }

  /// Whether a job has the rows that its client claimed; the batch ends if not, or if that cannot be seen.
  private func hasItsRows(_ job: JobID, _ batch: OpenBatch) throws(ZeroMQError) -> Bool {
    var reason = Self.wrongClaim
    do throws(JournalError) {
      if try jobs[job]?.hasItsRows() ?? true { return true }
    } catch {
      reason = error.description
    }
    try fail(batch.id, reason)
    return false
  }

  /// Whatever else it says is not listened to: one that comes back again and again would have good rows blamed.
  private func turnAway(_ worker: WorkerID) throws(ZeroMQError) {
    guard let peer = workers[worker] else { return }
    if untrusted.count == Self.maxUntrusted { untrusted.removeAll() }
    untrusted.insert(peer.identity)
    fleet?.kill(pid: peer.pid)
    try remove(worker)
    try refuse(peer.identity, Self.distrust)
  }

  private static let distrust = "it answered a job with what is no result"

  private func refuse(_ identity: [UInt8], _ reason: String) throws(ZeroMQError) {
    var reply = PoolToWorker()
    reply.refused.reason = reason
    _ = try send(reply, [], to: identity)
  }

  /// What is wrong with a result, if anything is.
  private static func flaw(
    of result: PoolFromWorker.Result, _ columns: [Frame], _ slice: JobSlice, variants: Int
  ) -> String? {
    guard result.rows == slice.rows else { return "\(result.rows) rows instead of \(slice.rows)" }
    guard columns.count == variants else { return "\(columns.count) variants instead of \(variants)" }
    do throws(JobTable.Malformed) {
      for frame in columns {
        _ = try JobTable(frame.bytes, rows: Int(slice.rows), typeCount: ElementType.names.count)
      }
      return nil
    } catch {
      return error.reason
    }
  }

  func sendJob(_ job: JobID, _ attempt: UInt32, to worker: WorkerID) throws(ZeroMQError) {
    guard let bytes = jobs[job], let batch = scheduler.batch(of: job).flatMap({ batches[$0] }),
      let peer = workers[worker]
    else { return try act(on: .jobReturned(worker, job, attempt: attempt)) }
    var message = PoolToWorker.Job()
    message.job = job
    message.attempt = attempt
    message.program = .init(batch.programID)
    message.variants = batch.variants
    message.firstLine = bytes.firstLine
    message.firstRow = bytes.firstRow
    message.rows = bytes.rows
    message.deadline = UInt32(clamping: scheduler.deadline(of: job) / 1_000_000_000)
    if let memory = peer.lane?.offer { message.memory = memory }
    var bulk: [Frame] = []
    if !peer.programs.contains(batch.programID) {
      message.carriesProgram = true
      bulk.append(batch.program.share())
      workers[worker]?.note(program: batch.programID)
    }
    if let shown = bytes.shown(in: peer.lane) {
      message.lines = shown
      workers[worker]?.reading[job] = (bytes, batch)
    } else {
      let lines: Frame
      do throws(JournalError) { lines = try bytes.load() } catch {
        try fail(batch.id, error.description)
        return try act(on: .jobReturned(worker, job, attempt: attempt))
      }
      if let left = peer.lane?.leave([lines])?.first { message.lines = left } else { bulk.append(lines) }
    }
    var envelope = PoolToWorker()
    // Once, as each change in place would copy the job.
    envelope.job = message
    if try send(envelope, bulk, to: peer.identity) != .sent { try remove(worker) }
  }

  /// Stands in for the results of a row that no worker survives.
  func failRow(_ job: JobID, of id: BatchID) throws(ZeroMQError) {
    guard let bytes = jobs[job], let batch = batches[id] else { return }
    let line: UInt64
    do throws(JournalError) { line = try bytes.firstLineWithRow() } catch {
      return try fail(id, error.description)
    }
    guard try hasItsRows(job, batch) else { return }
    log.warning("line \(line) killed \(Scheduler.maxTries) workers; it is given up")
    let columns = batch.variants.map { _ in
      var columns = JobColumns()
      columns.appendBadRow(
        id: String(bytes.firstRow),
        error: "line \(line): laying it out ended \(Scheduler.maxTries) worker processes, one after the other")
      return Frame(columns)
    }
    _ = try store(columns, of: job, batch)
  }

  func split(_ job: JobID) throws(ZeroMQError) {
    var halves: (JobBytes, JobBytes)?
    var reason = Self.wrongClaim
    do throws(JournalError) { halves = try jobs[job]?.halved() } catch { reason = error.description }
    guard let (first, second) = halves else {
      if let batch = scheduler.batch(of: job) { try fail(batch, reason) }
      return
    }
    let next = scheduler.nextJobID
    jobs[next] = first
    jobs[next + 1] = second
    try act(on: .jobSplit(job, first.slice, second.slice))
  }

  // MARK: Workers that go

  func removeWorker(pid: pid_t) throws(ZeroMQError) {
    if let worker = workers.first(where: { $0.value.pid == Int64(pid) })?.key { try remove(worker) }
  }

  func remove(_ worker: WorkerID) throws(ZeroMQError) {
    guard let peer = forget(worker) else { return }
    log.info("worker \(worker) (process \(peer.pid)) left")
    try act(on: .workerLeft(worker))
  }

  private func forget(_ worker: WorkerID) -> WorkerPeer? {
    guard let peer = workers.removeValue(forKey: worker) else { return nil }
    workersByIdentity.removeValue(forKey: peer.identity)
    if let memory = peer.lane?.peers {
      for (lines, batch) in peer.reading.values { batch.strays.append((lines, memory)) }
    }
    return peer
  }

  /// It may be stopped or cut off; if it comes back it says hello as a new one.
  func expire(_ worker: WorkerID) {
    guard let peer = forget(worker) else { return }
    log.warning("worker \(worker) (process \(peer.pid)) did not finish a job in time; others do it")
    fleet?.kill(pid: peer.pid)
  }
}
