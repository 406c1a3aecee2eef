import Glibc
import Synchronization

/// SIGHUP, noted for the coordinator: the allowed keys have changed.
public enum Reload {
  private static let isRequested = Atomic<Bool>(false)

  /// From now on the signal ends nothing.
  public static func catchSignal() {
    // Made before the handler needs it.
    isRequested.store(false, ordering: .relaxed)
    // Whoever started this process may have had it blocked, which is inherited.
    var wanted = sigset_t()
    sigemptyset(&wanted)
    sigaddset(&wanted, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Reload.isRequested.store(true, ordering: .relaxed) }
    sigaction(SIGHUP, &action, nil)
  }

  /// Whether it came since the last call.
  static func take() -> Bool { isRequested.exchange(false, ordering: .relaxed) }
}
