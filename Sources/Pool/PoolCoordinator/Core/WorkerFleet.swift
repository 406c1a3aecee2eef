/// The worker processes that the coordinator starts. It replaces those that end, unless they end too often.
struct WorkerFleet {
  /// The number of consecutive ends without a completed job after which no more processes are started.
  static let maxEnds = 24
  /// Nanoseconds before the second of consecutive starts, which are doubled for each further one, and their maxima: that where a
  /// user waits for the batch makes a fleet of one process give up after a few seconds.
  private static let firstBackOff: UInt64 = 20_000_000
  private static let longestBackOff: UInt64 = 2_000_000_000
  private static let longestAwaitedBackOff: UInt64 = 100_000_000
  /// Nanoseconds of the coordinator's running time after which an unregistered process, which may be stopped for ever, is ended.
  private static let longestAbsence: UInt64 = 30_000_000_000

  private struct Process {
    /// The session with which it registers.
    let session: UInt64
    /// The running time in nanoseconds from which the process is unregistered; nil for a registered one.
    var absentSince: UInt64?
  }

  let count: Int
  private var running: [Int64: Process] = [:]
  private var starting = 0
  private var endsInARow = 0
  /// The number of processes that replaced others.
  private(set) var restarts: UInt64 = 0
  private var starts = 0
  /// The time of the next start, in nanoseconds.
  private var nextStart: UInt64 = 0

  /// The longest delay of a start, in nanoseconds.
  private let longestBackOff: UInt64

  /// - Parameter isAwaited: Whether the coordinator has one batch, for which a user waits.
  init(count: Int, isAwaited: Bool) {
    self.count = count
    longestBackOff = isAwaited ? Self.longestAwaitedBackOff : Self.longestBackOff
  }

  /// Whether the number of processes is within its limit.
  var hasRoom: Bool { starting >= 0 && running.count + starting <= count }

  /// Returns the number of processes to start now.
  mutating func processesToStart(at now: UInt64) -> Int {
    guard endsInARow < Self.maxEnds, now >= nextStart else { return 0 }
    let missing = max(count - running.count - starting, 0)
    starting += missing
    return missing
  }

  mutating func noteStart(_ process: Int64, session: UInt64, at runningTime: UInt64) {
    starting -= 1
    running[process] = Process(session: session, absentSince: runningTime)
    starts += 1
    if starts > count { restarts += 1 }
  }

  /// Returns the process that registers with a session. The process number that a worker states is not used, because it could
  /// name another process.
  func process(ofSession session: UInt64) -> Int64? { running.first { $0.value.session == session }?.key }

  mutating func noteRegistration(of process: Int64) { running[process]?.absentSince = nil }

  /// Records that the worker of a process is no longer registered.
  mutating func noteAbsence(of process: Int64, at runningTime: UInt64) {
    running[process]?.absentSince = runningTime
  }

  /// Returns the processes that have been unregistered for too long, in the order of their numbers.
  mutating func processesToEnd(at runningTime: UInt64) -> [Int64] {
    let absent = running.filter {
      $0.value.absentSince.map { runningTime >= $0 + Self.longestAbsence } ?? false
    }.keys.sorted()
    for process in absent { running[process]?.absentSince = runningTime }
    return absent
  }

  /// Records a failed start. The next attempt is delayed.
  mutating func noteFailedStart(at now: UInt64) {
    starting -= 1
    nextStart = now + longestBackOff
  }

  /// Records the end of a process. Returns the reason if no more processes are started.
  mutating func noteEnd(_ process: Int64, how: String, at now: UInt64) -> String? {
    guard running.removeValue(forKey: process) != nil else { return nil }
    endsInARow += 1
    nextStart = now + backOff
    guard endsInARow == Self.maxEnds else { return nil }
    return "\(Self.maxEnds) worker processes ended without finishing a job between them; the last: \(how)"
  }

  private var backOff: UInt64 {
    endsInARow < 2 ? 0 : min(Self.firstBackOff << UInt64(min(endsInARow - 2, 16)), longestBackOff)
  }

  /// Records a completed job.
  mutating func noteSuccess() { endsInARow = 0 }

  /// Records a new batch, which may not end workers.
  mutating func tryAgain() { if endsInARow >= Self.maxEnds { endsInARow = 0 } }
}
