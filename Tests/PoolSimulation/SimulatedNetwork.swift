import Buffers
import PoolEnvelopes
import PoolProtocol

/// A message to a peer of the coordinator.
enum MessageToPeer {
  case worker(MessageToWorker)
  case client(MessageToClient)
}

/// A connection of a worker or a client to the coordinator. Messages of one direction arrive in order; those of different
/// connections overtake each other.
final class SimulatedConnection {
  let identity: PeerIdentity
  let peer: Int
  let holder: KeyHolder
  var toCoordinator: [(message: MessageToCoordinator, parts: [OwnedBytes])] = []
  var toPeer: [(message: MessageToPeer, parts: [OwnedBytes])] = []
  /// Whether the peer still has the connection: what is sent to a peer without is lost, until the coordinator's side
  /// notices.
  var isOpen = true

  init(_ number: UInt32, peer: Int, _ holder: KeyHolder) {
    self.holder = holder
    identity = [0] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
    self.peer = peer
  }

  /// Ends the connection on the side of the peer. The messages on their way to the peer are lost.
  ///
  /// - Parameter unsent: The number of last messages of the peer that are lost too.
  func end(losing unsent: Int = 0) {
    isOpen = false
    toPeer = []
    toCoordinator.removeLast(min(unsent, toCoordinator.count))
  }
}

extension MessageToCoordinator {
  /// The message as it is after it was encoded and decoded.
  var reencoded: MessageToCoordinator? {
    let bytes =
      switch self {
      case .worker(let message): message.encoded()
      case .client(let message): message.encoded()
      case .unknown: [UInt8]()
      }
    return bytes.withUnsafeBytes { MessageToCoordinator(envelope: $0) }
  }
}

extension MessageToPeer {
  /// The message as it is after it was encoded and decoded.
  var reencoded: MessageToPeer? {
    switch self {
    case .worker(let message):
      message.encoded().withUnsafeBytes { MessageToWorker(envelope: $0) }.map { .worker($0) }
    case .client(let message):
      message.encoded().withUnsafeBytes { MessageToClient(envelope: $0) }.map { .client($0) }
    }
  }
}
