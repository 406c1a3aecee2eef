import Buffers
import PoolProtocol

/// The memory that a worker or a client shares with a coordinator on its machine: each leaves bytes in memory of its own
/// and reads them in the other's, or in a third process's that the coordinator shows. Where they do not see each other's
/// memory, everything goes by the socket.
public final class PeerMemoryChannel {
  private let system: any MemorySystem
  private let own: SharedMemory?
  private var coordinator: (memory: PeerMemory, process: Int64)?
  private var others: OpenMemories

  /// - Parameter others: The number of other processes' memories that stay open, which keeps their contents.
  public init(_ system: any MemorySystem, others: Int = 4) {
    self.system = system
    own = SharedMemory(system)
    self.others = OpenMemories(limit: others, system, reader: own?.created)
  }

  /// The peer's memory, which the coordinator is to map; none where the system has no memory to give.
  public var offer: MemoryReference { own?.reference ?? .none }

  /// The coordinator sees the peer's memory, and offers its own, or none.
  public func connect(_ memory: MemoryReference) {
    guard coordinator?.memory.token ?? 0 != memory.token else { return }
    coordinator = PeerMemory(memory, system, reader: own?.created).map { ($0, memory.process) }
  }

  /// Whether the coordinator has ended: what was left for it is never released.
  public var hasLostCoordinator: Bool { coordinator.map { system.hasEnded(process: $0.process) } ?? false }

  /// The token of the coordinator's memory that the peer sees; zero if it sees none.
  public var seenToken: UInt64 { coordinator?.memory.token ?? 0 }

  /// Returns the memory of bytes that the coordinator left or shows; nil when it is not seen.
  private func memory(of range: SharedRange) -> PeerMemory? {
    if let coordinator, coordinator.memory.token == range.memory.token { return coordinator.memory }
    return others[range.memory]
  }

  public func lines(_ range: SharedRange) -> OwnedBytes? { memory(of: range)?.bytes(of: range) }
  public func columns(_ range: SharedRange) -> [OwnedBytes]? { memory(of: range)?.pieces(of: range) }

  /// Returns a program that the coordinator shows, which has a memory of its own; nil when that is not seen.
  public func program(_ range: SharedRange) -> OwnedBytes? {
    // A program has no mark, because no process waits for its release.
    range.mark == 0 ? PeerMemory(range.memory, system, isReadOnly: true)?.bytes(of: range) : nil
  }

  /// The bytes that were left for others and are not released.
  package var bytesInUse: Int { own?.bytesInUse ?? 0 }

  /// Closes the memories of third processes.
  public func closeOthers() { others.removeAll() }

  /// Returns a copy of bytes that can be left without another copy; nil where that has no use or no room.
  public func copy(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes? { coordinator == nil ? nil : own?.copy(bytes) }

  /// Leaves lines for the coordinator; nil where they have to go by the socket.
  public func leave(_ lines: OwnedBytes) -> SharedRange? { coordinator == nil ? nil : own?.leave(lines) }

  /// Leaves columns of these sizes for the coordinator, which `write` writes; nil where they have to go by the socket.
  public func leave(columns sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void) -> SharedRange? {
    coordinator == nil ? nil : own?.leave(pieces: sizes, write: write)
  }
}
