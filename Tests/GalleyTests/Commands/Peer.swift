import Buffers
import CZeroMQ
import PoolMemory
import PoolProtocol

@testable import PoolEnvelopes
@testable import ZeroMQ

/// A client that sends the messages that a test gives it.
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

  /// Returns the next message for which `isWanted` is true, or nil if none arrives within 30 seconds.
  func receive(where isWanted: (PoolToClient.OneOf_Message) -> Bool) throws -> PoolToClient.OneOf_Message? {
    while try socket.wait(milliseconds: 30_000), let parts = try socket.receive() {
      if let message = parts[0].withBytes({ Envelope.decode(PoolToClient.self, $0) })?.message, isWanted(message) {
        return message
      }
    }
    return nil
  }
}

/// A worker that sends the messages that a test gives it.
final class Peer {
  private let socket: Socket

  /// - Parameter identity: The routing ID of the worker, or nil for one that the coordinator's socket assigns.
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

  /// Sends the message with which a worker registers.
  func register(
    version: String = Version.current, credit: UInt32 = 1, memory: MemoryReference = .none
  ) throws {
    var message = PoolFromWorker()
    message.hello.version = version
    message.hello.credit = credit
    if let memory = memory.message { message.hello.memory = memory }
    try send(message)
  }

  /// Returns the next message that is neither ping nor welcome, or nil if none arrives within a time in milliseconds.
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

  /// Returns the next job, or nil if the next message is another one.
  func receiveJob() throws -> PoolToWorker.Job? {
    guard case .job(let job)? = try receive() else { return nil }
    return job
  }

  /// Returns the next part of a program and the other parts of its message.
  func receiveProgram() throws -> (PoolToWorker.Program, [OwnedBytes])? {
    guard let (message, frames) = try receiveWithFrames(), case .program(let program)? = message else { return nil }
    return (program, Array(frames))
  }

  /// Returns the next job and its lines, from the socket or from shared memory.
  func receiveJobWithLines(_ channel: PeerMemoryChannel) throws -> (PoolToWorker.Job, OwnedBytes)? {
    guard let (message, frames) = try receiveWithFrames(channel), case .job(let job)? = message,
      let lines = job.hasLines ? channel.lines(SharedRange(job.lines)) : frames.last
    else { return nil }
    return (job, lines)
  }
}
