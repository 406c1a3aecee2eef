import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of clients whose coordinator without a spool is killed and started again, and of workers that are stopped.
@Suite struct LostCoordinatorTests {
  private let scratch = Scratch()

  /// Kills the coordinator in the middle of a batch, and starts another one at the same endpoint.
  private func replaceCoordinator(of pool: Pool) throws -> Pool {
    try pool.waitUntilPartlyDone()
    pool.coordinator.end(by: SIGKILL)
    return try Pool(scratch, at: pool.endpoint)
  }

  @Test func aLostBatchIsSentAgain() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let batch = try SlowBatch(scratch, rows: 200)
    let client = try pool.submit(batch, "tables")
    let next = try replaceCoordinator(of: pool)
    let outcome = client.wait().expectSuccess()
    #expect(outcome.errors.contains("; the batch is sent again"))
    #expect(try scratch.tables("tables") == batch.expected())
    withExtendedLifetime(next) {}
  }

  /// What a reader has received does not come again.
  @Test func aLostStreamContinues() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let batch = try SlowBatch(scratch, rows: 200)
    func stream(_ arguments: [String]) throws -> Galley.Running {
      try pool.start(
        arguments + [batch.rows, "--cells", batch.cells, "--width", "390", "--output", "-", "--connect", pool.endpoint])
    }
    let whole = try stream(["submit"]).wait()
    let client = try stream(["submit"])
    let next = try replaceCoordinator(of: pool)
    let outcome = client.wait().expectSuccess()
    #expect(outcome.errors.contains("; the batch is sent again"))
    // Record batches begin at other rows, so that only their records are compared.
    let records = try streamRecords(outcome.outputBytes)
    #expect(records.map(\.row) == Array(0..<200), "each row comes once")
    #expect(try records == streamRecords(whole.outputBytes))
    withExtendedLifetime(next) {}
  }

  @Test func aStoppedWorkerDoesNotHoldUpABatch() throws {
    let pool = try Pool(scratch)
    let workers = try [pool.startWorker(), pool.startWorker()]
    let batch = try SlowBatch(scratch, rows: 300)
    let client = try pool.submit(batch, "tables")
    try pool.waitUntilPartlyDone()
    workers[0].signal(SIGSTOP)
    client.wait().expectSuccess()
    #expect(try scratch.tables("tables") == batch.expected())
    #expect(try pool.state().workers.count == 2, "the worker was not given up before the batch was done")
    workers[0].signal(SIGCONT)
  }
}
