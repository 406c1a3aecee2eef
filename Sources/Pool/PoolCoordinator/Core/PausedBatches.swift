import PoolScheduler

/// The batches that pause because their journals cannot be written or read.
struct PausedBatches {
  /// Nanoseconds between log lines about them.
  private static let logInterval: UInt64 = 60_000_000_000

  private(set) var ids: Set<BatchID> = []
  /// The reason why the file system of the spool cannot be used; nil if it can, or if batches pause only at a limit.
  private(set) var failure: String?
  /// The time of the first pause, and the number of pauses since then.
  private var since: UInt64 = 0
  private var count = 0
  private var loggedAt: UInt64 = 0

  /// Adds a batch. Returns the message to log.
  mutating func add(_ id: BatchID, _ reason: String, at now: UInt64) -> String? {
    if ids.isEmpty { (since, count, loggedAt) = (now, 0, 0) }
    if ids.insert(id).inserted { count += 1 }
    guard loggedAt == 0 || now >= loggedAt + Self.logInterval else { return nil }
    loggedAt = max(now, 1)
    return count == 1
      ? "batch \(BatchName.text(id)) pauses until its journal can be used again: \(reason)"
      : "\(ids.count) batches pause until their journals can be used again; batch \(BatchName.text(id)): \(reason)"
  }

  /// Records why the journal of a batch cannot be written or read.
  mutating func noteFailure(_ reason: String) { failure = reason }

  /// Removes a batch. Returns the message to log.
  mutating func remove(_ id: BatchID, at now: UInt64) -> String? {
    guard ids.remove(id) != nil, ids.isEmpty else { return nil }
    failure = nil
    return "no batch is paused now; \(count) were paused within \((now - since) / 1_000_000_000) s"
  }
}
