import Foundation
import Glibc
import PoolMessages
import Testing

@testable import LayoutPool
@testable import ZeroMQ

/// What one process left for the coordinator, and others read where it lies; here one process is all of them.
@Suite struct PassedOnMemoryTests {
  private static let size = 1000

  private let own: SharedMemory
  private let coordinators: PeerMemory

  init() throws {
    own = try #require(SharedMemory())
    coordinators = try #require(PeerMemory(own.reference, isShown: true))
  }

  private func leave(_ byte: UInt8) throws -> PoolSharedBytes {
    try #require(own.leave(size: Self.size) { memset($0, Int32(byte), Self.size) })
  }

  private func lease(_ bytes: PoolSharedBytes) throws -> Lease {
    try #require(coordinators.frame(bytes)?.owner as? Lease)
  }

  /// What others see.
  private func seen(_ bytes: PoolSharedBytes, by others: inout PeerMemories) -> Frame? {
    others[bytes.memory]?.frame(bytes)
  }

  /// Whether the place of these bytes is used for the next ones.
  private func isFree(_ bytes: PoolSharedBytes) throws -> Bool {
    let next = try leave(0)
    _ = try lease(next)
    return next.offset == bytes.offset
  }

  @Test func bytesThatAreShownAreNotGivenBackByWhoSeesThem() throws {
    let left = try leave(7)
    var lease: Lease? = try lease(left)
    var others = PeerMemories(limit: 1)
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
      let memory = SharedMemory()
      self.memory = memory
      seen = try #require(memory.flatMap { PeerMemory($0.reference) })
    }

    func end() { memory = nil }
  }

  @Test func bytesThatWereHandedOverAreGivenBackByTheirReader() throws {
    let left = try leave(7)
    let reader = try Reader()
    var handedOver = HandedOver()
    let bytes = try {
      let lease = try lease(left)
      handedOver.add(lease, to: reader.seen)
      return lease.handedOver
    }()
    handedOver.sweep()
    #expect(try !isFree(left))
    var others = PeerMemories(limit: 1)
    var frame = seen(bytes, by: &others)
    #expect(frame.map { Array($0.bytes) } == [UInt8](repeating: 7, count: Self.size))
    #expect(try !isFree(left))
    frame = nil
    #expect(try isFree(left))
    #expect(seen(bytes, by: &others) == nil, "they are not there any more")
  }

  @Test func bytesThatWereHandedOverToAReaderThatEndsAreGivenBack() throws {
    let left = try leave(7)
    let reader = try Reader()
    var handedOver = HandedOver()
    handedOver.add(try lease(left), to: reader.seen)
    handedOver.sweep()
    #expect(try !isFree(left))
    reader.end()
    handedOver.sweep()
    #expect(try isFree(left))
  }

  /// What it has read so far keeps it a reader, also when it wants no more.
  @Test func aReaderIsOneAsLongAsItHasBytes() throws {
    let left = try leave(7)
    let reader = try Reader()
    var others = PeerMemories(limit: 1, reader: reader.memory?.file)
    var frame = seen(try lease(left).shown(0..<1), by: &others)
    #expect(frame != nil)
    others = PeerMemories(limit: 1)
    reader.end()
    #expect(!reader.seen.isGone)
    frame = nil
    #expect(reader.seen.isGone)
  }

  /// A reader that has ended is found now and then, when what it had given back may long be others'.
  @Test(arguments: 1...6 as ClosedRange<UInt32>) func nothingIsWrittenWhereBytesAre(number: UInt32) throws {
    let reader = try Reader()
    var handedOver = HandedOver()
    var others = PeerMemories(limit: 1)
    let leases = try (0..<4).map { _ in try lease(try #require(own.leave(size: 64) { memset($0, 1, 64) })) }
    for lease in leases {
      handedOver.add(lease, to: reader.seen)
      #expect(seen(lease.handedOver, by: &others) != nil)
    }
    let numbers = [UInt32](repeating: number, count: 1000)
    let left = try #require(own.leave(numbers.withUnsafeBytes { Frame(copying: $0) }))
    let frame = try #require(coordinators.frame(left))
    reader.end()
    handedOver.sweep()
    #expect(frame.bytes.elementsEqual(numbers.withUnsafeBytes { Array($0) }))
  }

  /// A mark is of one use of a place alone.
  @Test func bytesAreNotGivenBackForOthersThatWereThereBefore() throws {
    let left = try leave(1)
    var early: Lease? = try lease(left)
    var late: Lease? = try lease(left)
    #expect(early != nil && late != nil)
    early = nil
    let next = try leave(2)
    #expect(next.offset == left.offset)
    late = nil
    #expect(try !isFree(next))
  }

  @Test func aFrameThatLiesThereIsLeftWithoutACopyAndMoreThanOnce() throws {
    let text = Array("{}\n{}\n".utf8)
    var frame = text.withUnsafeBytes { own.frame(copying: $0) }
    let places = try (0..<2).map { _ in
      let left = try #require(frame.flatMap { own.leave($0) })
      #expect(coordinators.frame(left).map { Array($0.bytes) } == text)
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
    var frame = text.withUnsafeBytes { own.frame(copying: $0) }
    let first = try #require(frame.flatMap { own.leave($0) })
    let taken = try #require(coordinators.frame(first))
    let second = try #require(frame.flatMap { own.leave($0) })
    #expect(coordinators.frame(second).map { Array($0.bytes) } == text)
    frame = nil
    _ = try leave(9)
    #expect(Array(taken.bytes) == text)
  }

  @Test func memoryIsShownAsLongAsTheCoordinatorSeesIt() throws {
    var own = SharedMemory()
    let left = try #require(own?.leave(size: 3) { memset($0, 5, 3) })
    var peers = own.flatMap { PeerMemory($0.reference, isShown: true) }
    own = nil
    var lease = peers?.frame(left)?.owner as? Lease
    let shown = try #require(lease?.shown(0..<3))
    var others = PeerMemories(limit: 1)
    #expect(seen(shown, by: &others).map { Array($0.bytes) } == [5, 5, 5])
    (lease, peers) = (nil, nil)
    #expect(seen(shown, by: &others) != nil, "it is open")
    others.forget()
    #expect(seen(shown, by: &others) == nil)
  }

  @Test func asManyMemoriesAreKeptOpenAsWasSaid() throws {
    let memories = try (0..<3).map { _ in try #require(SharedMemory()) }
    let left = memories.compactMap { $0.leave(Frame(copying: [1])) }
    var others = PeerMemories(limit: 2)
    for bytes in left { #expect(seen(bytes, by: &others) != nil) }
    for memory in memories { memory.hide() }
    let shown = left.map { bytes in PoolSharedBytes.with { ($0.token, $0.offset) = (bytes.token, bytes.offset) } }
    #expect(shown.map { seen($0, by: &others) != nil } == [false, true, true])
  }
}
