import PoolProtocol
import PoolScheduler

/// The replies of workers that they cannot use the program of a batch.
///
/// All workers have the same bytes of a program, so a program that cannot be used is of no use to any of them. One worker can
/// be broken, and the holder of its key can lie: the batch fails only when the workers agree.
struct ProgramFailures {
  /// A reply of a worker.
  struct Report {
    let worker: WorkerID
    let name: String
    /// The name of the worker's key.
    let key: String
  }

  private(set) var reports: [Report] = []
  /// Whether a worker has used the program. Later replies are wrong.
  private(set) var isRefuted = false

  mutating func add(_ worker: WorkerConnection) {
    if !isRefuted { reports.append(Report(worker: worker.id, name: worker.name, key: worker.holder.name)) }
  }

  /// Records that a worker has used the program.
  mutating func refute() {
    guard !isRefuted else { return }
    (reports, isRefuted) = ([], true)
  }

  /// Returns the number of replies of a worker.
  func count(of worker: WorkerConnection) -> Int { reports.count { $0.worker == worker.id } }

  /// Returns whether the workers agree that the program cannot be used: three of them or all, including one of each key. The
  /// holder of one key can have any number of workers. A single worker is to reply three times.
  ///
  /// - Parameter workers: The workers that are registered.
  func isAgreed(among workers: some Sequence<WorkerConnection>) -> Bool {
    guard reports.count >= Scheduler.maxTries else { return false }
    let (reporters, keys) = (Set(reports.map(\.worker)), Set(reports.map(\.key)))
    let areMany = reporters.count >= Scheduler.maxTries
    return workers.allSatisfy { reporters.contains($0.id) || (areMany && keys.contains($0.holder.name)) }
  }

  /// The names of the first workers, each once.
  var names: String {
    var names: [String] = []
    for report in reports where !names.contains(report.name) { names.append(report.name) }
    return names.prefix(Scheduler.maxTries).joined(separator: ", ")
  }
}
