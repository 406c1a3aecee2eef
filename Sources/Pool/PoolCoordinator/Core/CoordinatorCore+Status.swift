import PoolProtocol
import PoolScheduler

/// The status and the metrics of the coordinator, and the list of all batches.
extension CoordinatorCore {
  /// Nanoseconds without a message after which an idle worker, which replies to a ping each second, counts as late.
  private static let longestSilence: UInt64 = 5_000_000_000

  /// Sends the parts of the status that a peer may see: an operator all, a client its own batches, a worker no batches. Metrics
  /// contain no names, so clients receive those of the whole pool.
  mutating func sendStatus(to identity: PeerIdentity, _ holder: KeyHolder) {
    var status = PoolStatus()
    var room = StatusRoom()
    status.rowsPerSecond = state.throughput.rowsPerSecond
    let ids = idsOfBatches(visibleTo: holder)
    status.batches = room.take(
      ids.prefix(ProtocolLimits.batchesOfStatus), texts: [\.name, \.input, \.waiting, \.owner]
    ) { self.status(ofBatch: $0) }
    let batches = ids.compactMap { state.batches[$0] }
    let clients = batches.filter { $0.client.connection != nil }
    status.clients = room.take(clients, texts: [\.host, \.key, \.batch]) { self.status(ofClientOf: $0) }
    let workers = state.workers.values.sorted { $0.id < $1.id }
    status.workers = room.take(workers, texts: [\.name, \.host, \.key]) { self.status(of: $0) }
    status.batchCount = UInt32(clamping: ids.count)
    status.clientCount = UInt32(clamping: clients.count)
    status.workerCount = UInt32(clamping: workers.count)
    (status.pid, status.host) = (configuration.origin.process, configuration.origin.host)
    status.memory = state.processMemory
    describe(&status, batches)
    if holder.maySubmit { status.metrics = metrics }
    send(.status(status), toClient: identity)
  }

  /// Sends a page of the batches that a peer may see: an operator all batches, a client its own.
  mutating func sendBatches(after name: String, to identity: PeerIdentity, _ holder: KeyHolder) {
    let last = BatchName.id(name) ?? 0
    let ids = idsOfBatches(visibleTo: holder).filter { $0 > last }
    let page = ids.prefix(ProtocolLimits.batchesOfStatus)
    let batches = page.compactMap { status(ofBatch: $0) }
    send(.batches(batches, hasMore: page.count < ids.count), toClient: identity)
  }

  /// Returns the numbers of the batches that a peer may see, in the order in which they were submitted. Only an operator sees
  /// those with unreadable journals, because their owners are unknown.
  private func idsOfBatches(visibleTo holder: KeyHolder) -> [BatchID] {
    let own = state.batches.values.filter { holder.mayUse(batchOf: $0.description.owner) }.map(\.id)
    let unreadable = holder.mayUse(batchOf: "") ? Array(state.unreadable.keys) : []
    // A failed batch whose journal was set aside is in both.
    return Set(own + unreadable).sorted()
  }

  /// Adds whether the coordinator accepts batches, and otherwise the reason, or why one of some batches pauses. Such a reason can name
  /// the key of the batch.
  private func describe(_ status: inout PoolStatus, _ batches: [OpenBatch]) {
    status.pausedBatches = UInt32(clamping: state.paused.ids.count)
    (status.spoolBytes, status.spoolLimit) = (UInt64(clamping: spoolUse), UInt64(configuration.spoolLimit ?? 0))
    let refusal = refusalOfAll ?? state.failedCreation.pause?.reason ?? state.paused.failure
    status.accepting = refusal == nil
    status.obstacle = refusal ?? batches.lazy.compactMap(\.journal.pauseReason).first ?? ""
  }

  /// The metrics up to the last event.
  package var metrics: PoolMetrics {
    var metrics = state.metrics
    metrics.uptime = Double(now - min(startedAt, now)) / 1e9
    metrics.retries = state.scheduler.retries
    metrics.jobsCopied = state.scheduler.copies
    metrics.workerRestarts = state.fleet.restarts
    return metrics
  }

  private func status(of worker: WorkerConnection) -> PoolStatus.Worker {
    var status = PoolStatus.Worker()
    status.name = "worker \(worker.id)"
    (status.pid, status.host) = (worker.hello.origin.process, worker.hello.origin.host)
    status.key = worker.holder.name
    status.jobs = UInt32(clamping: state.scheduler.worker(worker.id)?.jobCount ?? 0)
    status.rows = worker.state.rows
    status.cacheHitRate = worker.state.cacheHitRate
    let silence = now - min(worker.state.seenAt, now)
    status.seen = Double(silence) / 1e9
    if let (age, isLate) = state.scheduler.age(ofJobOn: worker.id) {
      (status.jobAge, status.late) = (Double(age) / 1e9, isLate)
    } else {
      status.late = silence > Self.longestSilence
    }
    return status
  }

  private func status(ofClientOf batch: OpenBatch) -> PoolStatus.Client? {
    guard let client = batch.client.connection else { return nil }
    var status = PoolStatus.Client()
    (status.host, status.pid) = (client.origin.host, client.origin.process)
    (status.key, status.batch) = (client.id.holder.name, batch.name)
    return status
  }

  private func status(ofBatch id: BatchID) -> PoolStatus.Batch? {
    state.batches[id].map { status(of: $0) } ?? state.unreadable[id].map { status(of: $0, id) }
  }

  private func status(of batch: OpenBatch) -> PoolStatus.Batch {
    var status = PoolStatus.Batch()
    status.name = batch.name
    status.owner = batch.description.owner
    status.input = batch.description.input
    status.priority = batch.description.priority
    status.rowsReceived = batch.rows.received
    if case .done(let rows) = batch.phase { status.rowsDone = rows }
    if let scheduled = state.scheduler.batch(batch.id) {
      status.rowsDone = scheduled.nextRow
      status.rowsRecovered = scheduled.recoveredRows
      status.queued = UInt32(scheduled.queued)
      status.running = UInt32(scheduled.running)
      status.retries = UInt32(scheduled.retries)
    }
    status.waiting = waiting(batch)
    status.age = batch.submittedAt.map { (now - min($0, now)) / 1_000_000_000 } ?? age(ofNumber: batch.id)
    status.journalBytes = UInt64(batch.journal.bytes)
    status.state =
      switch batch.phase {
      case .failed: "failed"
      case _ where batch.journal.pauseReason != nil: "paused"
      case .done: "done"
      case .creating: "receiving"
      case .open: batch.isComplete ? "running" : "receiving"
      }
    return status
  }

  private func status(of batch: UnreadableBatch, _ id: BatchID) -> PoolStatus.Batch {
    var status = PoolStatus.Batch()
    status.name = BatchName.text(id)
    status.age = age(ofNumber: id)
    status.journalBytes = UInt64(batch.bytes)
    status.state = "unreadable"
    status.waiting = "its journal \(batch.reason)"
    return status
  }

  /// Returns the seconds since a batch of an earlier coordinator was submitted. Its number is that time in milliseconds, or a later
  /// one if the clock was set back in between.
  private func age(ofNumber batch: BatchID) -> UInt64 {
    state.time.sinceEpoch > batch ? (state.time.sinceEpoch - batch) / 1000 : 0
  }

  /// Returns the reason why no job of a batch runs; empty if a job runs.
  private func waiting(_ batch: OpenBatch) -> String {
    switch batch.phase {
    case .failed(let reason): return "it failed: \(reason)"
    case .done where batch.journal.pauseReason != nil: return batch.journal.pauseReason ?? ""
    case .done:
      guard batch.client.connection == nil else { return "its client is slow" }
      return batch.description.isPartial ? "it is done and waits for its client" : "it is done and waits to be fetched"
    case .creating: return "its journal is being created"
    case .open: break
    }
    if let reason = batch.journal.pauseReason { return reason }
    guard let scheduled = state.scheduler.batch(batch.id), scheduled.running == 0 else { return "" }
    if scheduled.queued > 0 {
      return state.workers.isEmpty ? Self.noWorker : "all workers are busy with other batches"
    }
    if batch.isComplete { return "" }
    return batch.client.connection == nil
      ? "its client disconnected before it had sent all rows" : "all rows that were received are done"
  }
}
