import Foundation
import Glibc
import PoolClient
import PoolProtocol

/// A process as /proc/PID/stat tells it (proc(5)).
public struct ProcessStat: Equatable {
  /// In user and kernel mode, all threads.
  let ticks: UInt64

  init?(_ text: String) {
    // The name before it may hold anything, parentheses too.
    guard let nameEnd = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: nameEnd)...].split(separator: " ")
    guard fields.count > 12, let user = UInt64(fields[11]),
      let system = UInt64(fields[12])
    else { return nil }
    ticks = user + system
  }

  /// As `ticks`.
  public var seconds: Double { Double(ticks) / ProcessorTime.ticksPerSecond }

  public init?(pid: pid_t) {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else { return nil }
    self.init(text)
  }
}

/// The processes of a pool that are on this machine, as far as they can be known.
struct PoolProcesses: Equatable {
  let coordinator: pid_t?
  let workers: [pid_t]

  static let unknown = PoolProcesses(coordinator: nil, workers: [])

  /// - Parameter isLocal: whether the pool's process numbers are those of this machine.
  init(_ status: PoolStatus, isLocal: Bool) {
    guard isLocal else {
      self = .unknown
      return
    }
    workers = status.workerProcesses.filter { ProcessStat(pid: $0) != nil }
    let told = status.coordinatorProcess
    // Of a coordinator on a thread of this process the time is the clients' too.
    coordinator = told == getpid() ? nil : told
  }

  private init(coordinator: pid_t?, workers: [pid_t]) {
    self.coordinator = coordinator
    self.workers = workers
  }

  /// Processor time now.
  func time() -> ProcessorTime {
    ProcessorTime(
      coordinator: coordinator.flatMap { ProcessStat(pid: $0)?.ticks },
      workers: workers.reduce(into: [:]) { ticks, pid in ticks[pid] = ProcessStat(pid: pid)?.ticks })
  }
}

/// Processor time that a pool's processes have used, in the kernel's ticks.
struct ProcessorTime: Equatable {
  static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  var coordinator: UInt64?
  var workers: [pid_t: UInt64]

  /// What was used since an earlier moment, of the processes that were there at both.
  func since(_ earlier: ProcessorTime) -> ProcessorTime {
    ProcessorTime(
      coordinator: coordinator.flatMap { now in earlier.coordinator.map { now &- $0 } },
      workers: workers.reduce(into: [:]) { used, worker in
        if let before = earlier.workers[worker.key] { used[worker.key] = worker.value &- before }
      })
  }
}
