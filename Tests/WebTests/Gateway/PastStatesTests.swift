import PoolProtocol
import SeededRandom
import Testing

@testable import Gateway

/// Tests of the states that the gateway keeps for an hour.
@Suite struct PastStatesTests {
  @Test func anHourHasAStateOfEachTenSecondsAndEachInterruption() {
    var random = SplitMix(seed: 31)
    for _ in 0..<20 {
      var states = PastStates()
      var (time, isLost): (UInt64, Bool) = (1_763_904_000_000, false)
      var kept: [(time: UInt64, isLost: Bool)] = []
      var changes = 0
      for second in 0..<3600 {
        if second > 0, Int.random(in: 0..<300, using: &random) == 0 { (isLost, changes) = (!isLost, changes + 1) }
        if states.keeps(time: time, isLost: isLost) { kept.append((time, isLost)) }
        time += UInt64.random(in: 990...1010, using: &random)
      }
      #expect(Set(kept.map { $0.time / 10_000 }).count >= 359)
      #expect(zip(kept, kept.dropFirst()).count { $0.isLost != $1.isLost } == changes)
      #expect(kept.count <= 362 + changes)
    }
  }

  @Test func aStateWithoutListsKeepsItsNumbers() {
    var status = PoolStatus()
    (status.workers, status.batches, status.clients) = ([.init()], [.init()], [.init()])
    (status.workerCount, status.batchCount, status.metrics.rowsDone) = (1, 1, 7)
    let short = status.withoutLists
    #expect(short.workers.isEmpty && short.batches.isEmpty && short.clients.isEmpty)
    #expect(short.workerCount == 1 && short.batchCount == 1 && short.metrics.rowsDone == 7)
  }
}
