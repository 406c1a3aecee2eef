/// Workers that may take a job, by how many they have: the least busy one is found at a cost that does not depend on
/// how many there are.
///
/// An entry is a claim that may have become untrue since it was noted; whoever takes one checks it. No worker has more
/// than one entry of a load, so that untrue ones do not add up.
struct ReadyWorkers {
  /// Jobs that a worker can have at a time.
  static let maxCredit = 8

  private var byLoad = [[Scheduler.Worker]](repeating: [], count: maxCredit)

  /// With the jobs that it has now.
  mutating func note(_ worker: Scheduler.Worker) {
    let load = worker.jobs.count
    guard load < Self.maxCredit, worker.noted & Self.bit(load) == 0 else { return }
    worker.noted |= Self.bit(load)
    byLoad[load].append(worker)
  }

  mutating func forget(_ worker: Scheduler.Worker) {
    for load in byLoad.indices { byLoad[load].removeAll { $0 === worker } }
  }

  /// Takes the one that has the fewest jobs of those that take more.
  mutating func take() -> Scheduler.Worker? {
    for load in byLoad.indices {
      while let worker = takeAny(load: load) {
        if worker.jobs.count == load && worker.takesMore { return worker }
      }
    }
    return nil
  }

  /// Takes one that has nothing to do.
  mutating func takeIdle() -> Scheduler.Worker? {
    while let worker = takeAny(load: 0) {
      if worker.jobs.isEmpty { return worker }
    }
    return nil
  }

  private mutating func takeAny(load: Int) -> Scheduler.Worker? {
    guard let worker = byLoad[load].popLast() else { return nil }
    worker.noted &= ~Self.bit(load)
    return worker
  }

  private static func bit(_ load: Int) -> UInt8 { 1 << UInt8(load) }
}
