import Glibc

extension StatusClient.Status {
  /// The coordinator's process, on whatever machine it is.
  public var coordinatorProcess: pid_t? { pid_t(exactly: message.pid) }

  /// The workers' processes, on whatever machine they are.
  public var workerProcesses: [pid_t] { message.workers.compactMap { pid_t(exactly: $0.pid) } }

  /// Batches that have not ended.
  public var openBatches: Int { message.batches.count }
}
