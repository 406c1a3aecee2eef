import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Tests of clients that are killed or stopped in the middle of a batch that is not stored.
@Suite struct LostClientTests {
  private let scratch = Scratch()

  @Test func theBatchOfAKilledClientIsCanceled() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let long = try pool.submit(try SlowBatch(scratch, rows: 5000), "long")
    try pool.waitUntilPartlyDone()
    long.signal(SIGKILL)
    try eventually { try pool.state().batches.isEmpty }
    let batch = try SlowBatch(scratch, rows: 40)
    try pool.submit(batch, "next").wait().expectSuccess()
    #expect(try scratch.tables("next") == batch.expected())
    #expect(try scratch.tables("long").isEmpty)
  }

  @Test func otherClientsAreServedWhileOneIsStopped() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let stopped = try pool.submit(try SlowBatch(scratch, rows: 5000), "stopped")
    try pool.waitUntilPartlyDone()
    stopped.signal(SIGSTOP)
    let batch = try SlowBatch(scratch, rows: 40)
    try pool.submit(batch, "next").wait().expectSuccess()
    #expect(try scratch.tables("next") == batch.expected())
  }
}
