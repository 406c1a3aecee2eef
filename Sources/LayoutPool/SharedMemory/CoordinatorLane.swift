import PoolMessages
import ZeroMQ

/// What the coordinator has in common with a worker, or the client of a batch, on its machine; the other end of a
/// `PeerLane`.
///
/// Both are dropped together with the peer, so that one which was given up and reads on finds nothing changed.
final class CoordinatorLane {
  private let own: SharedMemory
  private let peers: PeerMemory
  /// The peer has shown that it sees the coordinator's memory.
  private var isSeen = false

  /// Nil when the peer's memory is not seen.
  init?(_ memory: PoolSharedMemory) {
    guard let peers = PeerMemory(memory), let own = SharedMemory() else { return nil }
    (self.own, self.peers) = (own, peers)
  }

  /// The coordinator's memory, as long as the peer has to be told of it.
  var offer: PoolSharedMemory? { isSeen ? nil : own.reference }

  /// Leaves frames for the peer; nil when they have to go by the socket.
  func leave(_ frames: [Frame]) -> [PoolSharedBytes]? { isSeen ? own.leave(frames) : nil }

  /// What the peer left; nil when it is not there.
  func frame(_ bytes: PoolSharedBytes) -> Frame? {
    if !isSeen {
      isSeen = true
      own.hide()
    }
    return peers.frame(bytes)
  }
}
