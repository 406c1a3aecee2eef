import PoolProtocol
import Testing

/// Tests of the time for which a process has run.
@Suite struct RunningTimeTests {
  @Test func aPauseCountsAsOneStep() {
    var time = RunningTime()
    func nanoseconds(at event: UInt64) -> UInt64 {
      time.advance(to: EventTime(monotonic: event))
      return time.nanoseconds
    }
    #expect(nanoseconds(at: 77_000_000_000_000) == 0)
    #expect(nanoseconds(at: 77_000_100_000_000) == 100_000_000)
    #expect(nanoseconds(at: 99_000_000_000_000) == 1_100_000_000)
    #expect(nanoseconds(at: 98_000_000_000_000) == 1_100_000_000, "a clock that goes back does not advance the time")
    #expect(nanoseconds(at: 99_000_200_000_000) == 1_300_000_000)
  }
}
