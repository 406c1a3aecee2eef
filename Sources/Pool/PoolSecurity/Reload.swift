import Glibc
import Processes
import Synchronization

/// SIGHUP, noted for the coordinator: the allowed keys have changed.
public enum Reload {
  private static let isRequested = Atomic<Bool>(false)

  /// From now on the signal ends nothing.
  public static func catchSignal() {
    // Made before the handler needs it.
    isRequested.store(false, ordering: .relaxed)
    Signals.handle([SIGHUP]) { _ in Reload.isRequested.store(true, ordering: .relaxed) }
  }

  /// Whether it came since the last call.
  static func take() -> Bool { isRequested.exchange(false, ordering: .relaxed) }
}
