import BatchLayout
import Buffers
import Foundation
import GalleyTestSupport
import Glibc
import Hashing
import LayoutTables
import PoolMemory
import PoolProtocol
import PosixMemory
import Testing

@testable import PoolEnvelopes

/// Tests of workers and clients that share memory with a coordinator on the same machine.
@Suite struct SharedMemoryPoolTests {
  private let scratch = Scratch()

  /// Returns the number of shared memories that a process has mapped.
  private func sharedMemories(of process: Galley.Running) throws -> Int {
    let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process.process.processIdentifier)/maps"))
    let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
    // Each line describes one mapping. Its fifth field is the inode of the memory.
    let lines = maps.split(separator: "\n").filter { $0.contains("/memfd:galley") }
    return Set(lines.map { $0.split(separator: " ")[4] }).count
  }

  /// Registers a worker that shares its memory.
  private func register(at pool: Pool, credit: UInt32 = 1) throws -> (Peer, PeerMemoryChannel) {
    let (peer, channel) = (try Peer(pool.endpoint), PeerMemoryChannel(SystemMemory()))
    #expect(channel.offer != .none)
    try peer.register(credit: credit, memory: channel.offer)
    return (peer, channel)
  }

  /// Sends the result of a job, all of whose rows are bad, in the memory of the worker.
  private func sendBadRows(of job: PoolToWorker.Job, _ peer: Peer, _ channel: PeerMemoryChannel) throws {
    let columns = JobColumns()
    for row in job.firstRow..<job.firstRow + UInt64(job.rows) {
      columns.appendBadRow(id: "\(row)", error: "line \(row + 1): no such photo")
    }
    let frame = OwnedBytes(columns)
    var message = PoolFromWorker()
    (message.result.job, message.result.attempt, message.result.rows) = (job.job, job.attempt, job.rows)
    message.result.columns = try #require(channel.leave(columns: [frame.count]) { frame.copy(to: $1) }).message
    message.result.checksums = [frame.checksum]
    message.result.seen = channel.seenToken
    try peer.send(message)
  }

  @Test func memoryIsMappedOnlyWhileItIsUsed() throws {
    let pool = try Pool(scratch)
    #expect(try sharedMemories(of: pool.coordinator) == 0)
    let worker = try pool.startWorker()
    try eventually { try sharedMemories(of: pool.coordinator) == 2 }
    let client = try pool.submit(try SlowBatch(scratch, rows: 5000), "long")
    try pool.waitUntilPartlyDone()
    // The coordinator has its memory for each peer, the memory of each peer, and the program.
    #expect(try sharedMemories(of: pool.coordinator) == 5)
    // The worker has its own memory, that of the coordinator, that of the client, and the program.
    try eventually { try sharedMemories(of: worker) == 4 }
    try eventually { try sharedMemories(of: client) == 3 }
    client.signal(SIGKILL)
    try eventually { try sharedMemories(of: pool.coordinator) == 3 }
    try eventually { try sharedMemories(of: worker) == 3 }
    worker.signal(SIGKILL)
    // The coordinator keeps the program for other workers.
    try eventually { try sharedMemories(of: pool.coordinator) == 1 }
  }

  /// The first lines are sent through the socket, because both sides have to map the memory of the other side before.
  @Test func linesAndColumnsAreTransferredInSharedMemory() throws {
    let batch = try SlowBatch(scratch, rows: 60)
    let pool = try Pool(scratch)
    let (peer, channel) = try register(at: pool)
    let client = try pool.submit(batch, "tables")
    var lines: [OwnedBytes] = []
    var usedSharedMemory: [Bool] = []
    var row: UInt32 = 0
    while row < 60 {
      let (job, frame) = try #require(try peer.receiveJobWithLines(channel))
      lines.append(frame)
      usedSharedMemory.append(job.hasLines)
      try sendBadRows(of: job, peer, channel)
      row += job.rows
    }
    let outcome = client.wait()
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("60 of 60 rows are bad"), "\(outcome.errors)")
    #expect(
      usedSharedMemory.first == false && usedSharedMemory.dropFirst().allSatisfy { $0 } && usedSharedMemory.count > 1)
    #expect(lines.flatMap { Array($0.bytes) } == Array(try Data(contentsOf: URL(fileURLWithPath: batch.rows))))
  }

  /// Lines are not overwritten while a worker may read them.
  @Test func workersReadLinesInTheMemoryOfTheClient() throws {
    let batch = try SlowBatch(scratch, rows: 3000)
    let pool = try Pool(scratch)
    let (peer, channel) = try register(at: pool, credit: 2)
    let client = try pool.submit(batch, "tables")
    let (first, _) = try #require(try peer.receiveJobWithLines(channel))
    // The worker disconnects without a result of the second job. Another worker lays it out, and the lines do not
    // change.
    let (second, kept) = try #require(try peer.receiveJobWithLines(channel))
    #expect(!first.hasLines && !second.hasLines, "the worker has not mapped the coordinator's memory yet")
    try sendBadRows(of: first, peer, channel)
    let (third, shown) = try #require(try peer.receiveJobWithLines(channel))
    #expect(third.hasLines && third.lines.mark == 0 && third.lines.token != channel.seenToken)
    let before = Array(shown.bytes)
    try peer.send(.with { $0.goodbye = .init() })
    try pool.startWorker()
    client.wait().expectFailure(3, "\(first.rows) of 3000 rows are bad")
    #expect(Array(shown.bytes) == before && kept.count > 0)
  }

  /// The results are for jobs that do not exist.
  @Test func theMemoryOfUnexpectedResultsIsReleased() throws {
    let pool = try Pool(scratch)
    let (peer, channel) = try register(at: pool)
    let client = try pool.submit(try SlowBatch(scratch, rows: 10), "tables")
    let (job, _) = try #require(try peer.receiveJobWithLines(channel))
    for number in 1...10 {
      var left: SharedRange?
      try eventually {
        left = channel.leave(columns: [10 << 20]) { _, start in memset(start, 0, 10 << 20) }
        return left != nil
      }
      var message = PoolFromWorker()
      (message.result.job, message.result.attempt) = (job.job + UInt64(number), 1)
      message.result.columns = try #require(left).message
      try peer.send(message)
    }
    client.signal(SIGKILL)
  }

  /// A worker keeps only a few programs, and requests a program that it no longer has.
  @Test func aProgramIsSentAgainToAWorkerThatDiscardedIt() throws {
    let pool = try Pool(scratch, ["--workers", "1"])
    let rows = try scratch.file("rows.jsonl", "{}\n{}\n")
    for round in 0..<2 {
      for number in 0..<6 {
        let cells = try scratch.file("\(number).yaml", "version: 1\ncells: {Cell\(number): {layout: {type: spec}}}\n")
        try Galley.run([
          "submit", rows, "--cells", cells, "--width", "390", "--output", scratch.path("\(round).\(number)"),
          "--connect", pool.endpoint,
        ]).expectSuccess()
      }
    }
    #expect(!pool.coordinator.errorsSoFar.contains("is no result"), "\(pool.coordinator.errorsSoFar)")
  }

  /// Its client attaches to the batch again, and messages that were sent before arrive before the reply.
  @Test func aBatchCompletesAfterTheCoordinatorWasStopped() throws {
    let batch = try SlowBatch(scratch, rows: 1500)
    let pool = try Pool(scratch, ["--spool", scratch.path("spool")])
    for _ in 0..<4 { try pool.startWorker() }
    let client = try pool.submit(batch, "tables")
    try pool.waitUntilPartlyDone()
    pool.coordinator.signal(SIGSTOP)
    usleep(2_500_000)
    pool.coordinator.signal(SIGCONT)
    client.wait().expectSuccess()
    #expect(try scratch.tables("tables") == batch.expected())
  }

  @Test func aWorkerWhoseMemoryCannotBeMappedReceivesLinesThroughTheSocket() throws {
    let pool = try Pool(scratch)
    let peer = try Peer(pool.endpoint)
    let offering = PeerMemoryChannel(SystemMemory())
    var elsewhere = offering.offer
    #expect(elsewhere != .none)
    elsewhere.token &+= 1
    try peer.register(memory: elsewhere)
    _ = try pool.submit(try SlowBatch(scratch, rows: 10), "tables")
    let (job, lines) = try #require(try peer.receiveJobWithLines(PeerMemoryChannel(SystemMemory())))
    #expect(!job.hasLines)
    #expect(lines.withBytes { $0.count } > 0)
  }

  /// The coordinator first sends a reference to the program in shared memory.
  @Test func aWorkerThatCannotMapAProgramReceivesItThroughTheSocket() throws {
    let batch = try SlowBatch(scratch, rows: 10)
    let pool = try Pool(scratch)
    let (peer, channel) = try register(at: pool)
    let client = try pool.submit(batch, "tables")
    let job = try #require(try peer.receiveJob())
    func ask(isInvisible: Bool) throws -> (PoolToWorker.Program, [OwnedBytes])? {
      try peer.send(
        .with {
          ($0.programWanted.program, $0.programWanted.size) = (job.program, 1 << 20)
          $0.programWanted.unseen = isInvisible
        })
      return try peer.receiveProgram()
    }
    let (shown, _) = try #require(try ask(isInvisible: false))
    let program = try #require(channel.program(SharedRange(shown.bytes), [])?.first)
    #expect(program.withBytes { SHA256.hash($0) } == [UInt8](job.program))
    let (sent, parts) = try #require(try ask(isInvisible: true))
    #expect(!sent.hasBytes && sent.size == program.count && sent.offset == 0)
    #expect(parts.first.map { [UInt8]($0.bytes) } == [UInt8](program.bytes.prefix(ProtocolLimits.programPartBytes)))
    try peer.send(.with { $0.goodbye = .init() })
    try pool.startWorker()
    #expect(client.wait().code == 0)
    #expect(try scratch.tables("tables") == batch.expected())
  }
}
