import Buffers
import PoolMemory
import PoolProtocol

/// The shared memory of all simulated processes: blocks of this process's heap. One thread runs a simulation.
final class SimulatedMachine: @unchecked Sendable {
  fileprivate var memories: [UInt64: SimulatedCreatedMemory.Weak] = [:]
  fileprivate var ended: Set<Int64> = []
  private var lastToken: UInt64 = 0
  /// Processes of another machine, which see no memory of this one.
  fileprivate var remote: Set<Int64> = []

  fileprivate func nextToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  func end(_ process: Int64) { ended.insert(process) }
  func setRemote(_ process: Int64) { remote.insert(process) }
}

/// The memory system of one simulated process.
struct SimulatedMemorySystem: MemorySystem {
  let machine: SimulatedMachine
  let process: Int64
  let channelBytes: Int

  func create(bytes: Int) -> (any CreatedMemory)? {
    guard bytes > MemoryRegion.headerSize else { return nil }
    let memory = SimulatedCreatedMemory(bytes, process: process, token: machine.nextToken())
    machine.memories[memory.region.token] = SimulatedCreatedMemory.Weak(memory)
    return memory
  }

  func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)? {
    let isRemote = machine.remote.contains(process) || machine.remote.contains(reference.process)
    guard !isRemote, let entry = machine.memories[reference.token] else { return nil }
    // Memory is found by way of the process that created it, or of one that has it open.
    let isShown = reference.process != entry.process && entry.shown.contains(reference.process)
    guard isShown || (entry.memory != nil && !machine.ended.contains(entry.process)), let region = entry.region else {
      return nil
    }
    entry.shown.insert(process)
    return SimulatedOpenedMemory(region, entry, machine, process: process)
  }

  // Simulated programs have no files.
  func share(_ file: MappedFile) -> SharedFile? { nil }
  func open(_ file: SharedFile) -> OwnedBytes? { nil }

  func hasEnded(process: Int64) -> Bool { machine.ended.contains(process) }
}

final class SimulatedCreatedMemory: CreatedMemory {
  let region: MemoryRegion
  let reference: MemoryReference

  /// What the machine knows of a memory. One thread runs a simulation.
  final class Weak: @unchecked Sendable {
    weak var memory: SimulatedCreatedMemory?
    weak var region: MemoryRegion?
    let process: Int64
    /// Processes that have opened the memory, by way of which others find it.
    var shown: Set<Int64> = []

    init(_ memory: SimulatedCreatedMemory) {
      (self.memory, self.region) = (memory, memory.region)
      process = memory.reference.process
    }
  }

  private final class Block: Sendable {
    // Only this object frees the block.
    nonisolated(unsafe) let start: UnsafeMutableRawPointer

    init(_ bytes: Int) {
      start = .allocate(byteCount: bytes, alignment: MemoryRegion.alignment)
      // Bytes behind the header are written before they are read.
      start.initializeMemory(as: UInt8.self, repeating: 0, count: min(bytes, MemoryRegion.headerSize))
    }

    deinit { start.deallocate() }
  }

  init(_ bytes: Int, process: Int64, token: UInt64) {
    let block = Block(bytes)
    region = MemoryRegion(start: block.start, size: bytes, owner: block)
    region.setToken(token)
    reference = MemoryReference(process: process, descriptor: 0, token: token)
  }

  func sealWriting() {}
}

private final class SimulatedOpenedMemory: OpenedMemory {
  let region: MemoryRegion
  private let entry: SimulatedCreatedMemory.Weak
  private let machine: SimulatedMachine
  private let process: Int64

  init(_ region: MemoryRegion, _ entry: SimulatedCreatedMemory.Weak, _ machine: SimulatedMachine, process: Int64) {
    (self.region, self.entry, self.machine, self.process) = (region, entry, machine, process)
  }

  var shownReference: MemoryReference {
    MemoryReference(process: process, descriptor: 0, token: region.token)
  }

  var isClosedByOwner: Bool { machine.ended.contains(entry.process) || entry.memory == nil }
}
