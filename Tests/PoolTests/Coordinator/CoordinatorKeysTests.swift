import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of what the holders of keys may do at a coordinator's core.
@Suite struct CoordinatorKeysTests {
  private static let ann = KeyHolder(name: "ann", role: .client)
  private static let bob = KeyHolder(name: "bob", role: .client)
  private static let farm = KeyHolder(name: "farm", role: .worker)
  private static let admin = KeyHolder(name: "admin", role: .operator)

  @Test func theKeyOfAClientCannotJoinAsAWorker() {
    let coordinator = CoordinatorUnderTest()
    #expect(
      coordinator.register(by: Self.ann) == ["refused: ann is the key of a client, which may not lay out jobs"])
    #expect(coordinator.core.workerCount == 0)
    for holder in [Self.farm, Self.admin, .withoutKey] {
      let coordinator = CoordinatorUnderTest()
      coordinator.register(by: holder)
      #expect(coordinator.core.workerCount == 1)
    }
  }

  @Test func theKeyOfAWorkerCannotUseBatches() {
    let coordinator = CoordinatorUnderTest()
    let refusal = ["failed: farm is the key of a worker, which may not use batches"]
    #expect(coordinator.submit(by: Self.farm) == refusal)
    coordinator.open()
    let name = BatchName.text(coordinator.batch)
    #expect(coordinator.attach(name, as: [9], by: Self.farm) == refusal)
    #expect(coordinator.send(.cancelNamed(batch: 1, name: name), by: Self.farm) == refusal)
    #expect(coordinator.send(.cancel(batch: 1), by: Self.farm) == [])
    #expect(coordinator.send(.status, by: Self.farm) == ["status: "])
    #expect(coordinator.core.batchNames == [name])
  }

  @Test func aBatchIsSeenAndEndedByItsKeyAndByOperatorsOnly() {
    for other in [Self.bob, Self.farm] {
      let coordinator = CoordinatorUnderTest()
      coordinator.open(by: Self.ann)
      let name = BatchName.text(coordinator.batch)
      coordinator.send(.status, from: [9], by: other)
      #expect(coordinator.status.batches.isEmpty && coordinator.status.clients.isEmpty)
      #expect(coordinator.status.batchCount == 0 && coordinator.status.clientCount == 0)
      #expect(coordinator.attach(name, as: [9], by: other).allSatisfy { $0.hasPrefix("failed: ") })
      #expect(
        coordinator.send(.cancelNamed(batch: 1, name: name), from: [9], by: other).first?.hasPrefix("failed: ") == true)
      #expect(coordinator.core.batchNames == [name])
    }
    for other in [Self.ann, Self.admin, .withoutKey] {
      let coordinator = CoordinatorUnderTest()
      coordinator.open(by: Self.ann)
      let name = BatchName.text(coordinator.batch)
      coordinator.send(.status, from: [9], by: other)
      #expect(coordinator.status.batches.map(\.owner) == ["ann"])
      #expect(coordinator.status.clients.map(\.key) == ["ann"])
      #expect(
        coordinator.attach(name, session: 6, as: [9], sendsRows: true, by: other).contains { $0.hasPrefix("accepted") })
      #expect(coordinator.send(.cancelNamed(batch: 2, name: name), from: [8], by: other).contains("cancelled"))
      #expect(coordinator.core.batchNames.isEmpty)
    }
  }

  @Test func theRefusalOfABatchOfAnotherKeyDoesNotShowThatItExists() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open(by: Self.ann)
    let name = BatchName.text(coordinator.batch)
    func refusal(_ name: String) -> [String] {
      coordinator.attach(name, as: [9], by: Self.bob).map { $0.replacing(name, with: "NAME") }
    }
    #expect(refusal(name) == ["failed: the coordinator keeps no batch NAME that was submitted with the key bob"])
    #expect(refusal("zzz") == refusal(name))
    #expect(
      coordinator.attach(name, as: [9], sendsRows: true, by: Self.bob) == [
        "failed: the coordinator keeps no batch \(name) that was submitted with the key bob: it was fetched or cancelled, "
          + "its journal is lost, or it belongs to a key of another name; submit the batch again"
      ])
  }

  /// The socket gives the routing ID of a connection that has ended to the next one that asks for it.
  @Test func aConnectionOfAnotherKeyWithTheSameIdentityIsAnotherPeer() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register(by: Self.farm)
    coordinator.submit(by: Self.ann)
    let chunk = RowsChunk<SharedRange?>(nil, firstLine: 1, firstRow: 0, rows: 1)
    #expect(coordinator.send(.chunk(batch: 1, chunk, checksum: 0), by: Self.bob) == ["unknown"])
    #expect(coordinator.send(.cancel(batch: 1), by: Self.bob) == [])
    #expect(coordinator.core.batchNames.count == 1)
    let goodbye = CoordinatorEvent.message(.worker(.goodbye), [], from: CoordinatorUnderTest.worker, by: Self.admin)
    coordinator.handle(goodbye)
    #expect(coordinator.core.workerCount == 1)
  }

  @Test func theOwnerOfABatchSurvivesARestart() {
    func recovered(owner: String) -> CoordinatorUnderTest {
      var contents = JournalContents()
      var description = CoordinatorUnderTest.description
      description.owner = owner
      contents.batch = (JournalVersion.current, description)
      let coordinator = CoordinatorUnderTest()
      coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))]))
      return coordinator
    }
    let name = BatchName.text(77)
    #expect(recovered(owner: "ann").attach(name, by: Self.ann).first?.hasPrefix("accepted") == true)
    #expect(recovered(owner: "ann").attach(name, by: Self.bob).first?.hasPrefix("failed") == true)
    // Journals of before keys had owners belong to nobody.
    #expect(recovered(owner: "").attach(name, by: Self.ann).first?.hasPrefix("failed") == true)
    #expect(recovered(owner: "").attach(name, by: Self.admin).first?.hasPrefix("accepted") == true)
  }
}
