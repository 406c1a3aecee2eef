import PoolMessages
import ZeroMQ

/// Results on their way from workers to clients, through the journal if the batch is kept.
extension Coordinator {
  /// Keeps the columns of a job; false if they cannot be kept, which ends the batch.
  func store(_ columns: [Frame], of job: OpenJob) throws(ZeroMQError) -> Bool {
    let batch = job.batch
    do throws(JournalError) {
      job.stored = try batch.journal?.append(job.bytes, columns)
    } catch {
      try fail(batch.id, error.description)
      return false
    }
    if batch.isHeldInMemory || batch.journal == nil { job.columns = columns }
    return true
  }

  func deliver(_ id: JobID) throws(ZeroMQError) {
    guard let job = jobs[id], batches[job.batch.id] != nil else { return }
    let (batch, bytes) = (job.batch, job.bytes)
    guard let stored = job.stored else {
      if let columns = job.columns { _ = try tell(batch, bytes.firstRow, bytes.rows, columns) }
      return
    }
    if let columns = job.columns, batch.client != nil, batch.sendsResults {
      if batch.outbox.sendAtOnce(stored, window: window) { _ = try tell(batch, bytes.firstRow, bytes.rows, columns) }
    } else {
      batch.outbox.append(stored)
      try pump(batch)
    }
  }

  private func tell(
    _ batch: OpenBatch, _ firstRow: UInt64, _ rows: UInt32, _ columns: [Frame]
  ) throws(ZeroMQError) -> Bool {
    var message = PoolToClient.Rows()
    message.batch = batch.client?.number ?? 0
    message.firstRow = firstRow
    message.rows = rows
    let leases = batch.lane?.leases(columns)
    let left = leases?.map(\.handedOver) ?? batch.lane?.leave(columns)
    message.columns = left ?? []
    var envelope = PoolToClient()
    envelope.rows = message
    guard try tell(batch, envelope, left == nil ? columns : []) else { return false }
    if let leases, let lane = batch.lane { handedOver.add(leases, to: lane.peers) }
    return true
  }

  /// Has memory used again that processes had which read no more.
  func sweepSharedMemory() {
    handedOver.sweep()
    for batch in batches.values { batch.strays.removeAll { $0.reader.isGone } }
  }

  /// Sends stored results as long as the client has room for them.
  func pump(_ batch: OpenBatch) throws(ZeroMQError) {
    guard batch.client != nil, batch.sendsResults, let journal = batch.journal else { return }
    while let result = batch.outbox.next(window: window) {
      var columns: [Frame] = []
      do throws(JournalError) { for place in result.columns { columns.append(try journal.file.read(place)) } } catch {
        return try fail(batch.id, error.description)
      }
      guard try tell(batch, result.firstRow, result.rows, columns) else { return }
    }
    if batch.outbox.isAllSent { try tellEnd(batch) }
  }

  func note(_ taken: PoolFromClient.Taken, _ client: OpenBatch.Client) throws(ZeroMQError) {
    guard let batch = batch(of: client), batch.journal != nil else { return }
    if taken.complete { return try close(batch.id) }
    batch.lane?.note(seen: taken.seen)
    batch.outbox.take(upTo: taken.rows)
    try pump(batch)
  }
}
