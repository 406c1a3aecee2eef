import Buffers
import PoolProtocol

/// The memory that a worker or a client shares with a coordinator on its machine. Each side writes to memory of its own, and
/// reads the other's memory or that of a third process to which the coordinator refers. If they cannot map each other's memory,
/// the socket carries everything.
public final class PeerMemoryChannel {
  private let system: any MemorySystem
  private let own: SharedMemory?
  private var coordinator: (memory: PeerMemory, process: Int64)?
  private var others: OpenMemories

  /// - Parameter others: The number of third processes' memories that remain mapped, which retains their contents.
  public init(_ system: any MemorySystem, others: Int = 4) {
    self.system = system
    own = SharedMemory(system)
    self.others = OpenMemories(limit: others, system, reader: own?.created)
  }

  /// The reference to the peer's memory for the coordinator; nil if the system provides no memory.
  public var offer: MemoryReference { own?.reference ?? .none }

  /// Records that the coordinator has mapped the peer's memory, and whether it offers its own.
  public func connect(_ memory: MemoryReference) {
    guard coordinator?.memory.token ?? 0 != memory.token else { return }
    coordinator = PeerMemory(memory, system, reader: own?.created).map { ($0, memory.process) }
  }

  /// Whether the coordinator has ended, so that it releases no more ranges.
  public var hasLostCoordinator: Bool { coordinator.map { system.hasEnded(process: $0.process) } ?? false }

  /// The token of the coordinator's memory that the peer has mapped, or zero.
  public var seenToken: UInt64 { coordinator?.memory.token ?? 0 }

  /// Returns the memory of a range in a coordinator's message; nil if it cannot be mapped.
  private func memory(of range: SharedRange) -> PeerMemory? {
    if let coordinator, coordinator.memory.token == range.memory.token { return coordinator.memory }
    return others[range.memory]
  }

  public func lines(_ range: SharedRange) -> OwnedBytes? { memory(of: range)?.bytes(of: range) }
  public func columns(_ range: SharedRange) -> [OwnedBytes]? { memory(of: range)?.pieces(of: range) }

  /// Returns the parts of the program at a range in a coordinator's message, which is a memory of its own, and in files; nil if one
  /// cannot be mapped.
  public func program(_ range: SharedRange, _ files: [SharedFile]) -> [OwnedBytes]? {
    // A program has no mark, because no process waits for its release.
    // The process in which the files are looked up is one of this user: the memory shows it.
    guard range.mark == 0, files.allSatisfy({ $0.process == range.memory.process }),
      let bytes = PeerMemory(range.memory, system, isReadOnly: true)?.bytes(of: range)
    else {
      return nil
    }
    let mapped = files.compactMap { system.open($0) }
    return mapped.count == files.count ? [bytes] + mapped : nil
  }

  /// The bytes in the peer's memory that others have not released.
  package var bytesInUse: Int { own?.bytesInUse ?? 0 }

  /// Closes the memories of third processes.
  public func closeOthers() { others.removeAll() }

  /// Returns a copy of bytes in shared memory, which can be sent without another copy; nil if sharing is not used or has no
  /// room.
  public func copy(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes? { coordinator == nil ? nil : own?.copy(bytes) }

  /// Writes lines to shared memory for the coordinator; returns nil if the socket must carry them.
  public func leave(_ lines: OwnedBytes) -> SharedRange? { coordinator == nil ? nil : own?.leave(lines) }

  /// Has `write` write columns of these sizes to shared memory for the coordinator; returns nil if the socket must carry them.
  public func leave(columns sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void) -> SharedRange? {
    coordinator == nil ? nil : own?.leave(pieces: sizes, write: write)
  }
}
