import SeededRandom
import Testing

@testable import ZeroMQ

/// Tests of the count of the bytes that connections have sent without the end of a message.
@Suite struct UndeliveredBytesTests {
  @Test func theConnectionWithTheMostBytesIsEndedFirst() {
    var count = UndeliveredBytes()
    count.update([(3, 1, 1_000), (4, 2, 5_000), (5, 3, 2_000)])
    #expect(count.excess(over: 10_000).isEmpty)
    #expect(count.excess(over: 4_000).map(\.descriptor) == [4])
    #expect(count.excess(over: 2_000).map(\.descriptor) == [4, 5])
  }

  @Test func deliveredBytesDoNotCount() {
    var count = UndeliveredBytes()
    count.noteDelivered(3, bytes: 900_000, parts: 2)
    count.update([(3, 1, 900_100)])
    #expect(count.excess(over: 100).isEmpty)
    count.update([(3, 1, 1_900_000)])
    #expect(count.excess(over: 100).map(\.descriptor) == [3])
  }

  /// Otherwise the messages of an earlier connection would hide those of a later one.
  @Test func aDescriptorThatIsUsedAgainBeginsAtZero() {
    var count = UndeliveredBytes()
    count.noteDelivered(3, bytes: 900_000, parts: 1)
    count.update([(3, 1, 900_000)])
    count.update([(3, 2, 900_000)])
    #expect(count.excess(over: 800_000).map(\.descriptor) == [3])
  }

  /// Many small messages that end do not pay for one that does not.
  @Test func allowancesForHeadersAreNotSavedUp() {
    var count = UndeliveredBytes()
    for received in 1...1_000 {
      for _ in 0..<100 { count.noteDelivered(3, bytes: 1, parts: 1) }
      count.update([(3, 1, received * 200)])
    }
    count.update([(3, 1, 1_000 * 200 + 10_000)])
    #expect(count.excess(over: 9_000).map(\.descriptor) == [3])
  }

  /// Connections come and go with messages of any size, with headers and heartbeats, and every update may come while a
  /// message is under way.
  @Test func connectionsThatEndTheirMessagesAreNeverEnded() {
    var random = SplitMix(seed: 11)
    let largest = 50_000
    for _ in 0..<20 {
      var count = UndeliveredBytes()
      var connections: [(descriptor: Int32, socket: UInt64, received: Int)] = []
      var lastSocket: UInt64 = 0
      for _ in 0..<300 {
        for index in connections.indices {
          for _ in 0..<random.below(4) {
            let parts = 1 + random.below(4)
            let bytes = random.below(largest)
            connections[index].received += bytes + parts * random.below(UndeliveredBytes.partOverhead + 1)
            count.noteDelivered(connections[index].descriptor, bytes: bytes, parts: parts)
          }
          connections[index].received += random.below(UndeliveredBytes.idleOverhead + 1)
        }
        if random.below(3) == 0, connections.count < 8 {
          lastSocket += 1
          let descriptor = (3...10 as ClosedRange<Int32>).first { number in
            !connections.contains { $0.descriptor == number }
          }
          if let descriptor { connections.append((descriptor, lastSocket, 0)) }
        }
        if random.below(5) == 0, !connections.isEmpty { connections.remove(at: random.below(connections.count)) }
        let underWay = connections.map { ($0.descriptor, $0.socket, $0.received + random.below(largest)) }
        count.update(underWay)
        #expect(count.excess(over: 8 * largest).isEmpty)
      }
    }
  }
}
