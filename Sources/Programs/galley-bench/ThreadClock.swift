import Glibc

/// Time that this thread had a processor, whatever else the machine does.
enum ThreadClock {
  static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What asking takes of it, in nanoseconds.
  static let cost =
    (0..<1000).map { _ -> UInt64 in
      let begin = nanoseconds()
      return nanoseconds() - begin
    }.min() ?? 0
}
