import CLinux
import Glibc
import PoolMessages
import ZeroMQ

/// Memory in which this process leaves bytes for others of its user and machine, so that no socket has to carry them.
///
/// Each piece of bytes has a mark of its own before it as long as another process is to read it; who has read it clears
/// the mark, and nobody waits: when there is no room, bytes go by the socket.
final class SharedMemory {
  /// Bytes in all. Only what was ever in use is really there: pieces are put as near to the beginning as there is room.
  static let size = 32 << 20
  static let name = "galley"

  /// By which other processes find it.
  let reference: PoolSharedMemory
  private let mapping: Mapping
  private var descriptor: Int32
  /// What is in use, from the beginning on, with the words before it.
  private var pieces: [Range<Int>] = []
  private var lastMark: UInt32 = 0

  /// Nil where the system has none to give.
  init?() {
    let descriptor = galley_shared_memory(Self.name, Self.size)
    guard descriptor >= 0 else { return nil }
    guard let mapping = Mapping(descriptor, size: Self.size) else {
      close(descriptor)
      return nil
    }
    (self.mapping, self.descriptor) = (mapping, descriptor)
    mapping.token = .random(in: 1 ... .max)
    reference = .with {
      $0.pid = Int64(getpid())
      $0.descriptor = descriptor
      $0.token = mapping.token
    }
  }

  deinit { hide() }

  /// The other process has found it: nobody needs to any more.
  func hide() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// A frame that lies here, so that it can be left without a copy; nil when there is no room for it.
  func frame(copying bytes: UnsafeRawBufferPointer) -> Frame? {
    guard let place = allocate(bytes.count) else { return nil }
    mapping.writable(place).copyMemory(from: bytes)
    mapping.setHeld(place.lowerBound, true)
    return Frame(bytes: mapping.bytes(place), keeping: Piece(mapping, place))
  }

  /// Leaves frames, of which those are copied that do not lie here; nil when there is no room for all of them.
  func leave(_ frames: [Frame]) -> [PoolSharedBytes]? {
    leave(frames.count) { index in
      let frame = frames[index]
      if let piece = frame.owner as? Piece, piece.mapping === mapping { return mark(piece.place) }
      return leave(size: frame.count) { start in
        frame.withBytes { UnsafeMutableRawBufferPointer(start: start, count: $0.count).copyMemory(from: $0) }
      }
    }
  }

  /// Leaves so many pieces, of which `size` tells the bytes and `write` writes them; nil when there is no room for all.
  func leave(
    _ count: Int, size: (Int) -> Int, write: (Int, UnsafeMutableRawPointer) -> Void
  ) -> [PoolSharedBytes]? {
    leave(count) { index in leave(size: size(index)) { write(index, $0) } }
  }

  private func leave(_ count: Int, _ one: (Int) -> PoolSharedBytes?) -> [PoolSharedBytes]? {
    var left: [PoolSharedBytes] = []
    for index in 0..<count {
      guard let bytes = one(index) else {
        for bytes in left { mapping.setMark(of: Int(bytes.offset), 0) }
        return nil
      }
      left.append(bytes)
    }
    return left
  }

  /// Leaves bytes that `write` writes; nil when there is no room for them.
  func leave(size: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> PoolSharedBytes? {
    guard let place = allocate(size) else { return nil }
    write(mapping.start + place.lowerBound)
    return mark(place)
  }

  /// The first place that nobody uses.
  private func allocate(_ size: Int) -> Range<Int>? {
    let alignment = Mapping.alignment
    pieces.removeAll {
      let offset = $0.lowerBound + alignment
      return mapping.mark(of: offset) == 0 && !mapping.isHeld(offset)
    }
    let needed = (size + 2 * alignment - 1) & ~(alignment - 1)
    var begin = alignment
    var index = 0
    while index < pieces.count, pieces[index].lowerBound - begin < needed {
      begin = pieces[index].upperBound
      index += 1
    }
    guard Self.size - begin >= needed else { return nil }
    pieces.insert(begin..<begin + needed, at: index)
    let offset = begin + alignment
    // Other bytes may have been there.
    mapping.setMark(of: offset, 0)
    mapping.setHeld(offset, false)
    return offset..<offset + size
  }

  private func mark(_ place: Range<Int>) -> PoolSharedBytes {
    lastMark = lastMark == .max ? 1 : lastMark + 1
    mapping.setMark(of: place.lowerBound, lastMark)
    return .with {
      ($0.pid, $0.descriptor, $0.token) = (reference.pid, reference.descriptor, reference.token)
      $0.offset = UInt64(place.lowerBound)
      $0.size = UInt64(place.count)
      $0.mark = lastMark
    }
  }

  /// Bytes here that this process reads itself.
  private final class Piece: Sendable {
    let mapping: Mapping
    let place: Range<Int>

    init(_ mapping: Mapping, _ place: Range<Int>) { (self.mapping, self.place) = (mapping, place) }

    deinit { mapping.setHeld(place.lowerBound, false) }
  }
}
