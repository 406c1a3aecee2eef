import PoolMessages
import ZeroMQ

/// What the coordinator has in common with a worker, or the client of a batch, of its user and machine; the other end of
/// a `PeerLane`.
///
/// It is dropped with the peer, and nothing in the coordinator's memory is written any more then: a worker that was given
/// up and reads on finds nothing changed.
final class CoordinatorLane {
  /// The peer's memory. As long as the peer keeps it open, it may be reading what it was told of.
  let peers: PeerMemory
  private let own: SharedMemory
  private var state = State.offered

  private enum State {
    case offered
    /// The peer sees the coordinator's memory.
    case seen
    /// It does not, whatever it said.
    case unseen
  }

  /// Nil when the peer offers no memory, or none that is seen.
  init?(_ memory: PoolSharedMemory) {
    guard let peers = PeerMemory(memory, isShown: true), let own = SharedMemory() else { return nil }
    (self.own, self.peers) = (own, peers)
  }

  /// The coordinator's memory, as long as the peer has to be told of it.
  var offer: PoolSharedMemory? { state == .offered ? own.reference : nil }

  /// The peer sees memory of this token.
  func note(seen token: UInt64) {
    guard state == .offered, token == own.reference.token else { return }
    state = .seen
    own.hide()
  }

  /// Whether the peer may be shown a program: if it does not see that, it says so before it begins anything.
  var showsPrograms: Bool { state != .unseen }

  /// The peer does not find what was left.
  func noteUnseen() { state = .unseen }

  /// Leaves lines for the peer; nil when they have to go by the socket.
  func leave(_ lines: Frame) -> PoolSharedBytes? { state == .seen ? own.leave(lines) : nil }

  /// Leaves columns for the peer; nil when they have to go by the socket.
  func leave(columns: [Frame]) -> PoolSharedBytes? {
    guard state == .seen else { return nil }
    return own.leave(pieces: columns.map(\.count)) { columns[$0].copy(to: $1) }
  }

  /// Shows the peer a part of what another one left, for as long as the frame lives; nil when it has to go by the
  /// socket.
  func show(_ frame: Frame, _ part: Range<Int>) -> PoolSharedBytes? {
    guard state == .seen, let lease = frame.owner as? Lease else { return nil }
    return lease.shown(part)
  }

  /// By which another peer left columns; nil when it did not, or they have to go by the socket.
  func lease(of columns: [Frame]) -> Lease? { state == .seen ? columns.first?.owner as? Lease : nil }

  /// What the peer left; nil when it is not there.
  func lines(_ bytes: PoolSharedBytes) -> Frame? { peers.frame(bytes) }
  func columns(_ bytes: PoolSharedBytes) -> [Frame]? { peers.frames(bytes) }
}
