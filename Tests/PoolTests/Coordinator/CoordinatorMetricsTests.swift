import Buffers
import PoolProtocol
import Testing

@testable import PoolCoordinatorCore

/// Tests of what a coordinator's core counts.
@Suite struct CoordinatorMetricsTests {
  private func metrics(_ coordinator: CoordinatorUnderTest, by holder: KeyHolder = .withoutKey) -> PoolMetrics {
    coordinator.send(.status, from: [9], by: holder)
    return coordinator.status.metrics
  }

  private func histogram(milliseconds: UInt64...) -> TimeHistogram {
    var histogram = TimeHistogram()
    for time in milliseconds { histogram.record(time * 1_000_000) }
    return histogram
  }

  @Test func theTimesOfABatchAreRecorded() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.submit()
    coordinator.advance(milliseconds: 1000)
    coordinator.sendRows(0..<2)
    coordinator.advance(milliseconds: 30)
    coordinator.register()
    coordinator.advance(milliseconds: 7)
    #expect(coordinator.sendResult(rows: 2, [1, 2, 3]) == ["rows 0+2", "done 2"])
    var expected = PoolMetrics()
    (expected.batchesAccepted, expected.batchesDone, expected.jobsDone, expected.rowsDone) = (1, 1, 1, 2)
    expected.rowBytesReceived = UInt64(CoordinatorUnderTest.lines(0..<2).count)
    expected.resultBytesSent = 3
    expected.uptime = 1.037
    expected.queueTime = histogram(milliseconds: 30)
    expected.layoutTime = histogram(milliseconds: 7)
    expected.batchTime = histogram(milliseconds: 1037)
    #expect(metrics(coordinator) == expected)
  }

  /// The rows of a kept batch can be laid out once the journal has them.
  @Test func theQueueTimeOfAKeptBatchBeginsWhenItsRowsAreStored() {
    let coordinator = CoordinatorUnderTest()
    coordinator.open()
    coordinator.sendRows(0..<2)
    coordinator.advance(milliseconds: 500)
    coordinator.noteAppended()
    coordinator.advance(milliseconds: 20)
    coordinator.register()
    #expect(metrics(coordinator).queueTime == histogram(milliseconds: 20))
  }

  @Test func aJobOfALostWorkerIsSentAgainAndCountedOnce() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.register(as: [3])
    coordinator.submit()
    coordinator.sendRows(0..<2)
    coordinator.advance(milliseconds: 400)
    coordinator.handle(.unreachable([3]))
    coordinator.advance(milliseconds: 100)
    coordinator.register()
    // The worker shows with a job without rows that it can finish any.
    #expect(metrics(coordinator).jobsDone == 0)
    coordinator.advance(milliseconds: 10)
    #expect(coordinator.sendResult(rows: 0) == ["job of 2 rows"])
    coordinator.advance(milliseconds: 3)
    #expect(coordinator.sendResult(rows: 2) == ["rows 0+2", "done 2"])
    let metrics = metrics(coordinator)
    #expect(metrics.jobsDone == 1 && metrics.rowsDone == 2 && metrics.retries == 1 && metrics.lostWorkers == 1)
    #expect(metrics.queueTime == histogram(milliseconds: 0))
    #expect(metrics.layoutTime == histogram(milliseconds: 3))
  }

  @Test func aWorkerThatLeavesInGoodOrderIsNotLost() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false).withBatch()
    coordinator.sendRows(0..<2)
    _ = coordinator.receive(.goodbye)
    #expect(coordinator.logs.last == "worker 1 (process 0) left: it has ended by itself; its log has the reason")
    #expect(metrics(coordinator).lostWorkers == 0 && metrics(coordinator).retries == 0)
  }

  @Test func aWorkerThatDoesNotFinishInTimeIsLost() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false).withBatch()
    coordinator.sendRows(0..<2)
    for _ in 0..<70 {
      coordinator.advance(milliseconds: 250)
      coordinator.handle(.tick)
    }
    #expect(metrics(coordinator).lostWorkers == 1 && metrics(coordinator).retries == 1)
  }

  @Test func theEndOfABatchIsCountedOnce() {
    let coordinator = CoordinatorUnderTest()
    // It is cancelled before it is done.
    coordinator.open(session: 1)
    _ = coordinator.cancel(BatchName.text(coordinator.batch))
    // Its client learns later that it failed, and nobody else counts that.
    coordinator.open(isDetached: true, session: 2)
    coordinator.handle(.unreachable(CoordinatorUnderTest.client))
    coordinator.noteFailure(.append, canPass: false)
    _ = coordinator.attach(BatchName.text(coordinator.batch), session: 2)
    // It fails while its client is there.
    coordinator.open(session: 3)
    coordinator.noteFailure(.append, canPass: false)
    // It is done, fetched and then removed.
    coordinator.register()
    coordinator.open(session: 4)
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    #expect(coordinator.noteAppended() == ["rows 0+2", "done 2"])
    coordinator.send(.complete(batch: 1))
    #expect(coordinator.core.batchNames.isEmpty)
    let metrics = metrics(coordinator)
    #expect(metrics.batchesAccepted == 4 && metrics.batchesCancelled == 1)
    #expect(metrics.batchesFailed == 2 && metrics.batchesDone == 1)
    #expect(metrics.batchTime.count == 1)
  }

  @Test func aBatchThatIsFetchedTwiceIsDoneOnceAndItsResultsAreSentTwice() {
    let coordinator = CoordinatorUnderTest().withBatch()
    coordinator.sendRows(0..<2)
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    #expect(coordinator.noteAppended() == ["rows 0+2", "done 2"])
    let bytes = metrics(coordinator).resultBytesSent
    let name = BatchName.text(coordinator.batch)
    coordinator.advance(milliseconds: 1000)
    _ = coordinator.attach(name, session: 6, as: [7])
    coordinator.handle(.read(coordinator.batch, [OwnedBytes(copying: [1, 2])]))
    let metrics = metrics(coordinator)
    #expect(metrics.resultBytesSent == 2 * bytes)
    #expect(metrics.batchesDone == 1 && metrics.batchTime.count == 1)
  }

  @Test func batchesOfAnEarlierCoordinatorAreCountedApart() {
    let coordinator = CoordinatorUnderTest()
    var contents = JournalContents()
    contents.batch = (JournalVersion.current, CoordinatorUnderTest.description)
    coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil))]))
    #expect(metrics(coordinator).batchesRecovered == 1 && metrics(coordinator).batchesAccepted == 0)
  }

  @Test func clientsSeeTheMetricsOfThePoolAndWorkersSeeNone() {
    let coordinator = CoordinatorUnderTest(keepsBatches: false)
    coordinator.submit(by: KeyHolder(name: "ann", role: .client))
    for role in [PeerRole.client, .operator] {
      #expect(metrics(coordinator, by: KeyHolder(name: "bob", role: role)).batchesAccepted == 1)
    }
    #expect(metrics(coordinator, by: KeyHolder(name: "farm", role: .worker)) == PoolMetrics())
  }
}
