import Glibc
import Processes
import Synchronization

/// The request by SIGHUP that a service read its files again, because they have changed.
public enum Reload {
  private static let isRequested = Atomic<Bool>(false)

  /// Catches the signal, which then no longer ends the process.
  public static func catchSignal() {
    // The static value is initialized here, because a signal handler must not initialize it.
    isRequested.store(false, ordering: .relaxed)
    Signals.handle([SIGHUP]) { _ in Reload.isRequested.store(true, ordering: .relaxed) }
  }

  /// Returns whether the signal was received since the last call.
  public static func take() -> Bool { isRequested.exchange(false, ordering: .relaxed) }
}
