import Glibc
import Synchronization

/// The request to stop by SIGINT or SIGTERM, which is recorded so that the program can check it.
public enum Interruption {
  private static let received = Atomic<Int32>(0)
  /// The time of the first signal in nanoseconds.
  private static let time = Atomic<UInt64>(0)

  /// Catches the signals, so that the first one does not end the process. A later one does.
  public static func catchSignals() {
    // The static values are initialized here, because a signal handler must not initialize them.
    received.store(0, ordering: .relaxed)
    time.store(0, ordering: .relaxed)
    Signals.handle([SIGINT, SIGTERM]) { Interruption.note($0) }
    // If the reader of a pipe has ended, write reports it as an error.
    signal(SIGPIPE, SIG_IGN)
    // If a file has reached its size limit, write reports it as an error, too.
    signal(SIGXFSZ, SIG_IGN)
  }

  private static func note(_ number: Int32) {
    // The nanoseconds within which signals count as one: timeout(1) sends a signal to a process and to its group.
    let interval: UInt64 = 100_000_000
    // Two threads can handle signals at once, and the first to read the clock may not be the first to store the time.
    let now = Clock.monotonic()
    let isFirst = time.compareExchange(expected: 0, desired: now, ordering: .relaxed).exchanged
    if isFirst {
      received.store(number, ordering: .relaxed)
    } else if now > time.load(ordering: .relaxed) + interval {
      // The signal is blocked until this function returns.
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  /// Whether one of the signals was received.
  public static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// The exit code for the signal that was received: 130 for SIGINT, 143 for SIGTERM.
  public static var exitCode: Int32 { 128 + received.load(ordering: .relaxed) }
}
