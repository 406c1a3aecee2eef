import Foundation
import GalleyTestSupport
import Glibc
import PoolProtocol
import SeededRandom
import Testing

@testable import PoolEnvelopes

/// Tests of a pool with a worker that sends malformed or unexpected messages, and a correct one.
@Suite struct MalformedWorkerTests {
  private let scratch = Scratch()

  /// A malformed result of a job.
  enum MalformedResult: CaseIterable {
    case noColumns, tooManyVariants, wrongRowCount, randomColumns, emptyColumns, columnsOutsideSharedMemory

    /// Returns the message of the result and its columns.
    func message(for job: PoolToWorker.Job) -> (PoolFromWorker, [[UInt8]]) {
      var message = PoolFromWorker()
      (message.result.job, message.result.attempt, message.result.rows) = (job.job, job.attempt, job.rows)
      var random = SplitMix(seed: 3)
      let noise = (0..<4096).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      switch self {
      case .noColumns: return (message, [])
      case .tooManyVariants: return (message, [noise, noise])
      case .wrongRowCount:
        message.result.rows += 1
        return (message, [noise])
      case .randomColumns: return (message, [noise])
      case .emptyColumns: return (message, [[]])
      case .columnsOutsideSharedMemory:
        message.result.columns = .with { ($0.offset, $0.size, $0.pieces) = (128, 4096, [4096]) }
        return (message, [])
      }
    }
  }

  /// Starts a batch with a worker that the test controls, and completes it with a correct one.
  private func run(_ disturb: (Peer, Pool) throws -> Void) throws {
    let batch = try SlowBatch(scratch, rows: 100)
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    let client = try pool.submit(batch, "tables")
    try disturb(peer, pool)
    try pool.startWorker()
    client.wait().expectSuccess()
    #expect(try scratch.tables("tables") == batch.expected())
  }

  private func expectRefusal(of peer: Peer, _ reason: String) throws {
    guard case .refused(let refused)? = try peer.receive() else {
      Issue.record("the worker was not refused")
      return
    }
    #expect(refused.reason == reason)
  }

  @Test(arguments: MalformedResult.allCases)
  func aWorkerThatSendsMalformedResultsIsDisconnected(result: MalformedResult) throws {
    try run { peer, pool in
      try peer.register()
      for _ in 0..<3 {
        let job = try #require(try peer.receiveJob())
        let (message, bulk) = result.message(for: job)
        try peer.send(message, bulk)
      }
      try eventually { pool.coordinator.errorsSoFar.contains("the worker is disconnected") }
      try expectRefusal(of: peer, "3 of its replies were damaged or invalid; it is refused for 10 minutes")
      #expect(try pool.state().workers.isEmpty)
      try peer.register()
      try expectRefusal(of: peer, "3 of its replies were damaged or invalid; it is refused for 10 minutes")
    }
  }

  @Test func aFloodOfMessagesNeitherFillsTheLogNorControlsATerminal() throws {
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    let count = 300
    for number in 0..<count {
      try peer.register(version: "\u{1b}]0;title\u{7}" + String(repeating: "\(number)", count: 10_000))
    }
    for _ in 0..<count { #expect(try peer.receive() != nil) }
    let log = pool.coordinator.end().errors
    #expect(log.contains("of version ?]0;title?"))
    #expect(!log.contains("\u{1b}") && log.utf8.count < 300_000)
    // Every message is counted.
    let warnings = log.split(separator: "\n").filter { $0.contains(" warning ") }
    let times = warnings.map { Int($0.firstMatch(of: #/\((\d+) times\)$/#)?.1 ?? "1") ?? 0 }
    #expect(times.reduce(0, +) == count)
  }

  @Test func malformedMessagesAreIgnored() throws {
    try run { peer, pool in
      try peer.send([])
      try peer.send([[]])
      try peer.send([[0xff, 0xff, 0xff]])
      try peer.send([[UInt8]](repeating: [1], count: 200))
      try eventually { pool.coordinator.errorsSoFar.contains("a peer sent a malformed message; it is ignored") }
    }
  }

  /// The results are for unassigned jobs, for other attempts, and from a worker that is not registered.
  @Test func unexpectedResultsAreIgnored() throws {
    try run { peer, pool in
      let unregistered = try Peer(pool.endpoint)
      try peer.register()
      let job = try #require(try peer.receiveJob())
      for (sender, number, attempt) in [
        (peer, job.job + 1, job.attempt), (peer, job.job, job.attempt + 1),
        (peer, .max, .max), (unregistered, job.job, job.attempt),
      ] {
        var other = job
        (other.job, other.attempt) = (number, attempt)
        let (message, bulk) = MalformedResult.randomColumns.message(for: other)
        for _ in 0..<2 { try sender.send(message, bulk) }
      }
      try unregistered.register()
      #expect(try unregistered.receiveJob() != nil)
      #expect(!pool.coordinator.errorsSoFar.contains("is refused: it has"))
      var goodbye = PoolFromWorker()
      goodbye.goodbye = .init()
      for sender in [peer, unregistered] { try sender.send(goodbye) }
    }
  }

  @Test func aWorkerOfAnotherVersionIsRefusedWithTheReason() throws {
    try run { peer, pool in
      try peer.register(version: "0.0.1")
      try expectRefusal(of: peer, "this coordinator is version \(Version.current), the worker 0.0.1")
      #expect(try pool.state().workers.isEmpty)
    }
  }

  /// The coordinator's socket ignores a connection with the routing ID of an existing connection.
  @Test func aSecondWorkerWithTheSameRoutingIDIsIgnored() throws {
    try run { peer, pool in
      let first = try Peer(pool.endpoint, identity: "the same")
      try first.register()
      let job = try #require(try first.receiveJob())
      let second = try Peer(pool.endpoint, identity: "the same")
      try second.register()
      let (message, bulk) = MalformedResult.randomColumns.message(for: job)
      try second.send(message, bulk)
      #expect(try second.receive(milliseconds: 500) == nil)
      #expect(try pool.state().workers.count == 1)
      #expect(!pool.coordinator.errorsSoFar.contains("is refused: it has"))
    }
  }
}
