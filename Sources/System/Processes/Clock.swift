import Glibc

/// The clocks of the system.
public enum Clock {
  /// Returns the time of a clock that never decreases, in nanoseconds. Its origin is arbitrary.
  public static func monotonic() -> UInt64 {
    let now = time(CLOCK_MONOTONIC)
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }

  /// Returns the number of milliseconds since the beginning of 1970, in UTC; 0 if the clock is set to an earlier time.
  public static func sinceEpoch() -> UInt64 { milliseconds(time(CLOCK_REALTIME)) }

  /// Converts any time to milliseconds, because the clock of a machine may be set to any time.
  static func milliseconds(_ time: timespec) -> UInt64 {
    let (milliseconds, overflow) = UInt64(clamping: time.tv_sec).multipliedReportingOverflow(by: 1000)
    let part = time.tv_sec < 0 ? 0 : UInt64(clamping: time.tv_nsec) / 1_000_000
    return overflow || milliseconds > .max - part ? .max : milliseconds + part
  }

  static func time(_ clock: clockid_t) -> timespec {
    var now = timespec()
    clock_gettime(clock, &now)
    return now
  }
}

extension Duration {
  /// The duration in seconds.
  public var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
