import Buffers
import Foundation
import Glibc
import PoolProtocol
import Testing

@testable import PoolMemory
@testable import PosixMemory

/// Tests of leases on the bytes of a peer, which the coordinator shows and transfers to readers. In these tests, one
/// process has the roles of the owner, the coordinator and the readers.
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

  /// Returns the bytes as a reader maps them, or nil if it cannot.
  private func seen(_ bytes: SharedRange, by others: inout OpenMemories) -> OwnedBytes? {
    others[bytes.memory]?.bytes(of: bytes)
  }

  /// Returns whether the range of these bytes is used for the next bytes.
  private func isFree(_ bytes: SharedRange) throws -> Bool {
    let next = try leave(0)
    _ = try lease(next)
    return next.offset == bytes.offset
  }

  @Test func bytesThatAreShownAreReleasedByTheirOwner() throws {
    let left = try leave(7)
    var lease: Lease? = try lease(left)
    var others = OpenMemories(limit: 1, SystemMemory())
    let shown = try #require(lease?.shown(10..<20))
    #expect(seen(shown, by: &others).map { Array($0.bytes) } == [UInt8](repeating: 7, count: 10))
    #expect(try !isFree(left))
    lease = nil
    #expect(try isFree(left))
  }

  /// A reader of shared bytes, as the coordinator maps it. The reader ends when it closes its memory.
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

  @Test func transferredLeasesAreReleasedByTheirReader() throws {
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
    var content = seen(bytes, by: &others)
    #expect(content.map { Array($0.bytes) } == [UInt8](repeating: 7, count: Self.size))
    #expect(try !isFree(left))
    content = nil
    #expect(try isFree(left))
    #expect(seen(bytes, by: &others) == nil, "they are not there any more")
  }

  @Test func transferredLeasesOfAReaderThatEndsAreReleased() throws {
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

  /// The bytes that a reader has mapped keep its memory open, even after it has closed all memories of its peers.
  @Test func aReaderIsGoneOnlyAfterItHasReleasedItsBytes() throws {
    let left = try leave(7)
    let reader = try Reader()
    var others = OpenMemories(limit: 1, SystemMemory(), reader: reader.memory?.created)
    var content = seen(try lease(left).shown(0..<1), by: &others)
    #expect(content != nil)
    others = OpenMemories(limit: 1, SystemMemory())
    reader.end()
    #expect(!reader.seen.isGone)
    content = nil
    #expect(reader.seen.isGone)
  }

  /// The end of a reader is detected periodically. By then, the ranges that the reader released may have other bytes.
  @Test(arguments: 1...6 as ClosedRange<UInt32>) func theEndOfAReaderDoesNotOverwriteBytes(number: UInt32) throws {
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
    let content = try #require(coordinators.bytes(of: left))
    reader.end()
    transferred.sweep()
    #expect(content.bytes.elementsEqual(numbers.withUnsafeBytes { Array($0) }))
  }

  /// A mark identifies one use of a range. In this test, two processes have leases on the same bytes.
  @Test func anEarlierLeaseDoesNotReleaseLaterBytesOfItsRange() throws {
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

  /// Otherwise, if a worker sent a result twice, the second message would release the columns of the first one.
  @Test func bytesHaveAtMostOneLeaseAtATime() throws {
    let left = try leave(1)
    var first: Lease? = try lease(left)
    #expect(coordinators.bytes(of: left) == nil)
    #expect(try first != nil && !isFree(left))
    first = nil
    #expect(try isFree(left))
  }

  @Test func bytesInSharedMemoryAreLeftRepeatedlyWithoutACopy() throws {
    let text = Array("{}\n{}\n".utf8)
    var content = text.withUnsafeBytes { own.copy($0) }
    let ranges = try (0..<2).map { _ in
      let left = try #require(content.flatMap { own.leave($0) })
      #expect(coordinators.bytes(of: left).map { Array($0.bytes) } == text)
      #expect(try !isFree(left), "it may have to be sent again")
      return left
    }
    #expect(ranges[0].offset == ranges[1].offset && ranges[0].mark != ranges[1].mark)
    content = nil
    #expect(try isFree(ranges[0]))
  }

  /// The coordinator drops rows that it receives a second time, while workers still read the first ones.
  @Test func bytesThatAreLeftTwiceAreReleasedSeparately() throws {
    let text = Array("{}\n{}\n".utf8)
    var content = text.withUnsafeBytes { own.copy($0) }
    let first = try #require(content.flatMap { own.leave($0) })
    let firstContent = try #require(coordinators.bytes(of: first))
    let second = try #require(content.flatMap { own.leave($0) })
    #expect(coordinators.bytes(of: second).map { Array($0.bytes) } == text)
    content = nil
    _ = try leave(9)
    #expect(Array(firstContent.bytes) == text)
  }

  @Test func memoryCanBeOpenedAsLongAsTheCoordinatorHasItOpen() throws {
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

  @Test func theLatestMemoriesUpToTheLimitAreKeptOpen() throws {
    let memories = try (0..<3).map { _ in try #require(SharedMemory(SystemMemory())) }
    let left = memories.compactMap { $0.leave(OwnedBytes(copying: [1])) }
    var others = OpenMemories(limit: 2, SystemMemory())
    for bytes in left { #expect(seen(bytes, by: &others) != nil) }
    for memory in memories { memory.hide() }
    let shown = left.map { bytes in SharedRange(memory: bytes.memory, offset: bytes.offset, count: 0) }
    #expect(shown.map { seen($0, by: &others) != nil } == [false, true, true])
  }
}
