import Buffers
import Foundation
import GalleyTestSupport
import Hashing
import LayoutEngine
import PoolClient
import PoolMemory
import PoolProtocol
import PosixMemory
import Processes
import Testing
import ZeroMQ

@testable import PoolCoordinator
@testable import PoolEnvelopes

/// Tests of decoders, journals and a running coordinator with bytes that no correct peer sends.
@Suite struct HostileMessagesTests {
  /// Returns an envelope of each kind of message, with its fields set.
  private static func corpus(_ memory: PoolSharedMemory = PoolSharedMemory()) -> [[UInt8]] {
    var messages: [PoolToCoordinator] = []
    func client(_ fill: (inout PoolFromClient) -> Void) {
      var message = PoolToCoordinator()
      fill(&message.client)
      messages.append(message)
    }
    func worker(_ fill: (inout PoolFromWorker) -> Void) {
      var message = PoolToCoordinator()
      fill(&message.worker)
      messages.append(message)
    }
    client {
      $0.submit.version = Version.current
      $0.submit.batch = 1
      $0.submit.program = .init(program.withBytes { SHA256.hash($0) })
      $0.submit.variants = [PoolVariant.with { ($0.width, $0.textScale, $0.scale) = (390, 1, 2) }]
    }
    client {
      ($0.chunk.batch, $0.chunk.firstLine, $0.chunk.firstRow, $0.chunk.rows) = (1, 1, 0, 2)
      $0.chunk.last = true
    }
    client { ($0.chunk.batch, $0.chunk.firstLine, $0.chunk.firstRow, $0.chunk.rows) = (1, 3, 2, 2) }
    client {
      ($0.chunk.batch, $0.chunk.firstLine, $0.chunk.firstRow, $0.chunk.rows) = (1, 5, 4, 1)
      ($0.chunk.lines.offset, $0.chunk.lines.size) = (128, 3)
    }
    client { $0.cancel.batch = 1 }
    client { $0.cancel.name = "abc" }
    client { $0.status = .init() }
    client { ($0.attach.version, $0.attach.name, $0.attach.batch) = (Version.current, "abc", 1) }
    client { ($0.taken.batch, $0.taken.rows) = (1, 2) }
    worker { ($0.hello.version, $0.hello.pid, $0.hello.credit) = (Version.current, 1, 2) }
    worker {
      ($0.hello.version, $0.hello.credit) = (Version.current, 2)
      $0.hello.memory = memory
    }
    worker { ($0.started.job, $0.started.attempt) = (1, 1) }
    worker { ($0.result.job, $0.result.attempt, $0.result.rows, $0.result.duration) = (1, 1, 2, 5) }
    worker {
      ($0.result.job, $0.result.attempt, $0.result.rows) = (1, 1, 2)
      $0.result.columns = .with { ($0.token, $0.offset, $0.size, $0.pieces) = (memory.token, 1 << 16, 64, [64]) }
    }
    worker {
      ($0.result.job, $0.result.attempt, $0.result.rows) = (1, 1, 2)
      ($0.result.nextJob, $0.result.nextAttempt) = (2, 1)
    }
    worker { ($0.missing.job, $0.missing.attempt) = (1, 1) }
    worker { ($0.failure.job, $0.failure.attempt, $0.failure.reason) = (1, 1, "why") }
    worker { $0.goodbye = .init() }
    return messages.map { Envelope.encode($0) }
  }

  private static var program: MessagePart { .sharing(OwnedBytes(copying: Array("no program".utf8))) }

  /// Returns messages to peers and records of journals, with numbers that no correct coordinator sends.
  private static func corpusOfCoordinators() -> [[UInt8]] {
    let long = String(repeating: "n\u{1b}[2Jä", count: 400)
    var messages: [PoolToClient] = []
    for number in [0.5, .nan, .infinity, -.infinity, -1, 1e300, .greatestFiniteMagnitude] {
      messages.append(
        .with {
          ($0.status.version, $0.status.pid, $0.status.rowsPerSecond) = ("1", .max, number)
          ($0.status.workerCount, $0.status.batchCount, $0.status.clientCount) = (.max, 2, 0)
          $0.status.workers = [.with { ($0.name, $0.pid, $0.cacheHitRate, $0.host) = (long, .min, number, long) }]
          $0.status.batches = [.with { ($0.name, $0.input, $0.waiting, $0.priority) = (long, long, long, .min) }]
          $0.status.clients = [.with { ($0.host, $0.key, $0.batch) = (long, long, long) }]
        })
      messages.append(
        .with {
          ($0.accepted.batch, $0.accepted.window, $0.accepted.name) = (1, .max, "abc")
          $0.accepted.variants = [.with { ($0.width, $0.textScale, $0.scale) = (number, number, number) }]
        })
    }
    messages.append(.with { ($0.failed.batch, $0.failed.reason) = (1, long) })
    messages.append(.with { $0.runs.rows = [.with { ($0.firstRow, $0.rows) = (.max, .max) }] })
    messages.append(.with { ($0.done.rows, $0.done.inputHash) = (1, long) })
    let job = PoolToWorker.with {
      ($0.job.job, $0.job.rows, $0.job.file) = (1, .max, long)
      $0.job.variants = [.with { ($0.width, $0.textScale, $0.scale) = (.nan, 0, -1) }]
    }
    let record = PoolJournalRecord.with {
      ($0.batch.version, $0.batch.input, $0.batch.owner, $0.frames) = ("1", long, "ann", [.max])
    }
    return messages.map { Envelope.encode($0) } + [Envelope.encode(job), Envelope.encode(record)]
  }

  /// What is decoded is within bounds, and can be printed.
  @Test func hostileEnvelopesAreDecodedWithinBoundsOrRefused() throws {
    let corpus = Self.corpus() + Self.corpusOfCoordinators()
    var mutator = Mutator(seed: 6, corpus: corpus)
    var printed = 0
    for number in 0..<corpus.count + Mutator.count {
      let bytes = number < corpus.count ? corpus[number] : mutator.next()
      bytes.withUnsafeBytes { raw in
        if let message = MessageToCoordinator(envelope: raw) { Self.check(message) }
        if case .job(let job)? = MessageToWorker(envelope: raw) { Self.check(job.setup.variants) }
        if case .batch(_, let batch)? = JournalRecord(envelope: raw, ranges: { _ in [] }) { Self.check(batch) }
        switch MessageToClient(envelope: raw) {
        case .status(let status)?:
          let text = status.text
          #expect(!text.contains("\u{1b}") && !text.contains("nan") && !text.contains("inf"))
          #expect((try? JSONEncoder().encode(status)) != nil)
          printed += 1
        case .accepted(let accepted)?: Self.check(accepted.description)
        case .failed(_, let reason)?: #expect(reason.utf8.count <= ProtocolLimits.reasonBytes)
        default: break
        }
      }
    }
    #expect(printed > 20)
  }

  private static func check(_ message: MessageToCoordinator) {
    switch message {
    case .client(.submit(let submit)):
      check(submit.description)
      #expect(submit.origin.host.utf8.count <= ProtocolLimits.hostBytes)
    case .client(.chunk(_, let chunk, _, _)): #expect(chunk.file.utf8.count <= ProtocolLimits.fileBytes)
    case .worker(.hello(let hello)):
      #expect(hello.version.utf8.count <= ProtocolLimits.nameBytes)
      #expect(hello.origin.host.utf8.count <= ProtocolLimits.hostBytes)
    case .worker(.result(let result)): #expect((0...1).contains(result.cacheHitRate))
    case .worker(.failure(_, let reason)): #expect(reason.utf8.count <= ProtocolLimits.reasonBytes)
    default: break
    }
  }

  private static func check(_ description: BatchDescription) {
    #expect(description.input.utf8.count <= ProtocolLimits.inputBytes)
    check(description.variants)
  }

  private static func check(_ variants: [Variant]) {
    for variant in variants {
      for number in [variant.width, variant.textScale, variant.scale] {
        #expect((0...ProtocolLimits.variantLimit).contains(number))
      }
    }
  }

  /// Peers send arbitrary messages in any order, with any message parts. The coordinator continues, and replies to
  /// other peers.
  @Test func aCoordinatorContinuesAfterMessagesOfHostilePeers() throws {
    let context = try Context()
    let coordinator = try Coordinator(context, endpoints: ["inproc://hostile"], Coordinator.Options(), log: Log(.error))
    let memory = try #require(SharedMemory(SystemMemory()))
    let corpus = Self.corpus(try #require(memory.reference.message))
    var mutator = Mutator(seed: 7, corpus: corpus)
    var peers: [Socket] = []
    var sent = 0
    let parts = [
      Self.program, .sharing(OwnedBytes(copying: Array("{}\n{}\n".utf8))), .sharing(OwnedBytes(copying: [])),
    ]
    let status = try Socket(.dealer, context)
    try status.connect("inproc://hostile")
    var polls = 0
    var hasReply = false
    // The coordinator calls this closure between polls of its socket, so the messages arrive between polls.
    try coordinator.run {
      for _ in 0..<40 where sent < Mutator.count {
        if peers.count < 8 || mutator.random.below(200) == 0, let peer = try? Socket(.dealer, context) {
          try? peer.connect("inproc://hostile")
          peers.append(peer)
          if peers.count > 8 { peers.removeFirst() }
        }
        let envelope =
          mutator.random.below(3) == 0 ? mutator.next() : corpus[mutator.random.below(corpus.count)]
        let bulk = (0..<mutator.random.below(3)).map { _ in parts[mutator.random.below(3)].share() }
        _ = try? peers[mutator.random.below(peers.count)].send([envelope], bulk)
        sent += 1
      }
      guard sent >= Mutator.count else { return false }
      if polls == 0 { _ = try? status.send([ClientMessage.status.encoded()]) }
      polls += 1
      hasReply = hasReply || ((try? status.receive()) ?? nil) != nil
      return hasReply || polls > 200
    }
    #expect(hasReply)
  }

  @Test func hostileJournalsAreRecoveredOrRefused() throws {
    let directory = Scratch()
    let path = directory.path("batch")
    let batch = BatchDescription(program: [], variants: [Variant(width: 0, textScale: 0, scale: 0)])
    let journal = try JournalFile(creating: path)
    _ = try journal.append(.batch(.current, batch))
    for number in 0..<3 as Range<UInt64> {
      let lines = OwnedBytes(copying: Array("{}\n".utf8))
      _ = try journal.append(.chunk(RowsChunk(lines, firstLine: 0, firstRow: number, rows: 1)))
      _ = try journal.append(JournalFileTests.result(number, rows: 1, [1, 2, 3]))
    }
    let good = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var mutator = Mutator(seed: 8, corpus: [good], words: ["galleyJ1"])
    for _ in 0..<Mutator.count {
      try Data(mutator.next()).write(to: URL(fileURLWithPath: path))
      guard let (journal, contents) = try? JournalFileTests.recover(path) else { continue }
      for chunk in contents.chunks {
        let lines = try journal.read(chunk.lines)
        #expect(lines.withBytes { [UInt8]($0) } == Array("{}\n".utf8))
      }
    }
  }
}
