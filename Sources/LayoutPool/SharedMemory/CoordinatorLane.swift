import Foundation
import PoolMessages
import ZeroMQ

/// What the coordinator has in common with a worker, or the client of a batch, of its user and machine; the other end of
/// a `PeerLane`.
///
/// It is dropped with the peer, and nothing in its memory is written any more then: a worker that was given up and reads
/// on finds nothing changed.
final class CoordinatorLane {
  private let own: SharedMemory
  private let peers: PeerMemory
  private var state = State.offered

  private enum State {
    case offered
    /// The peer sees the coordinator's memory.
    case seen
    /// It said so, but does not.
    case unseen
  }

  /// Nil when the peer offers no memory, or none that is seen.
  init?(_ memory: PoolSharedMemory) {
    guard let peers = PeerMemory(memory), let own = SharedMemory() else { return nil }
    (self.own, self.peers) = (own, peers)
  }

  /// The coordinator's memory, as long as the peer has to be told of it.
  var offer: PoolSharedMemory? { state == .offered ? own.reference : nil }

  /// The peer sees memory of this token.
  func note(seen token: Data) {
    guard state == .offered, token == own.reference.token else { return }
    state = .seen
    own.hide()
  }

  /// The peer does not find what was left.
  func noteUnseen() { state = .unseen }

  /// Leaves frames for the peer; nil when they have to go by the socket.
  func leave(_ frames: [Frame]) -> [PoolSharedBytes]? { state == .seen ? own.leave(frames) : nil }

  /// What the peer left; nil when it is not there.
  func frame(_ bytes: PoolSharedBytes) -> Frame? { peers.frame(bytes) }
}
