import Buffers
import Foundation
import Glibc
import PoolProtocol
import Testing

@testable import PoolMemory
@testable import SystemMemory

/// What one process left for the coordinator, and others read where it lies; here one process is all of them.
@Suite struct TransferredLeasesTests {
  private static let size = 1000

  private let own: SharedMemory
  private let coordinators: PeerMemory

  init() throws {
    own = try #require(SharedMemory(SystemMemory()))
    coordinators = try #require(PeerMemory(own.reference, SystemMemory()))
  }

  private func leave(_ byte: UInt8) throws -> SharedRange {
    try #require(own.leave(count: Self.size) { memset($0, Int32(byte), Self.size) })
  }

  private func lease(_ bytes: SharedRange) throws -> Lease {
    try #require(coordinators.bytes(of: bytes)?.owner as? Lease)
  }

  /// What others see.
  private func seen(_ bytes: SharedRange, by others: inout OpenMemories) -> OwnedBytes? {
    others[bytes.memory]?.bytes(of: bytes)
  }

  /// Whether the place of these bytes is used for the next ones.
  private func isFree(_ bytes: SharedRange) throws -> Bool {
    let next = try leave(0)
    _ = try lease(next)
    return next.offset == bytes.offset
  }

  @Test func bytesThatAreShownAreNotGivenBackByWhoSeesThem() throws {
    let left = try leave(7)
    var lease: Lease? = try lease(left)
    var others = OpenMemories(limit: 1, SystemMemory())
    let shown = try #require(lease?.shown(10..<20))
    #expect(seen(shown, by: &others).map { Array($0.bytes) } == [UInt8](repeating: 7, count: 10))
    #expect(try !isFree(left))
    lease = nil
    #expect(try isFree(left))
  }

  /// A reader, as the coordinator sees it, until it closes its memory.
  private final class Reader {
    private(set) var memory: SharedMemory?
    let seen: PeerMemory

    init() throws {
      let memory = SharedMemory(SystemMemory())
      self.memory = memory
      seen = try #require(memory.flatMap { PeerMemory($0.reference, SystemMemory()) })
    }

    func end() { memory = nil }
  }

  @Test func bytesThatWereTransferredLeasesAreGivenBackByTheirReader() throws {
    let left = try leave(7)
    let reader = try Reader()
    var transferred = TransferredLeases()
    let bytes = try {
      let lease = try lease(left)
      transferred.add(lease, to: reader.seen)
      return lease.transferred
    }()
    transferred.sweep()
    #expect(try !isFree(left))
    var others = OpenMemories(limit: 1, SystemMemory())
    var frame = seen(bytes, by: &others)
    #expect(frame.map { Array($0.bytes) } == [UInt8](repeating: 7, count: Self.size))
    #expect(try !isFree(left))
    frame = nil
    #expect(try isFree(left))
    #expect(seen(bytes, by: &others) == nil, "they are not there any more")
  }

  @Test func bytesThatWereTransferredLeasesToAReaderThatEndsAreGivenBack() throws {
    let left = try leave(7)
    let reader = try Reader()
    var transferred = TransferredLeases()
    transferred.add(try lease(left), to: reader.seen)
    transferred.sweep()
    #expect(try !isFree(left))
    reader.end()
    transferred.sweep()
    #expect(try isFree(left))
  }

  /// What it has read so far keeps it a reader, also when it wants no more.
  @Test func aReaderIsOneAsLongAsItHasBytes() throws {
    let left = try leave(7)
    let reader = try Reader()
    var others = OpenMemories(limit: 1, SystemMemory(), reader: reader.memory?.created)
    var frame = seen(try lease(left).shown(0..<1), by: &others)
    #expect(frame != nil)
    others = OpenMemories(limit: 1, SystemMemory())
    reader.end()
    #expect(!reader.seen.isGone)
    frame = nil
    #expect(reader.seen.isGone)
  }

  /// A reader that has ended is found now and then, when what it had given back may long be others'.
  @Test(arguments: 1...6 as ClosedRange<UInt32>) func nothingIsWrittenWhereBytesAre(number: UInt32) throws {
    let reader = try Reader()
    var transferred = TransferredLeases()
    var others = OpenMemories(limit: 1, SystemMemory())
    let leases = try (0..<4).map { _ in try lease(try #require(own.leave(count: 64) { memset($0, 1, 64) })) }
    for lease in leases {
      transferred.add(lease, to: reader.seen)
      #expect(seen(lease.transferred, by: &others) != nil)
    }
    let numbers = [UInt32](repeating: number, count: 1000)
    let left = try #require(own.leave(numbers.withUnsafeBytes { OwnedBytes(copying: $0) }))
    let frame = try #require(coordinators.bytes(of: left))
    reader.end()
    transferred.sweep()
    #expect(frame.bytes.elementsEqual(numbers.withUnsafeBytes { Array($0) }))
  }

  /// A mark belongs to one use of a range alone. Here two processes have the same bytes.
  @Test func bytesAreNotReleasedForOthersThatWereThereBefore() throws {
    let left = try leave(1)
    var early: Lease? = try lease(left)
    let other = try #require(PeerMemory(own.reference, SystemMemory()))
    var late = other.bytes(of: left)?.owner as? Lease
    #expect(early != nil && late != nil)
    early = nil
    let next = try leave(2)
    #expect(next.offset == left.offset)
    late = nil
    #expect(try !isFree(next))
  }

  /// A worker that sends a result twice would otherwise have its first columns released by the second message.
  @Test func bytesHaveOneLeaseAtATime() throws {
    let left = try leave(1)
    var first: Lease? = try lease(left)
    #expect(coordinators.bytes(of: left) == nil)
    #expect(try first != nil && !isFree(left))
    first = nil
    #expect(try isFree(left))
  }

  @Test func aFrameThatLiesThereIsLeftWithoutACopyAndMoreThanOnce() throws {
    let text = Array("{}\n{}\n".utf8)
    var frame = text.withUnsafeBytes { own.copy($0) }
    let places = try (0..<2).map { _ in
      let left = try #require(frame.flatMap { own.leave($0) })
      #expect(coordinators.bytes(of: left).map { Array($0.bytes) } == text)
      #expect(try !isFree(left), "it may have to be sent again")
      return left
    }
    #expect(places[0].offset == places[1].offset && places[0].mark != places[1].mark)
    frame = nil
    #expect(try isFree(places[0]))
  }

  /// Rows that come twice are dropped where they are not wanted, while workers read what came first.
  @Test func bytesThatAreLeftTwiceAtATimeAreGivenBackOneByOne() throws {
    let text = Array("{}\n{}\n".utf8)
    var frame = text.withUnsafeBytes { own.copy($0) }
    let first = try #require(frame.flatMap { own.leave($0) })
    let taken = try #require(coordinators.bytes(of: first))
    let second = try #require(frame.flatMap { own.leave($0) })
    #expect(coordinators.bytes(of: second).map { Array($0.bytes) } == text)
    frame = nil
    _ = try leave(9)
    #expect(Array(taken.bytes) == text)
  }

  @Test func memoryIsShownAsLongAsTheCoordinatorSeesIt() throws {
    var own = SharedMemory(SystemMemory())
    let left = try #require(own?.leave(count: 3) { memset($0, 5, 3) })
    var peers = own.flatMap { PeerMemory($0.reference, SystemMemory()) }
    own = nil
    var lease = peers?.bytes(of: left)?.owner as? Lease
    let shown = try #require(lease?.shown(0..<3))
    var others = OpenMemories(limit: 1, SystemMemory())
    #expect(seen(shown, by: &others).map { Array($0.bytes) } == [5, 5, 5])
    (lease, peers) = (nil, nil)
    #expect(seen(shown, by: &others) != nil, "it is open")
    others.removeAll()
    #expect(seen(shown, by: &others) == nil)
  }

  @Test func asManyMemoriesAreKeptOpenAsWasSaid() throws {
    let memories = try (0..<3).map { _ in try #require(SharedMemory(SystemMemory())) }
    let left = memories.compactMap { $0.leave(OwnedBytes(copying: [1])) }
    var others = OpenMemories(limit: 2, SystemMemory())
    for bytes in left { #expect(seen(bytes, by: &others) != nil) }
    for memory in memories { memory.hide() }
    let shown = left.map { bytes in SharedRange(memory: bytes.memory, offset: bytes.offset, count: 0) }
    #expect(shown.map { seen($0, by: &others) != nil } == [false, true, true])
  }
}
