import Glibc

/// The clocks of the system.
public enum Clock {
  /// Returns the time of a clock that never decreases, in nanoseconds. Its origin is arbitrary.
  public static func monotonic() -> UInt64 { nanoseconds(CLOCK_MONOTONIC) }

  /// Returns the number of milliseconds since the beginning of 1970, in UTC.
  public static func sinceEpoch() -> UInt64 { nanoseconds(CLOCK_REALTIME) / 1_000_000 }

  private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
