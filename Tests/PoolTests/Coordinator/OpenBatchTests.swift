import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of the life of a batch.
@Suite struct OpenBatchTests {
  private func batch(_ phase: OpenBatch.Phase) -> OpenBatch {
    OpenBatch(7, CoordinatorUnderTest.description, isKept: true, isHeldInMemory: false, phase: phase)
  }

  @Test func aBatchIsOpenedDoneAndFailed() {
    let batch = batch(.creating)
    for phase in [.open, .done(rows: 3), .failed(reason: "lost")] as [OpenBatch.Phase] {
      #expect(batch.enter(phase) == nil)
      #expect(batch.phase == phase)
    }
  }

  @Test(arguments: [
    (OpenBatch.Phase.creating, OpenBatch.Phase.done(rows: 1)), (.open, .creating), (.open, .open),
    (.done(rows: 1), .open), (.done(rows: 1), .done(rows: 1)), (.failed(reason: "a"), .failed(reason: "b")),
    (.failed(reason: "a"), .open),
  ])
  func anIllegalTransitionIsAnErrorThatLeavesThePhase(phase: OpenBatch.Phase, next: OpenBatch.Phase) {
    let batch = batch(phase)
    #expect(batch.enter(next) == "batch \(batch.name) is \(phase) and cannot become \(next)")
    #expect(batch.phase == phase)
  }
}
