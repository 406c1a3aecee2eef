import Buffers
import PoolProtocol

/// The memory that the coordinator shares with a worker, or with the client of a batch, of the same user and machine.
/// `PeerMemoryChannel` is the other end.
///
/// The channel ends with the peer's connection. The coordinator does not write its memory afterwards, so that an expired worker
/// that still reads sees unchanged bytes.
public final class CoordinatorMemoryChannel {
  /// The peer's memory. While the peer keeps it open, the peer may read ranges that were sent to it.
  public let peer: PeerMemory
  private let own: SharedMemory
  private var state = State.offered

  private enum State {
    case offered
    /// The peer has mapped the coordinator's memory.
    case visible
    /// The peer could not map a range there.
    case invisible
  }

  /// Returns nil if the peer offers no memory, or memory that this process cannot map.
  public init?(_ reference: MemoryReference, _ system: some MemorySystem) {
    guard let peer = PeerMemory(reference, system), let own = SharedMemory(system) else { return nil }
    (self.own, self.peer) = (own, peer)
  }

  /// The reference to the coordinator's memory until the peer has confirmed that it has mapped it; then nil.
  public var offer: MemoryReference { state == .offered ? own.reference : .none }

  /// Records that the peer has mapped the memory with this token.
  public func confirm(token: UInt64) {
    guard state == .offered, token == own.reference.token else { return }
    state = .visible
    own.hide()
  }

  /// Whether the range of a program may be sent to the peer. A peer that cannot map it reports this before it begins a job.
  public var showsPrograms: Bool { state != .invisible }

  /// Records that the peer could not map a range.
  public func noteInvisible() { state = .invisible }

  /// The bytes in the coordinator's memory that the peer has not released.
  package var bytesInUse: Int { own.bytesInUse }

  /// Writes lines to shared memory for the peer; returns nil if the socket must carry them.
  public func leave(_ lines: OwnedBytes) -> SharedRange? { state == .visible ? own.leave(lines) : nil }

  /// Writes columns to shared memory for the peer; returns nil if the socket must carry them.
  public func leave(columns: [OwnedBytes]) -> SharedRange? {
    guard state == .visible else { return nil }
    return own.leave(pieces: columns.map(\.count)) { columns[$0].copy(to: $1) }
  }

  /// Returns the range of lines in another peer's memory, which this peer can map while they are retained; nil if the socket must
  /// carry the lines.
  public func show(_ lines: OwnedBytes) -> SharedRange? {
    guard state == .visible, let lease = lines.owner as? Lease, let start = lines.bytes.baseAddress,
      let first = lease.bytes.baseAddress
    else { return nil }
    let offset = start - first
    return lease.shown(offset..<offset + lines.count)
  }

  /// Returns the lease of columns in another peer's memory; nil if they lie elsewhere, or if the socket must carry them.
  public func lease(of columns: [OwnedBytes]) -> Lease? { state == .visible ? columns.first?.owner as? Lease : nil }
}
