import Buffers
import PoolMemory
import PoolProtocol
import PosixMemory
import Testing

@testable import PoolCoordinatorCore

/// Tests of jobs that workers return without a result, for a reason or because they are broken or lie.
@Suite struct ReturnedJobsTests {
  private static let refused = "refused: 3 of its replies were damaged or invalid; it is refused for 10 minutes"

  private let coordinator = CoordinatorUnderTest(keepsBatches: false)

  /// Reports that the worker of the last job cannot use the program.
  private func fail(_ coordinator: CoordinatorUnderTest) -> [String] {
    coordinator.receive(.failure(coordinator.job, reason: "no cells"), from: coordinator.workerOfJob)
  }

  /// Returns a coordinator with a kept batch of four rows. A worker has laid out two of them and has a job with the other two.
  private func halfDone() -> CoordinatorUnderTest {
    let coordinator = CoordinatorUnderTest().withBatch()
    coordinator.sendRows(0..<2, isLast: false)
    coordinator.noteAppended()
    coordinator.sendResult(rows: 2)
    coordinator.noteAppended()
    coordinator.sendRows(2..<4)
    #expect(coordinator.noteAppended() == ["stored 4 rows, complete", "job of 2 rows"])
    return coordinator
  }

  // MARK: Programs that cannot be used

  @Test func aProgramThatAWorkerCannotUseEndsItsBatchAndBlamesNoWorker() {
    coordinator.withBatch()
    coordinator.sendRows(0..<2)
    #expect(fail(coordinator) == ["failed: worker 1 (process 0): no cells"])
    #expect(coordinator.core.batchNames.isEmpty)
    #expect(coordinator.core.metrics.resultsRefused == 0)
  }

  @Test func aWorkerDoesNotEndABatchWithResults() {
    let coordinator = halfDone()
    #expect(fail(coordinator) == ["job of 2 rows"])
    #expect(fail(coordinator) == ["job of 2 rows"])
    #expect(coordinator.logs.last?.contains("cannot lay out rows of batch") == true)
    #expect(fail(coordinator) == [Self.refused])
    #expect(coordinator.core.metrics.resultsRefused == 3)
    #expect(coordinator.register(process: 1, as: [9]) == ["welcome", "job of 2 rows"], "another process may be good")
    #expect(coordinator.sendResult(rows: 2, from: [9]) == ["append results"])
  }

  /// The program may be one that only workers of the earlier coordinator can use.
  @Test func theJournalOfABatchWithEarlierResultsIsSetAside() {
    let coordinator = CoordinatorUnderTest()
    var contents = JournalContents()
    contents.batch = (.current, CoordinatorUnderTest.description)
    contents.chunks = [
      RowsChunk(0..<20, firstLine: 1, firstRow: 0, rows: 2, end: InputSummary(bytes: 20, hash: ""))
    ]
    contents.results[0] = ResultRun(firstRow: 0, rows: 2, columns: [50..<52], checksums: [], linesHash: 1)
    coordinator.handle(.recovered([RecoveredBatch(77, .read(contents, program: nil), bytes: 100)]))
    coordinator.register()
    #expect(coordinator.handle(.read(77, [CoordinatorUnderTest.lines(0..<2)])) == ["job of 2 rows"])
    #expect(fail(coordinator) == ["set aside journal"])
    #expect(coordinator.attach("25").first == "failed: worker 1 (process 0): no cells")
  }

  // MARK: Lines and programs that did not arrive

  @Test func aWorkerThatReportsDamagedJobsIsRefusedAndItsBatchContinues() {
    let coordinator = halfDone()
    for _ in 0..<2 {
      #expect(coordinator.receive(.missing(coordinator.job, isInvisible: false)) == ["job of 2 rows"])
    }
    #expect(coordinator.receive(.missing(coordinator.job, isInvisible: false)) == [Self.refused])
    #expect(coordinator.core.batchNames.count == 1)
    #expect(coordinator.register(process: 1, as: [9]) == ["welcome", "job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2, from: [9]) == ["append results"])
  }

  @Test func linesThatAWorkerCannotSeeAreSentAndMustArriveThen() {
    let memory = SystemMemory()
    let coordinator = CoordinatorUnderTest(keepsBatches: false, memory: memory)
    let channel = PeerMemoryChannel(memory)
    coordinator.register(memory: channel.offer)
    coordinator.submit()
    #expect(coordinator.sendRows(0..<2, isLast: false) == ["job of 2 rows"])
    #expect(coordinator.sendResult(rows: 2, seenToken: coordinator.offered.token) == ["rows 0+2"])
    #expect(coordinator.sendRows(2..<4) == ["job of 2 rows in shared memory"])
    func reportInvisibleLines() -> [String] { coordinator.receive(.missing(coordinator.job, isInvisible: true)) }
    #expect(reportInvisibleLines() == ["job of 2 rows"])
    #expect(coordinator.core.metrics.resultsRefused == 0, "a worker in a container cannot see them")
    #expect(reportInvisibleLines() == ["job of 2 rows"])
    #expect(coordinator.logs.last?.contains("reports that a job came without its lines") == true)
    #expect(reportInvisibleLines() == ["job of 2 rows"])
    #expect(reportInvisibleLines() == [Self.refused])
  }
}
