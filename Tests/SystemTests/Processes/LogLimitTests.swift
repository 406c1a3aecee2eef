import SeededRandom
import Testing

@testable import Processes

/// Tests of the limit for floods of messages.
@Suite struct LogLimitTests {
  private static let second = LogLimit.interval

  @Test func similarWarningsAreWrittenOnceASecondWithTheirNumber() {
    var limit = LogLimit()
    var lines: [LogLimit.Line] = []
    for index in 0..<1000 {
      lines += limit.add(.warning, "peer \(index) is malformed", at: UInt64(index) * Self.second / 500)
    }
    #expect(
      lines == [
        .init(level: .warning, message: "peer 0 is malformed"),
        .init(level: .warning, message: "peer 499 is malformed", times: 499),
      ])
    #expect(limit.takeDue(at: 2 * Self.second - 1) == [])
    #expect(
      limit.takeDue(at: 2 * Self.second) == [.init(level: .warning, message: "peer 999 is malformed", times: 500)])
    #expect(limit.takeDue(at: 9 * Self.second) == [])
  }

  @Test func differentMessagesDoNotLimitEachOther() {
    var limit = LogLimit()
    #expect(limit.add(.warning, "a", at: 0).map(\.message) == ["a"])
    #expect(limit.add(.warning, "b", at: 0).map(\.message) == ["b"])
    #expect(limit.add(.warning, "a", at: 0) == [])
    #expect(limit.takeAll() == [.init(level: .warning, message: "a")])
  }

  @Test func severalWorkersThatConnectAtOnceAreAllWritten() {
    var limit = LogLimit()
    for worker in 0..<16 { #expect(limit.add(.info, "worker \(worker) joined", at: 5).count == 1) }
  }

  /// Whatever peers send, the number of lines is bounded by the time that passes, and every message is counted.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func aFloodOfAnyMessagesIsBoundedAndCounted(seed: UInt64) {
    var (random, limit, now) = (SplitMix(seed: seed), LogLimit(), UInt64(0))
    var (lines, count) = (0, 0)
    func note(_ written: [LogLimit.Line]) {
      lines += written.count
      count += written.reduce(0) { $0 + $1.times }
    }
    for _ in 0..<5000 {
      now += random.next() % (Self.second / 500)
      note(limit.add(.warning, "version \(Character(Unicode.Scalar(UInt8(random.next() % 256)))) of \(now)", at: now))
    }
    note(limit.takeAll())
    #expect(count == 5000)
    #expect(lines <= (LogLimit.maxKinds + 1) * (Int(now / Self.second) + 2))
  }
}
