import Glibc

/// Worker processes of a coordinator's own: started, started again when they end, and ended with it.
public final class WorkerFleet {
  /// Ends in a row, without a job done between them, after which the fleet gives up.
  private static let maxEnds = 24
  /// Milliseconds before the second start in a row, doubled for each further one, at most the second number.
  private static let backOff = (first: 20, last: 2000)
  /// Milliseconds that workers have to end by themselves.
  private static let grace = 1000

  private let command: [String]
  private let count: Int
  private var running: Set<pid_t> = []
  private var endsInARow = 0
  private var nextStart = 0
  private let log: Log
  /// Why workers are no longer started.
  public var failure: String?

  /// - Parameter command: a worker's program and arguments.
  public init(command: [String], count: Int, log: Log) {
    self.command = command
    self.count = count
    self.log = log
  }

  func start() { while running.count < count, spawn() {} }

  func noteSuccess() { endsInARow = 0 }

  /// There is something else to do, on which workers may not end.
  func tryAgain() { if endsInARow >= Self.maxEnds { endsInARow = 0 } }

  func kill(pid: Int64) {
    if let pid = pid_t(exactly: pid), running.contains(pid) { Glibc.kill(pid, SIGKILL) }
  }

  /// Collects workers that have ended, and starts others in their place; answers those that ended.
  func reap() -> [pid_t] {
    var ended: [pid_t] = []
    for pid in running {
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG) == pid else { continue }
      running.remove(pid)
      ended.append(pid)
      endsInARow += 1
      nextStart = milliseconds + delay
      log.info("worker process \(pid) ended: \(Self.describe(status))")
      if endsInARow == Self.maxEnds {
        failure =
          "\(Self.maxEnds) worker processes ended without finishing a job between them; the last: \(Self.describe(status))"
      }
    }
    if endsInARow < Self.maxEnds && milliseconds >= nextStart { start() }
    return ended
  }

  func stop() {
    for pid in running { Glibc.kill(pid, SIGTERM) }
    let deadline = milliseconds + Self.grace
    while !running.isEmpty && milliseconds < deadline {
      for pid in running where waitpid(pid, nil, WNOHANG) == pid { running.remove(pid) }
      if !running.isEmpty { usleep(1000) }
    }
    for pid in running {
      Glibc.kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    running.removeAll()
  }

  private var milliseconds: Int { Int(Clock.monotonic() / 1_000_000) }

  private var delay: Int {
    endsInARow < 2 ? 0 : min(Self.backOff.first << min(endsInARow - 2, 16), Self.backOff.last)
  }

  /// False when the process could not be started.
  private func spawn() -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Rows may come from standard input; they are not the workers'.
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, command[0], &actions, nil, &arguments, environ)
    guard code == 0 else {
      failure = "cannot start a worker process: \(String(cString: strerror(code)))"
      return false
    }
    running.insert(pid)
    return true
  }

  private static func describe(_ status: Int32) -> String {
    let signal = status & 0x7f
    return signal == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(signal) (\(String(cString: strsignal(signal))))"
  }
}
