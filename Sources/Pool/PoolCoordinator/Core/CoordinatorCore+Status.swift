import PoolProtocol

/// What the coordinator reports of itself.
extension CoordinatorCore {
  func sendStatus(to identity: PeerIdentity) {
    var status = PoolStatus()
    status.rowsPerSecond = state.throughput.rowsPerSecond
    status.workers = state.workers.sorted { $0.key < $1.key }.map { id, worker in
      var status = PoolStatus.Worker()
      status.name = "worker \(id)"
      status.process = worker.process
      status.jobs = UInt32(state.scheduler.worker(id)?.jobCount ?? 0)
      status.rows = worker.state.rows
      status.cacheHitRate = worker.state.cacheHitRate
      return status
    }
    status.batchCount = UInt32(state.batches.count + state.unreadable.keys.count { state.batches[$0] == nil })
    status.batches = state.batches.sorted { $0.key < $1.key }.prefix(ProtocolLimits.batchesOfStatus).map {
      self.status(of: $0.value)
    }
    emit(.sendToClient(.status(status), [], identity))
  }

  func status(of batch: OpenBatch) -> PoolStatus.Batch {
    var status = PoolStatus.Batch()
    status.name = batch.name
    status.input = batch.description.input
    status.priority = batch.description.priority
    status.rowsReceived = batch.state.receivedRows
    if case .done(let rows) = batch.state.phase { status.rowsDone = rows }
    if let scheduled = state.scheduler.batch(batch.id) {
      status.rowsDone = scheduled.nextRow
      status.rowsRecovered = scheduled.recoveredRows
      status.queued = UInt32(scheduled.queued)
      status.running = UInt32(scheduled.running)
      status.retries = UInt32(scheduled.retries)
    }
    status.waiting = waiting(batch)
    describeJournal(of: batch, in: &status)
    return status
  }

  /// Returns why no job of a batch runs; empty when one does.
  private func waiting(_ batch: OpenBatch) -> String {
    switch batch.state.phase {
    case .failed(let reason): return "it failed: \(reason)"
    case .done where batch.state.pauseReason != nil: return batch.state.pauseReason ?? ""
    case .done: return batch.state.client == nil ? "it is done and waits to be fetched" : "its client is slow"
    case .creating: return "its journal is being created"
    case .open: break
    }
    if let reason = batch.state.pauseReason { return reason }
    guard let scheduled = state.scheduler.batch(batch.id), scheduled.running == 0 else { return "" }
    if scheduled.queued > 0 {
      return state.workers.isEmpty ? "no worker is connected" : "all workers are busy with other batches"
    }
    if batch.isComplete { return "" }
    return batch.state.client == nil
      ? "its client went before all rows had come" : "no rows have come yet that are not done"
  }
}
