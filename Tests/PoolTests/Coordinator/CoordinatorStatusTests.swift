import PoolProtocol
import Testing

@testable import PoolCoordinatorCore
@testable import PoolEnvelopes

/// Tests of the status that a coordinator's core sends.
@Suite struct CoordinatorStatusTests {
  /// Adds batches and workers with the longest texts that messages can have.
  private func fill(_ coordinator: CoordinatorUnderTest, batches: Int, workers: Int) {
    let holder = KeyHolder(name: String(repeating: "k", count: 64), role: .operator)
    let host = String(repeating: "h", count: ProtocolLimits.hostBytes)
    for number in 0..<UInt64(batches) {
      var description = CoordinatorUnderTest.description
      description.input = String(repeating: "i", count: ProtocolLimits.inputBytes)
      let submit = ClientMessage.Submit(
        version: Version.current, batch: number, description: description, isDetached: false, memory: .none,
        session: number + 1, origin: PeerOrigin(host: host, process: .max))
      coordinator.send(.submit(submit), from: [1], by: holder)
    }
    for number in 0..<UInt16(workers) {
      let hello = WorkerMessage.Hello(origin: PeerOrigin(host: host, process: .min), credit: 1)
      let identity = [2, UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      coordinator.handle(.message(.worker(.hello(hello)), [], from: identity, by: holder))
    }
  }

  @Test func aStatusFitsItsEnvelopeWhateverThereIs() {
    let coordinator = CoordinatorUnderTest()
    fill(coordinator, batches: 300, workers: 700)
    coordinator.send(.status, from: [9])
    let status = coordinator.status
    #expect(MessageToClient.status(status).encoded().count <= ProtocolLimits.envelopeBytes)
    #expect(status.batches.count == ProtocolLimits.batchesOfStatus)
    #expect((101..<700).contains(status.workers.count))
    #expect((status.batchCount, status.clientCount, status.workerCount) == (300, 300, 700))
  }

  @Test func aStatusNamesHostsKeysAndClients() {
    let coordinator = CoordinatorUnderTest()
    fill(coordinator, batches: 1, workers: 1)
    coordinator.send(.status, from: [9])
    let host = String(repeating: "h", count: ProtocolLimits.hostBytes)
    let key = String(repeating: "k", count: 64)
    #expect(coordinator.status.workers.map(\.host) == [host] && coordinator.status.workers.map(\.key) == [key])
    #expect(coordinator.status.clients.map(\.host) == [host] && coordinator.status.clients.map(\.key) == [key])
    #expect(coordinator.status.clients.map(\.pid) == [.max])
    #expect(coordinator.status.clients.map(\.batch) == coordinator.status.batches.map(\.name))
    #expect(coordinator.status.batches.map(\.owner) == [key])
  }

  /// The numbers of batches do not decrease, and follow a clock that was ahead for some time.
  @Test func theAgeOfABatchDoesNotDependOnTheClock() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.clockOffset = 3_600_000
    coordinator.submit(session: 1, as: [1])
    coordinator.clockOffset = 0
    coordinator.submit(session: 2, as: [2])
    coordinator.advance(milliseconds: 7_000)
    coordinator.send(.status, from: [9])
    #expect(coordinator.status.batches.map(\.age) == [7, 7])
  }

  @Test func aStatusListsBatchesWithUnreadableJournalsForOperators() {
    let coordinator = CoordinatorUnderTest()
    coordinator.handle(.recovered([RecoveredBatch(77, .unreadable(reason: "denied"))]))
    coordinator.open()
    coordinator.send(.status, from: [9])
    #expect(coordinator.status.batches.map(\.state) == ["unreadable", "receiving"])
    let reason = "its journal cannot be read now and is read again later: denied"
    #expect(coordinator.status.batches.first?.waiting == reason)
    #expect(coordinator.status.batchCount == 2)
    coordinator.send(.status, from: [9], by: KeyHolder(name: "ann", role: .client))
    #expect(coordinator.status.batches.isEmpty && coordinator.status.batchCount == 0)
  }
}
