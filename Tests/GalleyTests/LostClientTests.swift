import Foundation
import GalleyTestSupport
import Glibc
import Testing

/// Clients that go or stand still in the middle of a batch that is not kept.
@Suite struct LostClientTests {
  private let scratch = Scratch()

  @Test func theBatchOfAClientThatWasKilledIsCancelled() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let long = try pool.submit(try SlowBatch(scratch, rows: 5000), "long")
    try pool.waitForTheMiddle()
    long.signal(SIGKILL)
    try eventually { try pool.state().batches.isEmpty }
    let batch = try SlowBatch(scratch, rows: 40)
    let outcome = try pool.submit(batch, "next").wait()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scratch.tables("next") == batch.expected())
    #expect(try scratch.tables("long").isEmpty)
  }

  @Test func othersAreServedWhileAClientStandsStill() throws {
    let pool = try Pool(scratch)
    try pool.startWorker()
    let still = try pool.submit(try SlowBatch(scratch, rows: 5000), "still")
    try pool.waitForTheMiddle()
    still.signal(SIGSTOP)
    let batch = try SlowBatch(scratch, rows: 40)
    let outcome = try pool.submit(batch, "next").wait()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scratch.tables("next") == batch.expected())
  }
}
