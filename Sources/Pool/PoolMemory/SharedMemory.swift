import Buffers
import PoolProtocol

/// Memory in which this process leaves bytes for others of its user and machine, so that no socket has to carry them.
///
/// Each range of bytes has a mark of its own until another process has read it and clears the mark. No process waits for room: when
/// there is none, the bytes are sent through the socket.
public final class SharedMemory {
  /// The reference by which other processes find the memory.
  public let reference: MemoryReference
  /// While this is open, other processes find the memory and recognize that this process reads.
  private(set) var created: (any CreatedMemory)?
  private let region: MemoryRegion
  /// The ranges in use, by offset. They are as near to the beginning as there is room, so that the system provides only
  /// what was ever in use.
  private var ranges: [(range: Range<Int>, slot: Int)] = []
  private var freeSlots = Array(1..<MemoryRegion.slots)
  private var lastMark: UInt32 = 0

  /// Returns nil where the system has no memory to give.
  ///
  /// - Parameter bytes: The size with its header; that of a channel if it is not given.
  public init?(_ system: some MemorySystem, bytes: Int? = nil) {
    guard let created = system.create(bytes: bytes ?? system.channelBytes) else { return nil }
    (self.created, region, reference) = (created, created.region, created.reference)
  }

  /// Has others only read the memory from now on, if the system can enforce it.
  func sealWriting() { created?.sealWriting() }

  /// The other process has mapped the memory, and no others need to.
  public func hide() { created = nil }

  /// Returns a copy of bytes that lies in the memory, so that it can be left without another copy; nil when there is no
  /// room for it.
  public func copy(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes? {
    guard let (range, slot) = allocate(bytes.count) else { return nil }
    region.bytes(range).copyMemory(from: bytes)
    region.setHeld(slot, true)
    return OwnedBytes(UnsafeRawBufferPointer(region.bytes(range)), keeping: HeldRange(region, range, slot))
  }

  /// Leaves bytes for another process. They are copied unless they lie in the memory. Nil when there is no room for them.
  public func leave(_ bytes: OwnedBytes) -> SharedRange? {
    // What was left before and is not released belongs to its reader until then: it has a mark of its own.
    if let held = bytes.owner as? HeldRange, held.region === region, region.mark(held.slot) == 0 {
      return mark(held.range, held.slot)
    }
    return leave(count: bytes.count) { bytes.copy(to: $0) }
  }

  /// Leaves pieces of these sizes one after the other, which `write` writes; nil when there is no room for all.
  public func leave(pieces sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void) -> SharedRange? {
    let count = sizes.dropLast().reduce(sizes.last ?? 0) { $0 + MemoryRegion.aligned($1) }
    var left = leave(count: count) { start in
      var offset = 0
      for (index, size) in sizes.enumerated() {
        write(index, start + offset)
        offset += MemoryRegion.aligned(size)
      }
    }
    left?.pieces = sizes.map { UInt64($0) }
    return left
  }

  /// Leaves `count` bytes that `write` writes; nil when there is no room for them.
  public func leave(count: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> SharedRange? {
    guard let (range, slot) = allocate(count) else { return nil }
    if let start = region.bytes(range).baseAddress { write(start) }
    return mark(range, slot)
  }

  /// The number of bytes that are neither released nor free.
  package var bytesInUse: Int {
    removeReleased()
    return ranges.reduce(0) { $0 + $1.range.count }
  }

  private func removeReleased() {
    ranges.removeAll { _, slot in
      guard region.mark(slot) == 0, !region.isHeld(slot) else { return false }
      freeSlots.append(slot)
      return true
    }
  }

  /// Returns the first range that is free.
  private func allocate(_ count: Int) -> (range: Range<Int>, slot: Int)? {
    removeReleased()
    var begin = MemoryRegion.headerSize
    var index = 0
    while index < ranges.count, ranges[index].range.lowerBound - begin < count {
      begin = MemoryRegion.aligned(ranges[index].range.upperBound)
      index += 1
    }
    guard region.size - begin >= count, let slot = freeSlots.popLast() else { return nil }
    ranges.insert((begin..<begin + count, slot), at: index)
    return ranges[index]
  }

  private func mark(_ range: Range<Int>, _ slot: Int) -> SharedRange {
    lastMark = lastMark == .max ? 1 : lastMark + 1
    region.setMark(slot, lastMark)
    return SharedRange(
      memory: reference, offset: UInt64(range.lowerBound), count: UInt64(range.count), slot: UInt32(slot),
      mark: lastMark)
  }

  /// A range that this process reads itself.
  private final class HeldRange: Sendable {
    let region: MemoryRegion
    let range: Range<Int>
    let slot: Int

    init(_ region: MemoryRegion, _ range: Range<Int>, _ slot: Int) {
      (self.region, self.range, self.slot) = (region, range, slot)
    }

    deinit { region.setHeld(slot, false) }
  }
}
