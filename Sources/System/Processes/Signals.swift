import Glibc

/// The handling of signals.
public enum Signals {
  /// Makes signals call `handler`. The signals are unblocked, because this process inherits the signals that its parent
  /// blocked.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the signals.
  ///   - handler: The handler, which receives the number of the signal.
  public static func handle(_ numbers: [Int32], _ handler: @escaping @convention(c) (Int32) -> Void) {
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in numbers { sigaddset(&wanted, number) }
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    for number in numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      sigaction(number, &action, nil)
    }
  }
}
