import PoolProtocol

/// The workers with credit, by their number of jobs. The least busy worker is found in constant time.
///
/// An entry may have become outdated since it was added; the function that takes one checks it. No worker has more than one entry
/// of a load, so that outdated ones do not accumulate.
struct ReadyWorkers {
  private var byLoad = [[Scheduler.Worker]](repeating: [], count: ProtocolLimits.jobsOfWorker)

  /// Adds a worker with the number of jobs that it has now.
  mutating func insert(_ worker: Scheduler.Worker) {
    let load = worker.state.jobs.count
    guard load < ProtocolLimits.jobsOfWorker, worker.state.listedLoads & Self.bit(load) == 0 else { return }
    worker.state.listedLoads |= Self.bit(load)
    byLoad[load].append(worker)
  }

  mutating func remove(_ worker: Scheduler.Worker) {
    for load in byLoad.indices { byLoad[load].removeAll { $0 === worker } }
  }

  /// Removes and returns the worker with the fewest jobs of those with credit.
  ///
  /// - Parameter now: The scheduler's time. A late worker remains listed, because it can take jobs again when it is no longer
  ///   late.
  mutating func popLeastBusy(at now: UInt64) -> Scheduler.Worker? {
    for load in byLoad.indices {
      for index in byLoad[load].indices.reversed() {
        let worker = byLoad[load][index]
        if worker.state.jobs.count == load && worker.isLate(at: now) { continue }
        byLoad[load].remove(at: index)
        worker.state.listedLoads &= ~Self.bit(load)
        if worker.state.jobs.count == load && worker.takesMore(at: now) { return worker }
      }
    }
    return nil
  }

  /// Removes and returns a worker without jobs.
  mutating func popIdle() -> Scheduler.Worker? {
    while let worker = byLoad[0].popLast() {
      worker.state.listedLoads &= ~Self.bit(0)
      if worker.state.jobs.isEmpty { return worker }
    }
    return nil
  }

  private static func bit(_ load: Int) -> UInt8 { 1 << UInt8(load) }
}
