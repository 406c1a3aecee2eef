import Glibc
import PoolMessages
import ZeroMQ

/// What the coordinator tells of itself.
extension Coordinator {
  func sendStatus(to identity: [UInt8]) throws(ZeroMQError) {
    var reply = PoolToClient()
    reply.status.version = Version.current
    reply.status.pid = Int64(getpid())
    reply.status.rowsPerSecond = throughput.rowsPerSecond
    reply.status.memory = UInt64(ResidentMemory.bytes)
    reply.status.workers = workers.sorted { $0.key < $1.key }.map { id, peer in
      var status = PoolToClient.WorkerStatus()
      status.name = "worker \(id)"
      status.pid = peer.pid
      status.jobs = UInt32(scheduler.workers[id]?.jobs.count ?? 0)
      status.rows = peer.rows
      status.cacheHitRate = peer.cacheHitRate
      return status
    }
    // An envelope holds so many; the oldest are told.
    reply.status.batches = batches.sorted { $0.key < $1.key }.prefix(200).map { status(of: $0.value) }
    _ = try send(reply, [], to: identity)
  }

  private func status(of batch: OpenBatch) -> PoolToClient.BatchStatus {
    var status = PoolToClient.BatchStatus()
    status.name = batch.name
    status.input = batch.input
    status.priority = batch.priority
    status.rowsReceived = batch.nextRow
    status.rowsDone = batch.doneRows ?? 0
    if let known = scheduler.batches[batch.id] {
      status.rowsDone = known.nextRow
      status.rowsRecovered = known.recoveredRows
      status.queued = UInt32(known.queued)
      status.running = UInt32(known.running)
      status.retries = UInt32(known.retries)
    }
    status.waiting = whyItWaits(batch)
    return status
  }

  /// Empty for a batch of which something runs.
  private func whyItWaits(_ batch: OpenBatch) -> String {
    if let failure = batch.failure { return "it failed: \(failure)" }
    if batch.doneRows != nil {
      return batch.client == nil ? "it is done and waits to be fetched" : "its client is slow"
    }
    guard let known = scheduler.batches[batch.id], known.running == 0 else { return "" }
    if known.queued > 0 {
      return workers.isEmpty ? "no worker is connected" : "all workers are busy with other batches"
    }
    if batch.isComplete { return "" }
    return batch.client == nil ? "its client went before all rows had come" : "no rows have come yet that are not done"
  }
}

/// Rows done of late.
struct Throughput {
  /// Nanoseconds over which it is taken.
  private static let span: UInt64 = 5_000_000_000

  private var rows: UInt64 = 0
  private var marks: [(time: UInt64, rows: UInt64)] = []

  mutating func add(rows count: UInt32) { rows += UInt64(count) }

  mutating func note(_ now: UInt64) {
    marks.append((now, rows))
    while let first = marks.first, marks.count > 2, now - first.time > Self.span { marks.removeFirst() }
  }

  var rowsPerSecond: Double {
    guard let first = marks.first, let last = marks.last, last.time > first.time else { return 0 }
    return Double(last.rows - first.rows) / (Double(last.time - first.time) / 1e9)
  }
}
