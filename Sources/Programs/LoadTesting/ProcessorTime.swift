import Foundation
import Glibc
import PoolClient
import PoolProtocol

/// The processor time of a process as read from /proc/PID/stat (see proc(5)).
public struct ProcessStat: Equatable {
  /// The time of all threads in user and kernel mode, in clock ticks of the kernel.
  let ticks: UInt64

  /// Parses the contents of a stat file.
  init?(_ text: String) {
    // The name of the process comes first and may contain any character, including parentheses.
    guard let nameEnd = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 12, let user = UInt64(fields[11]),
      let system = UInt64(fields[12])
    else { return nil }
    ticks = user + system
  }

  public var seconds: Double { Double(ticks) / ProcessorTime.ticksPerSecond }

  /// Reads the stat file of a process, or returns nil if there is no such process.
  public init?(pid: pid_t) {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return nil }
    self.init(text)
  }
}

/// The processes of a pool that run on this machine.
struct PoolProcesses {
  let coordinator: pid_t?
  let workers: [pid_t]

  /// - Parameter isLocal: Whether the process identifiers in the status are those of this machine.
  init(_ status: PoolStatus, isLocal: Bool) {
    workers = isLocal ? status.workerProcesses.filter { ProcessStat(pid: $0) != nil } : []
    // The time of a coordinator in this process cannot be separated from that of the clients.
    coordinator = isLocal && status.coordinatorProcess != getpid() ? status.coordinatorProcess : nil
  }

  func time() -> ProcessorTime {
    ProcessorTime(
      coordinator: coordinator.flatMap { ProcessStat(pid: $0)?.ticks },
      workers: workers.reduce(into: [:]) { ticks, pid in ticks[pid] = ProcessStat(pid: pid)?.ticks })
  }
}

/// The processor time of the processes of a pool, in clock ticks of the kernel.
struct ProcessorTime: Equatable {
  static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  var coordinator: UInt64?
  var workers: [pid_t: UInt64]

  /// Returns the time used since an earlier measurement by the processes that are in both.
  func since(_ earlier: ProcessorTime) -> ProcessorTime {
    ProcessorTime(
      coordinator: coordinator.flatMap { now in earlier.coordinator.map { now &- $0 } },
      workers: workers.reduce(into: [:]) { used, worker in
        if let before = earlier.workers[worker.key] { used[worker.key] = worker.value &- before }
      })
  }
}
