import Buffers
import PoolMemory
import PoolProtocol
import PoolScheduler

/// Results are delivered from workers to clients. Those of kept batches are first written to the journal.
extension CoordinatorCore {
  /// Stores the columns of a job.
  ///
  /// - Parameter checksums: The XXH3 of the columns of each variant, which the worker has computed; nil where the columns are
  ///   the coordinator's own.
  mutating func store(_ columns: [OwnedBytes], _ checksums: [UInt64]? = nil, of job: OpenJob) {
    let result = JobResult(
      job.chunk, columns: columns, checksums: checksums ?? columns.map(\.checksum), isKept: job.batch.isKept)
    job.finish(result)
    guard job.batch.isKept else { return }
    write(.result(result), of: job.batch)
  }

  /// Results are in the journal.
  mutating func noteStoredResult(_ result: JobResult, _ ranges: [JournalRange], in batch: OpenBatch) {
    result.stored = ranges
    if !batch.isHeldInMemory { result.columns = nil }
    sendResults(of: batch)
  }

  /// The results of a job are the next of its batch.
  mutating func deliver(_ id: JobID) {
    guard let job = state.jobs[id], let result = job.result, state.batches[job.batch.id] != nil else { return }
    let batch = job.batch
    if batch.isKept {
      if !batch.results.queue.append(result), let client = batch.client.connection {
        // The journal has lost results with its last writes, and the rows were cut into other jobs.
        refuse(client.id, Self.noResults(of: batch, at: batch.results.queue.firstMissingRow))
        loseClient(of: batch)
      }
      sendResults(of: batch)
    } else if let columns = result.columns {
      enqueue(result.run(with: columns), of: batch)
    }
  }

  /// Sends stored results of a kept batch as long as the client's window has room.
  mutating func sendResults(of batch: OpenBatch) {
    guard batch.isKept, let client = batch.client.connection, client.wantsResults else {
      return batch.results.queue.dropStoredColumns()
    }
    let window = configuration.flowControl.resultWindow(batches: state.batches.count)
    while let result = batch.results.queue.next(window: window) {
      guard let columns = result.columns else {
        if !batch.journal.isReadingResults, result.stored != nil {
          read(.results(result, fetch: client.fetch), of: batch)
        }
        break
      }
      batch.results.queue.noteSent()
      enqueue(result.run(with: columns), of: batch)
    }
    batch.results.queue.dropStoredColumns()
    if batch.results.queue.isAllSent { sendEnd(of: batch) }
  }

  mutating func noteRead(_ columns: [OwnedBytes], of result: JobResult, fetch: UInt64, in batch: OpenBatch) {
    // In the meantime, the client may have disconnected or begun again at another row.
    let window = configuration.flowControl.resultWindow(batches: state.batches.count)
    if batch.client.connection?.fetch == fetch, batch.results.queue.next(window: window) === result {
      result.columns = columns
    }
    sendResults(of: batch)
  }

  mutating func noteAcknowledgement(_ client: ClientConnection.ID, _ rows: UInt64, _ token: UInt64) {
    guard let batch = batch(of: client), batch.isKept else { return }
    batch.client.connection?.channel?.confirm(token: token)
    batch.results.queue.acknowledge(upTo: rows)
    sendResults(of: batch)
  }

  // MARK: Flushing

  /// The results of short jobs are sent in one message, because each message wakes threads in both processes.
  private mutating func enqueue(_ results: ResultRun<[OwnedBytes]>, of batch: OpenBatch) {
    batch.results.enqueue(results)
    batch.rows.releaseWindow(upTo: results.endRow)
    if now >= batch.results.flushedAt + configuration.flowControl.flushInterval {
      flush(batch)
    } else if batch.results.awaitFlush() {
      state.unflushed.append(batch)
    }
  }

  /// Sends results that have waited for `flushInterval`.
  mutating func flushDueResults() {
    guard !state.unflushed.isEmpty else { return }
    for batch in state.unflushed where now >= batch.results.flushedAt + configuration.flowControl.flushInterval {
      batch.results.endAwaitingFlush()
      flush(batch)
    }
    state.unflushed.removeAll { !$0.results.awaitsFlush }
  }

  /// Sends all results of a batch that wait for others.
  mutating func flush(_ batch: OpenBatch) {
    guard !batch.results.unsent.isEmpty, let client = batch.client.connection else { return }
    let unsent = batch.results.takeUnsent(at: now)
    for run in unsent { state.metrics.resultBytesSent += run.columns.reduce(0) { $0 + UInt64($1.count) } }
    var index = 0
    while index < unsent.count {
      // Runs in workers' memory are sent in one message.
      let leases = unsent[index...].prefix(ProtocolLimits.runsOfMessage).map { client.channel?.lease(of: $0.columns) }
        .prefix { $0 != nil }.compactMap { $0 }
      if leases.isEmpty {
        send(unsent[index], to: client)
        index += 1
      } else {
        send(unsent[index..<index + leases.count], leases, to: client)
        index += leases.count
      }
    }
  }

  /// Sends runs and transfers their leases to the client.
  private mutating func send(
    _ runs: ArraySlice<ResultRun<[OwnedBytes]>>, _ leases: [Lease], to client: ClientConnection
  ) {
    let rows: [ResultRun<SharedRange?>] = zip(runs, leases).map { run, lease in run.moved(to: lease.transferred) }
    send(.rows(batch: client.id.number, rows), toClient: client.id.identity)
    guard let reader = client.channel?.peer else { return }
    for lease in leases { state.transferred.add(lease, to: reader) }
  }

  private mutating func send(_ run: ResultRun<[OwnedBytes]>, to client: ClientConnection) {
    let left = client.channel?.leave(columns: run.columns)
    send(
      .rows(batch: client.id.number, [run.moved(to: left)]), left == nil ? run.columns : [],
      toClient: client.id.identity)
  }

  /// Reuses memory whose readers have ended.
  mutating func sweepSharedMemory() {
    state.transferred.sweep()
    for batch in state.batches.values { batch.rows.releaseLinesOfEndedWorkers() }
  }
}
