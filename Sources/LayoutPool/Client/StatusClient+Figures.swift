import Glibc

extension StatusClient.Status {
  /// The coordinator's process, if it tells.
  public var coordinatorProcess: pid_t? { nil }

  /// The workers' processes, on whatever machine they are.
  public var workerProcesses: [pid_t] { message.workers.compactMap { pid_t(exactly: $0.pid) } }

  /// Batches that have not ended.
  public var openBatches: Int { message.batches.count }
}
