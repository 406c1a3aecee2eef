import Buffers
import PoolProtocol
import PoolScheduler

/// Rows are received from clients and cut into jobs. Those of kept batches are first written to the journal.
extension CoordinatorCore {
  static let wrongClaim = "a chunk has another number of rows than its header states"
  static let damagedRows = "rows of the batch were damaged on their way: they differ from their checksum"

  /// Adds a chunk that a client has sent.
  ///
  /// - Parameters:
  ///   - checksum: The XXH3 of the lines; zero for none.
  ///   - seenToken: The token of the coordinator's memory that the client has mapped; zero for none.
  mutating func add(
    _ chunk: RowsChunk<SharedRange?>, checksum: UInt64, seenToken: UInt64, _ parts: [OwnedBytes],
    _ client: ClientConnection.ID
  ) {
    // Rows may be received before the journal is created. They are written behind its first record.
    guard let batch = batch(of: client) else { return }
    let channel = batch.client.connection?.channel
    let lines = chunk.lines.map { channel?.peer.bytes(of: $0) } ?? parts.first
    guard !batch.isComplete, chunk.firstRow == batch.rows.received else {
      // A repeated submission repeats rows. After a kept batch was resumed, rows can arrive before missing earlier ones; the
      // client sends the missing ones again.
      if batch.isKept || chunk.firstRow < batch.rows.received { return }
      return fail(batch.id, "the rows of the batch were received out of order")
    }
    guard let lines else {
      guard batch.isKept else {
        return fail(batch.id, "the shared memory of the client lacks rows that its message refers to")
      }
      // The client repeats them through the socket.
      batch.client.endSharingMemory()
      return accept(batch)
    }
    guard checksum == 0 || lines.checksum == checksum else {
      guard !batch.rows.noteDamage(), batch.isKept else { return fail(batch.id, Self.damagedRows) }
      log(.warning, "batch \(batch.name): \(Self.damagedRows); its client sends them again")
      return accept(batch)
    }
    channel?.confirm(token: seenToken)
    // The client retains the rows and repeats them when the batch continues.
    if batch.storesRows && batch.journal.pauseReason != nil { return batch.rows.refuse() }
    let received = chunk.moved(to: lines)
    guard batch.rows.receive(received, configuration.flowControl) else {
      return fail(
        batch.id, "its client sent \(batch.rows.underWay.bytes) bytes of rows, which exceed its window")
    }
    state.metrics.rowBytesReceived += UInt64(lines.count)
    if batch.storesRows {
      write(.chunk(received), of: batch)
    } else {
      addStored(chunk.moved(to: .memory(lines)), to: batch)
    }
  }

  /// The journal has a chunk, or the batch stores no rows.
  mutating func addStored(_ chunk: RowsChunk<BatchRows.UncutLines>, to batch: OpenBatch) {
    // A client that detaches does not wait for results.
    batch.rows.store(chunk, releases: !batch.isHeldInMemory, at: now)
    if batch.isKept, let client = batch.client.connection {
      send(
        .stored(batch: client.id.number, rows: batch.rows.stored, isComplete: batch.rows.isStored),
        toClient: client.id.identity)
    }
    cutMore(batch)
  }

  /// Cuts chunks into jobs while few jobs of the batch are queued, so that later jobs use newer measurements of the time per
  /// row. Chunks of a paused batch remain uncut.
  mutating func cutMore(_ batch: OpenBatch) {
    let enough = configuration.flowControl.queuedJobs(workers: state.workers.count)
    while let queued = state.scheduler.batch(batch.id)?.queued, queued < enough, batch.journal.pauseReason == nil,
      batch.journal.appends.count < Self.maxWaitingRecords, let uncut = batch.rows.uncut.first
    {
      switch uncut.chunk.lines {
      case .memory(let lines):
        batch.rows.cutFirst()
        guard let event = cut(uncut, lines, batch) else { return fail(batch.id, Self.wrongClaim) }
        act(on: event)
      case .journal(let range):
        batch.rows.beginReading()
        return read(.chunk(range), of: batch)
      case .reading: return
      case .lost: act(on: cutLost(uncut.chunk, batch))
      }
    }
  }

  /// Cuts a chunk into jobs and adds them under the numbers that the scheduler gives them with the event; nil when the
  /// number of rows of the chunk differs from its header.
  private mutating func cut(_ uncut: BatchRows.Uncut, _ lines: OwnedBytes, _ batch: OpenBatch) -> SchedulerEvent? {
    let jobBytes = state.scheduler.jobBytes(of: batch.id, outOf: lines.count)
    let cut = uncut.chunk.moved(to: lines).cut(
      jobBytes: jobBytes, counts: batch.isKept, stored: batch.results.recovered)
    guard let cut else { return nil }
    // Blank lines at the end belong to no job.
    let withRows = cut.filter { $0.rows > 0 }
    var isDone: [Bool] = []
    for (offset, chunk) in withRows.enumerated() {
      let job = OpenJob(chunk, of: batch, readySince: uncut.readySince)
      let result = batch.results.takeRecovered(at: chunk.firstRow)
      // Results of rows that have changed since then are not used.
      if let result, result.linesHash == chunk.hash, result.rows == chunk.rows { job.finish(JobResult(result)) }
      state.jobs[state.scheduler.nextJobID + UInt64(offset)] = job
      if job.result == nil && !state.programs.contains(batch.description.program) {
        store(
          badRowsOf: job,
          "its cells file is lost: the spool of the coordinator does not have it, or it is damaged there")
      }
      isDone.append(job.result != nil)
    }
    return .jobsAdded(batch.id, withRows.map(\.slice), isDone: isDone, isLast: uncut.chunk.isLast)
  }
}
