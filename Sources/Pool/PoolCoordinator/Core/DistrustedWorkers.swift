import PoolProtocol

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

  /// The times in nanoseconds until which workers are refused.
  private var ends: [Origin: UInt64] = [:]

  var count: Int { ends.count }

  /// Distrusts a worker from now on.
  mutating func add(_ origin: Origin, at now: UInt64) {
    removeExpired(at: now)
    if ends.count == Self.maxCount, let oldest = ends.min(by: { $0.value < $1.value })?.key {
      ends.removeValue(forKey: oldest)
    }
    ends[origin] = now + Self.time
  }

  /// Returns whether a worker is refused.
  mutating func contains(_ origin: Origin, at now: UInt64) -> Bool {
    guard !ends.isEmpty else { return false }
    removeExpired(at: now)
    if ends[origin] != nil { return true }
    return !origin.key.isEmpty && ends.keys.count { $0.key == origin.key } >= Self.machinesOfKey
  }

  private mutating func removeExpired(at now: UInt64) { ends = ends.filter { $0.value > now } }
}
