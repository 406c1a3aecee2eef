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
    let batch = job.batch
    let results = job.columns.map {
      OpenBatch.Results(firstRow: job.bytes.firstRow, rows: job.bytes.rows, columns: $0)
    }
    guard let stored = job.stored else {
      if let results { try tellSoon(batch, results) }
      return
    }
    if let results, batch.client != nil, batch.sendsResults {
      if batch.outbox.sendAtOnce(stored, window: window) { try tellSoon(batch, results) }
    } else {
      batch.outbox.append(stored)
      try pump(batch)
    }
  }

  /// Nanoseconds between results that a client is told of. Those of short jobs go together: each time costs the wake-ups
  /// of a few threads, here and there.
  private static let pause: UInt64 = 1_000_000

  private func tellSoon(_ batch: OpenBatch, _ results: OpenBatch.Results) throws(ZeroMQError) {
    batch.untold.append(results)
    if Clock.monotonic() >= batch.toldAt + Self.pause {
      try tellResults(batch)
    } else if !batch.awaitsTelling {
      batch.awaitsTelling = true
      batchesToTell.append(batch)
    }
  }

  /// Tells clients of results that have waited for others.
  func tellResults() throws(ZeroMQError) {
    guard !batchesToTell.isEmpty else { return }
    let now = Clock.monotonic()
    for batch in batchesToTell where now >= batch.toldAt + Self.pause {
      batch.awaitsTelling = false
      try tellResults(batch)
    }
    batchesToTell.removeAll { !$0.awaitsTelling }
  }

  /// Tells a batch's client of all results that it is to be told of.
  func tellResults(_ batch: OpenBatch) throws(ZeroMQError) {
    guard !batch.untold.isEmpty else { return }
    batch.toldAt = Clock.monotonic()
    let untold = batch.untold
    batch.untold.removeAll(keepingCapacity: true)
    var told = 0
    while told < untold.count {
      let leases = untold[told...].prefix(Self.mostRuns).prefix { batch.lane?.lease(of: $0.columns) != nil }
      if leases.count > 1 {
        guard try tell(batch, leases) else { return }
        told += leases.count
      } else {
        guard try tell(batch, untold[told]) else { return }
        told += 1
      }
    }
  }

  /// Runs of rows that go in a message.
  private static let mostRuns = 100

  /// Tells of results that all lie in workers' memory.
  private func tell(_ batch: OpenBatch, _ several: ArraySlice<OpenBatch.Results>) throws(ZeroMQError) -> Bool {
    var envelope = PoolToClient()
    envelope.runs.batch = batch.client?.number ?? 0
    let leases = several.compactMap { batch.lane?.lease(of: $0.columns) }
    envelope.runs.rows = zip(several, leases).map { results, lease in
      var rows = PoolToClient.Rows(results, of: batch)
      rows.columns = lease.handedOver
      return rows
    }
    guard try tell(batch, envelope) else { return false }
    for lease in leases { noteHandedOver(lease, batch) }
    return true
  }

  private func tell(_ batch: OpenBatch, _ results: OpenBatch.Results) throws(ZeroMQError) -> Bool {
    var rows = PoolToClient.Rows(results, of: batch)
    let lease = batch.lane?.lease(of: results.columns)
    let left = lease?.handedOver ?? batch.lane?.leave(columns: results.columns)
    if let left { rows.columns = left }
    var envelope = PoolToClient()
    envelope.rows = rows
    guard try tell(batch, envelope, left == nil ? results.columns : []) else { return false }
    if let lease { noteHandedOver(lease, batch) }
    return true
  }

  private func noteHandedOver(_ lease: Lease, _ batch: OpenBatch) {
    if let lane = batch.lane { handedOver.add(lease, to: lane.peers) }
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
      try tellResults(batch)
      var columns: [Frame] = []
      do throws(JournalError) { for place in result.columns { columns.append(try journal.file.read(place)) } } catch {
        return try fail(batch.id, error.description)
      }
      let results = OpenBatch.Results(firstRow: result.firstRow, rows: result.rows, columns: columns)
      guard try tell(batch, results) else { return }
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

extension PoolToClient.Rows {
  /// Without their columns.
  fileprivate init(_ results: OpenBatch.Results, of batch: OpenBatch) {
    self.init()
    (self.batch, firstRow, rows) = (batch.client?.number ?? 0, results.firstRow, results.rows)
  }
}
