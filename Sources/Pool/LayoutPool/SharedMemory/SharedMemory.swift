import CLinux
import Glibc
import PoolMessages
import ZeroMQ

/// Memory in which this process leaves bytes for others of its user and machine, so that no socket has to carry them.
///
/// Each piece of bytes has a mark of its own as long as another process is to read it; who has read it clears the mark,
/// and nobody waits: when there is no room, bytes go by the socket.
final class SharedMemory {
  /// Bytes in all, unless it is made for something. Only what was ever in use is really there: pieces are put as near to
  /// the beginning as there is room.
  static let size = 32 << 20
  static let name = "galley"

  /// By which other processes find it.
  let reference: PoolSharedMemory
  /// As long as it is open, they do, and know that somebody here reads.
  private(set) var file: MemoryFile?
  private let mapping: Mapping
  /// What is in use, from the beginning on.
  private var pieces: [(place: Range<Int>, slot: Int)] = []
  private var freeSlots = Array(1..<Mapping.slots)
  private var lastMark: UInt32 = 0

  /// Nil where the system has none to give.
  init?(size: Int = SharedMemory.size) {
    guard let file = MemoryFile(galley_shared_memory(Self.name, size)),
      let mapping = Mapping(file.descriptor, size: size)
    else { return nil }
    (self.mapping, self.file) = (mapping, file)
    mapping.token = .random(in: 1 ... .max)
    reference = .with { ($0.pid, $0.descriptor, $0.token) = (Int64(getpid()), file.descriptor, mapping.token) }
  }

  /// Others can only read what lies here from now on, if the system knows how to see to that.
  func sealWriting() {
    if let file { _ = galley_seal_writing(file.descriptor) }
  }

  /// The other process has found it: nobody needs to any more.
  func hide() { file = nil }

  /// A frame that lies here, so that it can be left without a copy; nil when there is no room for it.
  func frame(copying bytes: UnsafeRawBufferPointer) -> Frame? {
    guard let (place, slot) = allocate(bytes.count) else { return nil }
    mapping.bytes(place).copyMemory(from: bytes)
    mapping.setHeld(slot, true)
    return Frame(bytes: UnsafeRawBufferPointer(mapping.bytes(place)), keeping: Kept(mapping, place, slot))
  }

  /// Leaves a frame, which is copied if it does not lie here; nil when there is no room for it.
  func leave(_ frame: Frame) -> PoolSharedBytes? {
    // What was left before and not given back is another's until then: it has a mark of its own.
    if let kept = frame.owner as? Kept, kept.mapping === mapping, mapping.mark(kept.slot) == 0 {
      return mark(kept.place, kept.slot)
    }
    return leave(size: frame.count) { frame.copy(to: $0) }
  }

  /// Leaves pieces of these sizes one after the other, which `write` writes; nil when there is no room for all.
  func leave(pieces sizes: [Int], write: (Int, UnsafeMutableRawPointer) -> Void) -> PoolSharedBytes? {
    let size = sizes.dropLast().reduce(sizes.last ?? 0) { $0 + Mapping.aligned($1) }
    var left = leave(size: size) { start in
      var offset = 0
      for (index, size) in sizes.enumerated() {
        write(index, start + offset)
        offset += Mapping.aligned(size)
      }
    }
    left?.pieces = sizes.map { UInt64($0) }
    return left
  }

  /// Leaves bytes that `write` writes; nil when there is no room for them.
  func leave(size: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> PoolSharedBytes? {
    guard let (place, slot) = allocate(size) else { return nil }
    if let start = mapping.bytes(place).baseAddress { write(start) }
    return mark(place, slot)
  }

  /// The first place that nobody uses.
  private func allocate(_ size: Int) -> (place: Range<Int>, slot: Int)? {
    pieces.removeAll { _, slot in
      guard mapping.mark(slot) == 0, !mapping.isHeld(slot) else { return false }
      freeSlots.append(slot)
      return true
    }
    var begin = Mapping.headerSize
    var index = 0
    while index < pieces.count, pieces[index].place.lowerBound - begin < size {
      begin = Mapping.aligned(pieces[index].place.upperBound)
      index += 1
    }
    guard mapping.size - begin >= size, let slot = freeSlots.popLast() else { return nil }
    pieces.insert((begin..<begin + size, slot), at: index)
    return pieces[index]
  }

  private func mark(_ place: Range<Int>, _ slot: Int) -> PoolSharedBytes {
    lastMark = lastMark == .max ? 1 : lastMark + 1
    mapping.setMark(slot, lastMark)
    return PoolSharedBytes(place, in: reference, slot: slot, mark: lastMark)
  }

  /// Bytes here that this process reads itself.
  private final class Kept: Sendable {
    let mapping: Mapping
    let place: Range<Int>
    let slot: Int

    init(_ mapping: Mapping, _ place: Range<Int>, _ slot: Int) {
      (self.mapping, self.place, self.slot) = (mapping, place, slot)
    }

    deinit { mapping.setHeld(slot, false) }
  }
}

/// An open file that is memory; others can open it as long as this lives.
final class MemoryFile: Sendable {
  let descriptor: Int32

  /// Nil when it is not open.
  init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension PoolSharedBytes {
  /// - Parameter mark: 0 where nobody waits for the bytes to be given back.
  init(_ place: Range<Int>, in memory: PoolSharedMemory, slot: Int, mark: UInt32, pieces: [UInt64] = []) {
    self.init()
    (pid, descriptor, token) = (memory.pid, memory.descriptor, memory.token)
    (offset, size) = (UInt64(place.lowerBound), UInt64(place.count))
    (self.slot, self.mark, self.pieces) = (UInt32(slot), mark, pieces)
  }

  /// The memory in which they lie.
  var memory: PoolSharedMemory { .with { ($0.pid, $0.descriptor, $0.token) = (pid, descriptor, token) } }
}
