import Foundation
import GalleyTestSupport
import Glibc
import PoolProtocol
import Testing
import SeededRandom

@testable import PoolEnvelopes

/// Workers that are not what they should be, in a pool with one that is.
@Suite struct OddWorkerTests {
  private let scratch = Scratch()

  /// What a worker may send in place of a job's columns.
  enum Answer: CaseIterable {
    case noColumns, tooManyVariants, otherRows, randomColumns, emptyColumns, columnsThatAreNotThere

    func result(for job: PoolToWorker.Job) -> (PoolFromWorker, [[UInt8]]) {
      var message = PoolFromWorker()
      (message.result.job, message.result.attempt, message.result.rows) = (job.job, job.attempt, job.rows)
      var random = SplitMix(seed: 3)
      let noise = (0..<4096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      switch self {
      case .noColumns: return (message, [])
      case .tooManyVariants: return (message, [noise, noise])
      case .otherRows:
        message.result.rows += 1
        return (message, [noise])
      case .randomColumns: return (message, [noise])
      case .emptyColumns: return (message, [[]])
      case .columnsThatAreNotThere:
        message.result.columns = .with { ($0.offset, $0.size, $0.pieces) = (128, 4096, [4096]) }
        return (message, [])
      }
    }
  }

  /// Has a pool begin a batch with an odd worker alone, and end it with a good one.
  private func run(_ disturb: (Peer, Pool) throws -> Void) throws {
    let batch = try SlowBatch(scratch, rows: 100)
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    let client = try pool.submit(batch, "tables")
    try disturb(peer, pool)
    try pool.startWorker()
    let outcome = client.wait()
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try scratch.tables("tables") == batch.expected())
  }

  private func expectRefusal(of peer: Peer, _ reason: String) throws {
    guard case .refused(let refused)? = try peer.receive() else {
      Issue.record("it was not refused")
      return
    }
    #expect(refused.reason == reason)
  }

  @Test(arguments: Answer.allCases)
  func whoAnswersWithWhatIsNoResultIsDisconnected(answer: Answer) throws {
    try run { peer, pool in
      try peer.sayHello()
      let job = try #require(try peer.receiveJob())
      let (message, bulk) = answer.result(for: job)
      try peer.send(message, bulk)
      try eventually { pool.coordinator.errorsSoFar.contains("is no result (") }
      try expectRefusal(of: peer, "it answered a job with what is no result")
      #expect(try pool.state().workers.isEmpty)
      try peer.sayHello()
      try expectRefusal(of: peer, "it answered a job with what is no result")
    }
  }

  @Test func whatIsNoMessageIsIgnored() throws {
    try run { peer, pool in
      try peer.send([])
      try peer.send([[]])
      try peer.send([[0xff, 0xff, 0xff]])
      try peer.send([[UInt8]](repeating: [1], count: 200))
      try eventually { pool.coordinator.errorsSoFar.contains("a peer sent a malformed message; it is ignored") }
    }
  }

  /// Answers to jobs that it was never given, to earlier attempts, and from one who never said hello.
  @Test func answersToWhatWasNotAskedAreIgnored() throws {
    try run { peer, pool in
      let stranger = try Peer(pool.endpoint)
      try peer.sayHello()
      let job = try #require(try peer.receiveJob())
      for (sender, number, attempt) in [
        (peer, job.job + 1, job.attempt), (peer, job.job, job.attempt + 1),
        (peer, .max, .max), (stranger, job.job, job.attempt),
      ] {
        var other = job
        (other.job, other.attempt) = (number, attempt)
        let (message, bulk) = Answer.randomColumns.result(for: other)
        for _ in 0..<2 { try sender.send(message, bulk) }
      }
      try stranger.sayHello()
      #expect(try stranger.receiveJob() != nil)
      #expect(!pool.coordinator.errorsSoFar.contains("is no result ("))
      var goodbye = PoolFromWorker()
      goodbye.goodbye = .init()
      for leaver in [peer, stranger] { try leaver.send(goodbye) }
    }
  }

  @Test func workersOfAnotherVersionAreRefusedAndToldWhy() throws {
    try run { peer, pool in
      try peer.sayHello(version: "0.0.1")
      try expectRefusal(of: peer, "this coordinator is version \(Version.current), the worker 0.0.1")
      #expect(try pool.state().workers.isEmpty)
    }
  }

  /// The socket tells peers apart by this id: the second of a name is not heard while the first is there.
  @Test func workersOfOneNameDoNotMix() throws {
    try run { peer, pool in
      let first = try Peer(pool.endpoint, identity: "the same")
      try first.sayHello()
      let job = try #require(try first.receiveJob())
      let second = try Peer(pool.endpoint, identity: "the same")
      try second.sayHello()
      let (message, bulk) = Answer.randomColumns.result(for: job)
      try second.send(message, bulk)
      #expect(try second.receive(milliseconds: 500) == nil)
      #expect(try pool.state().workers.count == 1)
      #expect(!pool.coordinator.errorsSoFar.contains("is no result ("))
    }
  }
}
