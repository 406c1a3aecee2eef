import Buffers
import PoolProtocol

/// The memory that the coordinator shares with a worker, or with the client of a batch, of its user and machine; the other
/// end of a `PeerMemoryChannel`.
///
/// It ends with the peer's connection, and the coordinator's memory is not written after that: a worker that has expired
/// and still reads finds unchanged bytes.
public final class CoordinatorMemoryChannel {
  /// The peer's memory. As long as the peer keeps it open, it may be reading what it was shown.
  public let peer: PeerMemory
  private let own: SharedMemory
  private var state = State.offered

  private enum State {
    case offered
    /// The peer sees the coordinator's memory.
    case visible
    /// The peer cannot see bytes that were left there.
    case invisible
  }

  /// Returns nil when the peer offers no memory, or none that is seen.
  public init?(_ reference: MemoryReference, _ system: some MemorySystem) {
    guard let peer = PeerMemory(reference, system), let own = SharedMemory(system) else { return nil }
    (self.own, self.peer) = (own, peer)
  }

  /// The coordinator's memory, as long as the peer has not confirmed that it sees it; otherwise none.
  public var offer: MemoryReference { state == .offered ? own.reference : .none }

  /// The peer sees memory of this token.
  public func confirm(token: UInt64) {
    guard state == .offered, token == own.reference.token else { return }
    state = .visible
    own.hide()
  }

  /// Whether the peer may be shown a program: if it does not see that, it reports so before it begins anything.
  public var showsPrograms: Bool { state != .invisible }

  /// The peer cannot see bytes that were left.
  public func noteInvisible() { state = .invisible }

  /// The bytes that were left for the peer and are not released.
  package var bytesInUse: Int { own.bytesInUse }

  /// Leaves lines for the peer; nil when they have to go by the socket.
  public func leave(_ lines: OwnedBytes) -> SharedRange? { state == .visible ? own.leave(lines) : nil }

  /// Leaves columns for the peer; nil when they have to go by the socket.
  public func leave(columns: [OwnedBytes]) -> SharedRange? {
    guard state == .visible else { return nil }
    return own.leave(pieces: columns.map(\.count)) { columns[$0].copy(to: $1) }
  }

  /// Returns a part of bytes that another peer left, as this peer finds it as long as those bytes are kept; nil when it
  /// has to go by the socket.
  public func show(_ bytes: OwnedBytes, _ part: Range<Int>) -> SharedRange? {
    guard state == .visible, let lease = bytes.owner as? Lease else { return nil }
    return lease.shown(part)
  }

  /// Returns the lease of columns that another peer left; nil when it did not, or when they have to go by the socket.
  public func lease(of columns: [OwnedBytes]) -> Lease? { state == .visible ? columns.first?.owner as? Lease : nil }
}
