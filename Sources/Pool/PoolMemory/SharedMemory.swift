import Buffers
import PoolProtocol

/// Memory in which this process writes bytes for others of its user and machine, so that no socket carries them.
///
/// A range is held by this process, marked for another one, or both (`MemoryRegion` has the life of a range). No process waits for
/// room: without room, the socket carries the bytes.
public final class SharedMemory {
  /// The reference with which other processes map the memory.
  public let reference: MemoryReference
  /// The memory as the system provides it. While it is open, other processes can map it, and it shows them that this process
  /// may read theirs.
  private(set) var created: (any CreatedMemory)?
  private let region: MemoryRegion
  /// The ranges that are not free, by offset. New ranges begin at the lowest offset with room, because the system provides pages when they
  /// are first written.
  private var ranges: [(range: Range<Int>, slot: Int)] = []
  private var freeSlots = Array(1..<MemoryRegion.slots)
  private var lastMark: UInt32 = 0

  /// Returns nil if the system provides no memory.
  ///
  /// - Parameter bytes: The size including the header; by default that of a channel.
  public init?(_ system: some MemorySystem, bytes: Int? = nil) {
    guard let created = system.create(bytes: bytes ?? system.channelBytes) else { return nil }
    (self.created, region, reference) = (created, created.region, created.reference)
  }

  /// Makes the memory read-only for other processes from now on, if the system can enforce this.
  func sealWriting() { created?.sealWriting() }

  /// Records that the other process has mapped the memory, which no further process needs.
  public func hide() { created = nil }

  /// Returns a copy of bytes in this memory, which can be sent without another copy; nil if there is no room.
  public func copy(_ bytes: UnsafeRawBufferPointer) -> OwnedBytes? {
    held(count: bytes.count) { range in
      region.bytes(range).copyMemory(from: bytes)
      return true
    }
  }

  /// Returns a copy of parts, one after the other; nil if there is no room. The system writes the bytes, which takes half the time
  /// of `copy` where pages were not used before.
  func write(_ parts: [OwnedBytes]) -> OwnedBytes? {
    guard let created else { return nil }
    return held(count: parts.byteCount) { range in
      var offset = range.lowerBound
      for part in parts {
        guard part.withBytes({ created.write($0, at: offset) }) else { return false }
        offset += part.count
      }
      return true
    }
  }

  /// Has `write` write a range of `count` bytes, which is held until the returned bytes end; returns nil if there is no room, or if
  /// `write` returns false.
  private func held(count: Int, _ write: (Range<Int>) -> Bool) -> OwnedBytes? {
    guard let (range, slot) = allocate(count), write(range) else { return nil }
    region.setHeld(slot, true)
    return OwnedBytes(UnsafeRawBufferPointer(region.bytes(range)), keeping: HeldRange(region, range, slot))
  }

  /// Marks a range with these bytes for another process. They are copied unless they lie in a held range. Returns nil if there is
  /// no room.
  public func leave(_ bytes: OwnedBytes) -> SharedRange? {
    // A held range that was marked before and is not released belongs to its reader, so the bytes need a second range with a mark
    // of its own.
    if let held = bytes.owner as? HeldRange, held.region === region, region.mark(held.slot) == 0 {
      return mark(held.range, held.slot)
    }
    return leave(count: bytes.count) { bytes.copy(to: $0) }
  }

  /// Has `write` write pieces of these sizes, one after the other, and marks their range; returns nil if there is no room for all.
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

  /// Has `write` write `count` bytes, and marks their range; returns nil if there is no room.
  public func leave(count: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> SharedRange? {
    guard let (range, slot) = allocate(count) else { return nil }
    if let start = region.bytes(range).baseAddress { write(start) }
    return mark(range, slot)
  }

  /// The number of bytes in ranges that are not free.
  package var bytesInUse: Int {
    removeReleased()
    return ranges.reduce(0) { $0 + $1.range.count }
  }

  /// Frees the ranges that are neither marked nor held.
  private func removeReleased() {
    ranges.removeAll { _, slot in
      guard region.mark(slot) == 0, !region.isHeld(slot) else { return false }
      freeSlots.append(slot)
      return true
    }
  }

  /// Takes the first free range, which is then to be marked or held.
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

  /// A held range: this process reads it itself.
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
