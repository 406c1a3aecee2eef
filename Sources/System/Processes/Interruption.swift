import Glibc
import Synchronization

/// SIGINT and SIGTERM, noted for those who ask.
public enum Interruption {
  private static let received = Atomic<Int32>(0)

  /// From now on the signals end nothing by themselves. A second one does.
  public static func catchSignals() {
    // Made before the handler needs it.
    received.store(0, ordering: .relaxed)
    Signals.handle([SIGINT, SIGTERM], flags: SA_RESETHAND) { signal in
      Interruption.received.store(signal, ordering: .relaxed)
    }
    // A reader that went away is told by write's error.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may not grow.
    signal(SIGXFSZ, SIG_IGN)
  }

  public static var isRequested: Bool { received.load(ordering: .relaxed) != 0 }

  /// 130 for SIGINT, 143 for SIGTERM.
  public static var exitCode: Int32 { 128 + received.load(ordering: .relaxed) }
}
