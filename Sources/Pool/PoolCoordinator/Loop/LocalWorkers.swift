import CLinux
import Glibc
import PoolSecurity
import ZeroMQ

/// The worker processes of a coordinator in this process. The first one starts at once, so that it is ready when this process has
/// read the cells and opened the rows, or has read its spool.
public final class LocalWorkers {
  /// Milliseconds after which workers that have not ended are killed.
  private static let shutdownTimeout = 1000

  /// The number of a process, and the one with which it registers.
  typealias Process = (id: pid_t, session: UInt64)

  /// The directory of the endpoint to which the workers connect.
  private let directory: PrivateDirectory
  private let command: [String]
  private var running: Set<pid_t> = []
  /// The process that was started at once, until it is asked for.
  private var early: Process?

  /// - Parameter command: The program of a worker and its arguments; `--connect` and its endpoint are added.
  public init(command: [String]) throws(ZeroMQError) {
    directory = try PrivateDirectory()
    self.command = command + ["--connect", directory.endpoint]
    // The kernel reports no end to a process that has inherited the signal as ignored.
    signal(SIGCHLD, SIG_DFL)
    early = try? spawn()
  }

  deinit { stop() }

  var endpoint: String { directory.endpoint }

  func start() throws(ZeroMQError) -> Process {
    defer { early = nil }
    if let early { return early }
    return try spawn()
  }

  private func spawn() throws(ZeroMQError) -> Process {
    let session = UInt64.random(in: 1 ... .max)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Workers must not read standard input, which may contain rows. A reader of standard output waits until all processes with
    // this descriptor have ended, so workers inherit neither it nor other files of this process.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    _ = galley_close_from(&actions, 3)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var environment = Self.environment(session: session).map { strdup($0) } + [nil]
    defer { for variable in environment { free(variable) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, nil, &arguments, &environment)
    guard code == 0 else { throw ZeroMQError(code: code, operation: "cannot start a worker process") }
    running.insert(process)
    return (process, session)
  }

  /// The environment of this process for workers. A worker that crashes ends at once: its backtrace would take seconds,
  /// and would be written by a further process. A value of SWIFT_BACKTRACE that the user has set is kept.
  private static func environment(session: UInt64) -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      variables.append(String(cString: variable))
      next += 1
    }
    let backtraces = "SWIFT_BACKTRACE="
    if !variables.contains(where: { $0.hasPrefix(backtraces) }) { variables.append(backtraces + "enable=no") }
    variables.removeAll { $0.hasPrefix(sessionVariable) }
    variables.append("\(sessionVariable)\(session)")
    return variables
  }

  /// See `Worker.sessionVariable`. Arguments can be read by all users of the machine, the environment by this one only.
  private static let sessionVariable = "GALLEYWORKER_SESSION="

  /// Kills a process that this object has started. Its number is not reused until `waitpid` has returned its end.
  func kill(_ process: Int64) {
    if let process = pid_t(exactly: process), running.contains(process) { Glibc.kill(process, SIGKILL) }
  }

  /// Returns the processes that have ended since the last call, and how.
  func takeEnded() -> [(process: pid_t, how: String)] {
    var ended: [(pid_t, String)] = []
    for process in running {
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { continue }
      running.remove(process)
      ended.append((process, Self.describe(status)))
    }
    return ended
  }

  func stop() {
    for process in running { Glibc.kill(process, SIGTERM) }
    let deadline = ContinuousClock.now + .milliseconds(Self.shutdownTimeout)
    while !running.isEmpty && ContinuousClock.now < deadline {
      for process in running where waitpid(process, nil, WNOHANG) == process { running.remove(process) }
      if !running.isEmpty { usleep(1000) }
    }
    for process in running {
      Glibc.kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    running.removeAll()
    early = nil
  }

  private static func describe(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
  }
}
