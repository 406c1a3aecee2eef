import Glibc
import Synchronization

/// The request to stop by SIGINT or SIGTERM, which is recorded so that the program can check it.
public enum Interruption {
  private static let received = Atomic<Int32>(0)

  /// Catches the signals, so that the first one of each kind does not end the process. A second one does.
  public static func catchSignals() {
    // The static value is initialized here, because a signal handler must not initialize it.
    received.store(0, ordering: .relaxed)
    Signals.handle([SIGINT, SIGTERM], flags: SA_RESETHAND) { signal in
      Interruption.received.store(signal, ordering: .relaxed)
    }
    // If the reader of a pipe has ended, write reports it as an error.
    signal(SIGPIPE, SIG_IGN)
    // If a file has reached its size limit, write reports it as an error, too.
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Whether one of the signals was received.
  public static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// The exit code for the signal that was received: 130 for SIGINT, 143 for SIGTERM.
  public static var exitCode: Int32 { 128 + received.load(ordering: .relaxed) }
}
