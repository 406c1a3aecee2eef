import Foundation
import Testing

@testable import Processes

/// Tests of the conversion of times.
@Suite struct ClockTests {
  /// The years 1969, 1970, 2600, and the earliest and latest times of the system.
  @Test(
    arguments: [(-1, 0), (1, 1002), (19_880_899_200, 19_880_899_200_002), (.min, 0), (.max, .max)] as [(Int, UInt64)])
  func anyTimeOfTheSystemClockIsConverted(seconds: Int, milliseconds: UInt64) {
    #expect(Clock.milliseconds(timespec(tv_sec: seconds, tv_nsec: 2_999_999)) == milliseconds)
  }
}
