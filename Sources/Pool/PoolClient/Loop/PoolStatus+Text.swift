import Glibc
import PoolProtocol

extension PoolStatus {
  /// The coordinator's process, on whatever machine it is.
  public var coordinatorProcess: pid_t? { pid_t(exactly: process) }

  /// The workers' processes, on whatever machine they are.
  public var workerProcesses: [pid_t] { workers.compactMap { pid_t(exactly: $0.process) } }

  /// The state as lines for people.
  public var text: String {
    var lines = [
      "coordinator \(version), process \(process): \(workers.count) workers, "
        + "\(batchCount) batches, \(UInt64(rowsPerSecond)) rows/s, \(memory >> 20) MiB"
    ]
    lines += workers.map { worker in
      "  \(worker.name), process \(worker.process): \(worker.jobs) jobs, \(worker.rows) rows done, "
        + "\(Int((worker.cacheHitRate * 100).rounded())) % of the texts' segments from its cache"
    }
    lines += batches.map { batch in
      "  batch \(batch.name)\(batch.input.isEmpty ? "" : " (\(batch.input))"): "
        + "\(batch.rowsDone) of \(batch.rowsReceived) rows done"
        + (batch.rowsRecovered > 0 ? " (\(batch.rowsRecovered) of them before a restart)" : "")
        + ", \(batch.running) jobs running, \(batch.queued) queued, \(batch.retries) tried again"
        + (batch.priority == 0 ? "" : ", priority \(batch.priority)")
        + (batch.waiting.isEmpty ? "" : "; waits: \(batch.waiting)")
    }
    if batches.count < batchCount {
      lines.append("  and \(Int(batchCount) - batches.count) other batches, which galley batches lists")
    }
    return lines.joined(separator: "\n")
  }
}
