import Glibc

/// A clock of the processor time of this thread, which does not depend on other programs.
enum ThreadClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The time that reading the clock takes, in nanoseconds.
  static let cost =
    (0..<1000).map { _ -> UInt64 in
      let begin = nanoseconds()
      return nanoseconds() - begin
    }.min() ?? 0
}
