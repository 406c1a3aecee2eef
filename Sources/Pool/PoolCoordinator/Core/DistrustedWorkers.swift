import PoolProtocol
import PoolScheduler

/// The workers that are refused for a time because several of their replies could not be used.
///
/// A worker is recognized by its key and its machine, also after a restart; without keys by its machine and its process. One key
/// can serve many machines, of which one has a fault. A key that has faults on several machines is refused everywhere, because its
/// holder states the names of the machines.
struct DistrustedWorkers {
  /// Nanoseconds for which a worker is refused.
  static let time: UInt64 = 600_000_000_000
  /// The number of workers that are remembered.
  static let maxCount = 10_000
  /// The number of machines with faults from which on a key is refused everywhere.
  static let machinesOfKey = 3

  /// What a worker has in common with itself after a restart.
  struct Origin: Hashable {
    let key: String
    let host: String
    /// Zero for a worker with a key.
    let process: Int64

    init(_ holder: KeyHolder, _ origin: PeerOrigin) {
      (key, host, process) = (holder.name, origin.host, holder.name.isEmpty ? origin.process : 0)
    }
  }

  private struct Entry {
    /// The time in nanoseconds until which the worker is refused.
    let end: UInt64
    /// The batch whose program the worker could not use, if this is the only reason.
    let batch: BatchID?
  }

  private var entries: [Origin: Entry] = [:]

  var count: Int { entries.count }

  /// Distrusts a worker from now on.
  ///
  /// - Parameter batch: The batch whose program the worker could not use, if this is the only reason.
  mutating func add(_ origin: Origin, at now: UInt64, becauseOf batch: BatchID? = nil) {
    removeExpired(at: now)
    if entries.count == Self.maxCount, let oldest = entries.min(by: { $0.value.end < $1.value.end })?.key {
      entries.removeValue(forKey: oldest)
    }
    let isOnlyReason = entries[origin].map { $0.batch == batch } ?? true
    entries[origin] = Entry(end: now + Self.time, batch: isOnlyReason ? batch : nil)
  }

  /// Accepts again the workers that were distrusted only because they could not use the program of a batch.
  mutating func pardon(_ batch: BatchID) { entries = entries.filter { $0.value.batch != batch } }

  /// Returns whether a worker is refused.
  mutating func contains(_ origin: Origin, at now: UInt64) -> Bool {
    guard !entries.isEmpty else { return false }
    removeExpired(at: now)
    if entries[origin] != nil { return true }
    return !origin.key.isEmpty && entries.keys.count { $0.key == origin.key } >= Self.machinesOfKey
  }

  private mutating func removeExpired(at now: UInt64) { entries = entries.filter { $0.value.end > now } }
}
