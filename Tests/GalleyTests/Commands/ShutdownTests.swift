import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of a coordinator that receives SIGTERM in the middle of a batch.
@Suite struct ShutdownTests {
  private let scratch = Scratch()

  @Test func aShutdownCompletesOpenBatchesAndRefusesNewOnes() throws {
    let batch = try SlowBatch(scratch)
    let pool = try Pool(scratch)
    let worker = try pool.startWorker()
    let client = try pool.submit(batch, "tables")
    try pool.waitUntilPartlyDone()
    // The batch stays open until the late client is refused, however long that takes to start.
    worker.signal(SIGSTOP)
    pool.coordinator.signal(SIGTERM)
    try eventually { pool.coordinator.errorsSoFar.contains("finishing 1 batches, accepting no others") }
    let late = try pool.submit(batch, "late").wait()
    worker.signal(SIGCONT)
    #expect(late.code == 1)
    #expect(late.errors == "galley: the coordinator is about to stop and takes no new batches\n")
    #expect(client.wait().code == 0)
    #expect(pool.coordinator.wait().code == 0)
    #expect(worker.wait().code == 0, "the coordinator ends the worker")
    #expect(try scratch.tables("tables") == batch.expected())
  }

  @Test func theNextCoordinatorCompletesStoredBatches() throws {
    let batch = try SlowBatch(scratch)
    let spool = ["--spool", scratch.path("spool")]
    let first = try Pool(scratch, spool)
    try first.startWorker()
    let client = try first.submit(batch, "tables")
    try first.waitUntilPartlyDone()
    #expect(first.coordinator.end().code == 0)
    let second = try Pool(scratch, spool)
    try second.startWorker()
    #expect(client.wait().code == 0)
    #expect(second.coordinator.errorsSoFar.contains(" rows are done"))
    #expect(try scratch.tables("tables") == batch.expected())
  }
}
