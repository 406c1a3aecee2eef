/// Workers that may take a job, by how many they have: the least busy one is found at a cost that does not depend on
/// how many there are.
///
/// An entry is a claim that may have become untrue since it was noted; whoever takes one checks it. No worker has more
/// than one entry of a load, so that untrue ones do not add up.
struct ReadyWorkers {
  /// Jobs that a worker can have at a time.
  static let maxCredit = 8

  private var byLoad = [[WorkerID]](repeating: [], count: maxCredit)
  /// Loads that a worker is noted with, a bit each.
  private var noted: [WorkerID: UInt8] = [:]

  mutating func note(_ worker: WorkerID, load: Int) {
    guard load < Self.maxCredit else { return }
    let bit = UInt8(1) << UInt8(load)
    guard noted[worker, default: 0] & bit == 0 else { return }
    noted[worker, default: 0] |= bit
    byLoad[load].append(worker)
  }

  mutating func forget(_ worker: WorkerID) {
    noted.removeValue(forKey: worker)
    for load in byLoad.indices { byLoad[load].removeAll { $0 == worker } }
  }

  /// Takes the entry of the least load that `isTrue`.
  mutating func take(_ isTrue: (WorkerID, Int) -> Bool) -> WorkerID? {
    for load in byLoad.indices {
      if let worker = take(load: load, { isTrue($0, load) }) { return worker }
    }
    return nil
  }

  /// Takes an entry of this load that `isTrue`.
  mutating func take(load: Int, _ isTrue: (WorkerID) -> Bool) -> WorkerID? {
    while let worker = byLoad[load].popLast() {
      noted[worker, default: 0] &= ~(1 << UInt8(load))
      if isTrue(worker) { return worker }
    }
    return nil
  }
}
