import Buffers
import CZeroMQ
import PoolMemory
import PoolProtocol

@testable import PoolEnvelopes
@testable import ZeroMQ

/// A client that says what a test has it say.
final class Client {
  private let socket: Socket

  init(_ endpoint: String) throws {
    socket = try Socket(.dealer, try Context())
    try socket.connect(endpoint)
  }

  func send(_ message: PoolFromClient, _ bulk: [[UInt8]] = []) throws {
    var envelope = PoolToCoordinator()
    envelope.client = message
    _ = try socket.send([Envelope.encode(envelope)] + bulk)
  }

  /// The next such message; nil when none comes.
  func receive(where isWanted: (PoolToClient.OneOf_Message) -> Bool) throws -> PoolToClient.OneOf_Message? {
    while try socket.wait(milliseconds: 30_000), let parts = try socket.receive() {
      if let message = parts[0].withBytes({ Envelope.decode(PoolToClient.self, $0) })?.message, isWanted(message) {
        return message
      }
    }
    return nil
  }
}

/// A worker that says what a test has it say.
final class Peer {
  private let socket: Socket

  /// - Parameter identity: its routing id; the coordinator's socket gives it one otherwise.
  init(_ endpoint: String, identity: String? = nil) throws {
    socket = try Socket(.dealer, try Context())
    if let identity { try socket.set(ZMQ_ROUTING_ID, identity) }
    try socket.connect(endpoint)
  }

  func send(_ message: PoolFromWorker, _ bulk: [[UInt8]] = []) throws {
    var envelope = PoolToCoordinator()
    envelope.worker = message
    try send([Envelope.encode(envelope)] + bulk)
  }

  func send(_ parts: [[UInt8]]) throws { _ = try socket.send(parts) }

  func sayHello(
    version: String = Version.current, credit: UInt32 = 1, memory: MemoryReference = .none
  ) throws {
    var message = PoolFromWorker()
    message.hello.version = version
    message.hello.credit = credit
    if let memory = memory.message { message.hello.memory = memory }
    try send(message)
  }

  /// The next message that is neither ping nor welcome; nil when none comes for so many milliseconds.
  func receive(milliseconds: Int = 30_000) throws -> PoolToWorker.OneOf_Message? {
    try receiveWithFrames(milliseconds: milliseconds)?.message
  }

  private func receiveWithFrames(
    _ channel: PeerMemoryChannel? = nil, milliseconds: Int = 30_000
  ) throws -> (message: PoolToWorker.OneOf_Message?, frames: ArraySlice<OwnedBytes>)? {
    while try socket.wait(milliseconds: milliseconds), let parts = try socket.receive() {
      let message = parts[0].withBytes { Envelope.decode(PoolToWorker.self, $0) }?.message
      switch message {
      case .ping?: continue
      case .welcome(let welcome)?: channel?.connect(MemoryReference(welcome.memory))
      default: return (message, parts.dropFirst().map(\.ownedBytes)[...])
      }
    }
    return nil
  }

  func receiveJob() throws -> PoolToWorker.Job? {
    guard case .job(let job)? = try receive() else { return nil }
    return job
  }

  /// The next job and what comes behind it.
  func receiveJobWithFrames() throws -> (PoolToWorker.Job, [OwnedBytes])? {
    guard let (message, frames) = try receiveWithFrames(), case .job(let job)? = message else { return nil }
    return (job, Array(frames))
  }

  /// The next job and its lines, by the socket or left for `channel`.
  func receiveJobWithLines(_ channel: PeerMemoryChannel) throws -> (PoolToWorker.Job, OwnedBytes)? {
    guard let (message, frames) = try receiveWithFrames(channel), case .job(let job)? = message,
      let lines = job.hasLines ? channel.lines(SharedRange(job.lines)) : frames.last
    else { return nil }
    return (job, lines)
  }
}
