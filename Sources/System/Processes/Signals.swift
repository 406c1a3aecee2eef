import Glibc

public enum Signals {
  /// From now on these signals call `handler`, also where whoever started this process had them blocked, which is
  /// inherited.
  public static func handle(_ numbers: [Int32], flags: UInt32 = 0, _ handler: @escaping @convention(c) (Int32) -> Void)
  {
    var wanted = sigset_t()
    sigemptyset(&wanted)
    for number in numbers { sigaddset(&wanted, number) }
    pthread_sigmask(SIG_UNBLOCK, &wanted, nil)
    for number in numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = handler
      action.sa_flags = Int32(bitPattern: flags)
      sigaction(number, &action, nil)
    }
  }
}
