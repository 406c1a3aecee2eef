import PoolCoordinatorCore
import PoolProtocol
import Testing

/// Tests of what the batches of one key may take.
@Suite struct CoordinatorKeyLimitsTests {
  private static let ann = KeyHolder(name: "ann", role: .client)
  private static let bob = KeyHolder(name: "bob", role: .client)

  @Test func aKeyMayHaveSoManyOpenBatches() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false, batchesOfKey: 1)
    #expect(coordinator.submit(session: 1, as: [1], by: Self.ann) == ["accepted with 0 rows"])
    #expect(
      coordinator.submit(session: 2, as: [2], by: Self.ann)
        == ["failed: the key ann has 1 batches that are not done, as many as it may have (--key-batches)"])
    #expect(coordinator.submit(session: 3, as: [3], by: Self.bob) == ["accepted with 0 rows"])
    #expect(coordinator.submit(session: 4, as: [4]) == ["accepted with 0 rows"], "peers without keys have no limit")
  }

  /// Batches of one key that nobody fetches leave room for those of other keys.
  @Test func aKeyHasHalfOfTheSpoolByDefault() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 2000)
    for session in 1...10 as ClosedRange<UInt64> {
      coordinator.open(session: session, as: [UInt8(session)], by: Self.ann)
    }
    let refusal = coordinator.submit(session: 11, as: [11], by: Self.ann)
    #expect(refusal.count == 1 && refusal[0].contains("the batches of the key ann have reached"))
    #expect(coordinator.submit(session: 12, as: [12], by: Self.bob) == ["create journal"])
  }

  @Test func theStatusShowsTheSpoolAndWhetherBatchesAreAccepted() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 500)
    coordinator.send(.status)
    #expect(coordinator.status.accepting && coordinator.status.spoolLimit == 500)
    coordinator.submit()
    coordinator.handle(.journalCreated(coordinator.batch, bytes: 600))
    coordinator.send(.status)
    #expect(!coordinator.status.accepting && coordinator.status.spoolBytes == 600)
    #expect(coordinator.status.obstacle.hasPrefix("the spool has no room"))
  }

  @Test func theReasonOfAPauseIsForTheHolderOfItsKeyAlone() {
    let coordinator = CoordinatorUnderTest(spoolLimit: 2000)
    for session in 11...18 as ClosedRange<UInt64> {
      coordinator.open(session: session, as: [UInt8(session)], by: Self.ann)
    }
    coordinator.open(isDetached: true, by: Self.ann)
    let lines = CoordinatorUnderTest.lines(0..<10)
    let chunk = CoordinatorUnderTest.chunk(0..<10, isLast: true, checksum: lines.checksum)
    coordinator.send(chunk, [lines], by: Self.ann)
    for (holder, reason) in [(Self.ann, "the batches of the key ann have reached "), (Self.bob, "")] {
      coordinator.send(.status, from: [9], by: holder)
      #expect(coordinator.status.accepting && coordinator.status.pausedBatches == 1)
      #expect(coordinator.status.obstacle.prefix(40) == reason.prefix(40))
    }
  }
}
