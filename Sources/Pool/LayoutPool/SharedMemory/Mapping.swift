import CLinux
import Glibc

/// Shared memory as it lies in this process: a number by which it is known, a table of slots, and bytes.
///
/// A slot belongs to a piece of bytes and says whether another process is to read it and whether this memory's own does.
/// There are never bytes where slots are, so that a slot can be cleared late, when the place of its piece is others' by
/// then: they have another mark.
final class Mapping: Sendable {
  /// Of pieces, and of slots, so that processes that clear one do not slow down those that clear another.
  static let alignment = 64

  /// The next place where something can begin.
  static func aligned(_ place: Int) -> Int { (place + alignment - 1) & ~(alignment - 1) }
  /// Slots, of which the first has the place of the token.
  static let slots = 1024
  /// Where bytes begin.
  static let headerSize = slots * alignment

  // Never changed while this lives; bytes there are written by one process before it tells others where they are, and
  // slots are written atomically.
  private nonisolated(unsafe) let start: UnsafeMutableRawPointer
  let size: Int

  /// Nil where it cannot be mapped.
  ///
  /// - Parameter isReadOnly: whether nothing is ever to be written there, not even marks.
  init?(_ descriptor: Int32, size: Int, isReadOnly: Bool = false) {
    let protection = isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
    guard size >= Self.headerSize, let start = mmap(nil, size, protection, MAP_SHARED, descriptor, 0),
      start != MAP_FAILED
    else { return nil }
    (self.start, self.size) = (start, size)
  }

  deinit { munmap(start, size) }

  /// By which it is known; 0 is none.
  var token: UInt64 {
    get { start.load(as: UInt64.self) }
    set { start.storeBytes(of: newValue, as: UInt64.self) }
  }

  func bytes(_ place: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: start + place.lowerBound, count: place.count)
  }

  /// The mark of bytes that another process has not given back; 0 if none has them.
  func mark(_ slot: Int) -> UInt32 { galley_load(word(slot)) }
  func setMark(_ slot: Int, _ mark: UInt32) { galley_store(word(slot), mark) }
  /// Gives bytes back, if they were not and the slot is no other bytes' by now.
  func clearMark(_ slot: Int, _ mark: UInt32) { galley_clear(word(slot), mark) }

  func isHeld(_ slot: Int) -> Bool { galley_load(word(slot) + 1) != 0 }
  func setHeld(_ slot: Int, _ isHeld: Bool) { galley_store(word(slot) + 1, isHeld ? 1 : 0) }

  private func word(_ slot: Int) -> UnsafeMutablePointer<UInt32> {
    (start + slot * Self.alignment).assumingMemoryBound(to: UInt32.self)
  }
}
