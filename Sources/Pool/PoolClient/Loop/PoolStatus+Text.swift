import Glibc
import PoolProtocol

extension PoolStatus {
  /// The number of the coordinator's process on its machine.
  public var coordinatorProcess: pid_t? { pid_t(exactly: pid) }

  /// The numbers of the workers' processes on their machines.
  public var workerProcesses: [pid_t] { workers.compactMap { pid_t(exactly: $0.pid) } }

  /// The state as lines for people.
  public var text: String {
    let rate = UInt64(exactly: rowsPerSecond.rounded()) ?? 0
    var lines = [
      "coordinator \(version), process \(pid)\(Self.on(host)): \(workerCount) workers, \(batchCount) batches, "
        + "\(rate) rows/s, \(memory >> 20) MiB"
    ]
    if !obstacle.isEmpty { lines.append("  \(accepting ? "batches pause" : "no batches are accepted"): \(obstacle)") }
    if spoolLimit > 0 { lines.append("  spool \(spoolBytes >> 20) of \(spoolLimit >> 20) MiB") }
    lines += metrics.lines
    lines += workers.map(\.text) + Self.more(Int(workerCount) - workers.count, "workers")
    lines += batches.map(\.text) + Self.more(Int(batchCount) - batches.count, "batches, which galley batches lists")
    lines += clients.map(\.text) + Self.more(Int(clientCount) - clients.count, "clients")
    return lines.joined(separator: "\n")
  }

  private static func more(_ count: Int, _ what: String) -> [String] {
    count > 0 ? ["  and \(count) more \(what)"] : []
  }

  fileprivate static func on(_ host: String) -> String { host.isEmpty ? "" : " on \(host)" }
  fileprivate static func with(_ key: String) -> String { key.isEmpty ? "" : " with the key \(key)" }
}

extension PoolStatus.Worker {
  fileprivate var text: String {
    let percent = Int(exactly: (cacheHitRate * 100).rounded()) ?? 0
    return "  \(name), process \(pid)\(PoolStatus.on(host))\(PoolStatus.with(key)): \(jobs) jobs, "
      + "\(rows) rows done, \(percent) % of the texts' segments from its cache" + lateness
  }

  private var lateness: String {
    guard late else { return "" }
    return jobs > 0
      ? "; late: its job has run for \(jobAge.seconds) s" : "; late: its last message came \(seen.seconds) s ago"
  }
}

extension Double {
  /// The number of seconds, with tenths below ten.
  fileprivate var seconds: String {
    guard self < 9.95 else { return "\(UInt64(exactly: rounded()) ?? .max)" }
    let tenths = Int((max(self, 0) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension PoolStatus.Batch {
  fileprivate var text: String {
    "  batch \(name)\(input.isEmpty ? "" : " (\(input))")\(owner.isEmpty ? "" : " of the key \(owner)"): "
      + "\(rowsDone) of \(rowsReceived) rows done"
      + (rowsRecovered > 0 ? " (\(rowsRecovered) of them before a restart)" : "")
      + ", \(running) jobs running, \(queued) queued, \(retries) tried again"
      + (priority == 0 ? "" : ", priority \(priority)")
      + (waiting.isEmpty ? "" : "; waits: \(waiting)")
  }
}

extension PoolStatus.Client {
  fileprivate var text: String {
    "  client of batch \(batch), process \(pid)\(PoolStatus.on(host))\(PoolStatus.with(key))"
  }
}
