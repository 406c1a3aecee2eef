import PoolMessages
import ZeroMQ

/// Rows on their way from clients to jobs, through the journal if the batch is kept.
extension Coordinator {
  func add(_ chunk: PoolFromClient.Chunk, _ bulk: [Frame], _ client: OpenBatch.Client) throws(ZeroMQError) {
    guard let batch = batch(of: client) else { return }
    let frame = chunk.hasLines ? batch.lane?.lines(chunk.lines) : bulk.first
    guard !batch.isComplete, chunk.firstRow == batch.nextRow else {
      // Of a kept batch, rows can come twice or too early when it was asked for again; those that lack come once more.
      if batch.journal != nil { return }
      return try fail(batch.id, "the rows of the batch came out of order")
    }
    guard let lines = frame else {
      guard batch.journal != nil else {
        return try fail(batch.id, "rows of the batch are not where they should be")
      }
      // They come again, and by the socket.
      batch.lane = nil
      return try accept(batch)
    }
    batch.lane?.note(seen: chunk.seen)
    var chunk = chunk
    chunk.clearLines()
    chunk.seen = 0
    var source = JobBytes.Source.memory(lines)
    if let journal = batch.journal, !batch.resendsRows {
      do throws(JournalError) {
        let place = try journal.append(chunk, lines)
        if let place, !batch.isHeldInMemory { source = .journal(journal.file, place) }
        if chunk.last { try journal.file.synchronize() }
      } catch {
        return try fail(batch.id, error.description)
      }
    }
    take(chunk, at: source, bytes: lines.count, batch)
    if batch.journal != nil { try confirm(batch) }
    try cutMore(batch)
  }

  func take(_ chunk: PoolFromClient.Chunk, at source: JobBytes.Source, bytes: Int, _ batch: OpenBatch) {
    batch.nextRow = chunk.firstRow &+ UInt64(chunk.rows)
    batch.isComplete = chunk.last
    batch.inputBytes = chunk.inputBytes
    batch.inputHash = chunk.inputHash
    let whole = JobBytes(
      source: source, start: 0, count: bytes, firstLine: chunk.firstLine, firstRow: chunk.firstRow, rows: chunk.rows,
      file: chunk.file, isKept: batch.journal != nil)
    batch.uncut.append((whole, isLast: chunk.last))
  }

  /// Cuts chunks into jobs as long as few jobs of the batch are queued: those that are wanted later can be cut by what is
  /// known then of how long rows take.
  func cutMore(_ batch: OpenBatch) throws(ZeroMQError) {
    let enough = max(Self.queuedJobs, workers.count * 4)
    while let queued = scheduler.batches[batch.id]?.queued, queued < enough, let uncut = batch.uncut.popFirst() {
      let event: SchedulerEvent?
      do throws(JournalError) { event = try cut(uncut.chunk, isLast: uncut.isLast, batch) } catch {
        return try fail(batch.id, error.description)
      }
      guard let event else { return try fail(batch.id, Self.wrongClaim) }
      try act(on: event)
    }
  }

  private static let queuedJobs = 8
  static let wrongClaim = "a chunk has not the rows that it claims"

  /// Cuts a chunk into jobs and files them under the numbers that the scheduler will give them when it is told; nil when
  /// the chunk has not the rows that it claims.
  private func cut(_ chunk: JobBytes, isLast: Bool, _ batch: OpenBatch) throws(JournalError) -> SchedulerEvent? {
    let jobBytes = scheduler.jobBytes(of: batch.id, outOf: chunk.count)
    guard let cut = try chunk.cut(jobBytes: jobBytes, done: { [recovered = batch.recovered] in recovered[$0]?.rows })
    else { return nil }
    // A run of blank lines at the end belongs to no job.
    let withRows = cut.filter { $0.rows > 0 }
    var isDone: [Bool] = []
    for (offset, bytes) in withRows.enumerated() {
      let job = OpenJob(bytes, of: batch)
      let result = batch.recovered.removeValue(forKey: bytes.firstRow)
      // Of rows that are others by now nothing is done.
      if let result, result.inputHash == bytes.hash, result.rows == bytes.rows { job.stored = result }
      isDone.append(job.stored != nil)
      jobs[scheduler.nextJobID + UInt64(offset)] = job
    }
    return .jobsAdded(batch.id, withRows.map(\.slice), isDone: isDone, isLast: isLast)
  }

  private func confirm(_ batch: OpenBatch) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.stored.batch = batch.client?.number ?? 0
    reply.stored.rows = batch.nextRow
    reply.stored.isComplete = batch.isComplete
    _ = try tell(batch, reply)
  }
}
